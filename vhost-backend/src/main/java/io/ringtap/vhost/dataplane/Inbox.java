package io.ringtap.vhost.dataplane;

import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.sys.EventFd;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * Frames from other ports on their way to the guest of one queue pair. Any worker puts frames in, each copied once with
 * its net header; the pair's own worker writes them into the guest's receive ring straight from here. Nobody waits:
 * without room, or while the guest does not receive, a frame is not taken.
 * <p>
 * Wake-up: the worker says that it will sleep, then looks once more; who puts a frame in, then looks whether the worker
 * sleeps. A full fence stands between the two steps on each side, so at least one of them sees the other.
 */
final class Inbox
{
    /**
     * Some 2,600 full frames or 64 super-frames: what comes in a millisecond or two, in which a worker that shares its
     * processor with the sender does not run. Memory is there only from the first frame on.
     */
    static final int CAPACITY = 1 << 22;

    /** Most frames a cycle, as from the port. */
    private static final int BATCH = 64;
    private static final int FRAME = 1;
    private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
    private static final VarHandle SLEEPING;

    static
    {
        try
        {
            SLEEPING = MethodHandles.lookup().findVarHandle(Inbox.class, "isSleeping", boolean.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final ControlledMessageHandler handler = this::onFrame;
    private final EventFd wake;
    private final IntFunction<ByteBuffer> storage;
    /** Null until the first frame comes. Volatile, so that who sees it sees the ring made. */
    private volatile Space space;
    /** The process had no memory for it; volatile for its readers only, nothing hangs on the order. */
    private volatile boolean isPoor;
    private volatile boolean isOpen;
    private volatile boolean isSleeping;
    private RingWriter writer;
    private boolean isAtHand;
    private int completed;
    private long lost;

    /** @param wake of the worker; not used after {@link #close()}. */
    Inbox(final EventFd wake)
    {
        this(wake, (bytes) -> BufferUtil.allocateDirectAligned(bytes, BitUtil.CACHE_LINE_LENGTH));
    }

    /** @param storage gives zeroed memory of so many bytes, or throws OutOfMemoryError. */
    Inbox(final EventFd wake, final IntFunction<ByteBuffer> storage)
    {
        this.wake = wake;
        this.storage = storage;
    }

    /** Any thread: whether the guest receives. */
    boolean isOpen()
    {
        return isOpen;
    }

    /**
     * Any thread: takes a copy of a frame.
     *
     * @return false when there is no room, or nobody to receive it.
     */
    boolean put(final FrameBatch batch, final int i)
    {
        if (!isOpen)
        {
            return false;
        }
        final int linear = batch.linearLength(i);
        final int length = batch.length(i);
        final Space to = space();
        if (null == to)
        {
            return false;
        }
        final int at = to.ring.tryClaim(FRAME, FrameLayout.NET_HEADER + length);
        if (at < 0)
        {
            return false;
        }
        boolean isWhole = false;
        try
        {
            to.memory.putBytes(at, batch.arena(), batch.netHeader(i), FrameLayout.NET_HEADER + linear);
            if (linear < length)
            {
                batch.vectors().copyTo(batch.run(i) + 1, batch.segments(i), 0, length - linear, to.memory,
                    at + FrameLayout.NET_HEADER + linear);
            }
            isWhole = true;
        }
        finally
        {
            // The sender's memory may be taken away under the copy; a claim that stays would stop the ring for good.
            if (isWhole)
            {
                to.ring.commit(at);
            }
            else
            {
                to.ring.abort(at);
            }
        }
        VarHandle.fullFence();
        if (isSleeping && SLEEPING.compareAndSet(this, true, false))
        {
            signal();
        }
        if (!isOpen)
        {
            sweep();
        }
        return true;
    }

    /**
     * On the worker: lets frames in while the guest receives.
     *
     * @return whether that is new.
     */
    boolean follow(final boolean isReceiving)
    {
        if (isReceiving == isOpen)
        {
            return false;
        }
        if (isReceiving)
        {
            open();
        }
        else
        {
            close();
        }
        return true;
    }

    /**
     * On the worker: writes what is there, as long as the guest has buffers.
     *
     * @return chains completed, to be published by the caller.
     */
    int drain(final RingWriter to)
    {
        final Space from = space;
        if (null == from)
        {
            return 0;
        }
        writer = to;
        completed = 0;
        boolean isDone = false;
        try
        {
            from.ring.controlledRead(handler, BATCH);
            isDone = true;
        }
        finally
        {
            if (!isDone)
            {
                forget();
            }
        }
        return completed;
    }

    /** On the worker: a frame waits for the guest's buffers. */
    boolean isStarved()
    {
        return isAtHand;
    }

    /**
     * On the worker, before it sleeps: asks to be woken.
     *
     * @return false when there is something already.
     */
    boolean arm()
    {
        isSleeping = true;
        VarHandle.fullFence();
        return null == space || 0 == space.ring.size();
    }

    /** On the worker: it is awake. */
    void disarm()
    {
        isSleeping = false;
    }

    /** On the worker: nobody receives any more; what is here is lost, and so is what comes too late. */
    void close()
    {
        forget();
        synchronized (this)
        {
            isOpen = false;
        }
        VarHandle.fullFence();
        sweep();
    }

    /** Frames that were taken and had nobody to receive them, since the last call. */
    synchronized long takeLost()
    {
        final long n = lost;
        lost = 0;
        return n;
    }

    /** Null when there is no memory for it. */
    private Space space()
    {
        final Space known = space;
        return null == known && !isPoor ? makeSpace() : known;
    }

    private synchronized Space makeSpace()
    {
        if (null == space && !isPoor)
        {
            try
            {
                space = new Space(storage.apply(CAPACITY + RingBufferDescriptor.TRAILER_LENGTH));
            }
            catch (final OutOfMemoryError ex)
            {
                // Asked once only: the JVM collects and waits before it says no, and the sender's worker would with it.
                isPoor = true;
                LOG.warn("no memory for frames of other NICs to this one, they are dropped: {}; raise " +
                    "-XX:MaxDirectMemorySize in RINGTAP_JAVA_OPTS", ex.getMessage());
            }
        }
        return space;
    }

    private synchronized void open()
    {
        isOpen = true;
    }

    /** Closing the descriptor comes after closing this, under the same lock. */
    private synchronized void signal()
    {
        if (isOpen)
        {
            wake.signal();
        }
    }

    /** While it is closed whoever comes last counts what is left, be it the worker or one that was late. */
    private synchronized void sweep()
    {
        if (!isOpen && null != space)
        {
            lost += space.ring.read((type, buffer, index, length) -> {});
        }
    }

    private void forget()
    {
        if (null != space)
        {
            space.row.clear();
        }
        isAtHand = false;
    }

    private ControlledMessageHandler.Action onFrame(
        final int type, final MutableDirectBuffer buffer, final int index, final int length)
    {
        final FrameBatch row = space.row;
        if (!isAtHand)
        {
            row.add(FrameBatch.NO_SLOT, length, index + FrameLayout.NET_HEADER, length - FrameLayout.NET_HEADER, 0);
            isAtHand = true;
        }
        completed += writer.write(row);
        if (!row.isDrained() || writer.isHolding())
        {
            return ControlledMessageHandler.Action.ABORT;
        }
        forget();
        return ControlledMessageHandler.Action.CONTINUE;
    }

    /** The ring, its memory, and the frame at hand where it lies. */
    private static final class Space
    {
        private final UnsafeBuffer memory;
        private final ManyToOneRingBuffer ring;
        private final FrameBatch row;

        Space(final ByteBuffer storage)
        {
            memory = new UnsafeBuffer(storage);
            ring = new ManyToOneRingBuffer(memory);
            row = new FrameBatch(memory, 1, 1);
        }
    }
}
