package io.ringtap.bench.guest;

import io.ringtap.frontend.GuestQueue;
import io.ringtap.frontend.PktgenConfig;
import org.agrona.DirectBuffer;

import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The thread of one queue pair: generates as fast as the ring takes it, or takes what comes; or rests. */
final class GuestWorker
{
    private static final int BATCH = 64;
    private static final int SPINS = 2000;
    private static final int PATIENCE_MS = 20;
    private static final int GSO_TYPE = 1;
    private static final int GSO_SIZE = 4;
    private static final int HEADERS_LENGTH = 2;

    private final GuestQueue queue;
    private final Replay replay;
    private final boolean sleeps;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final Thread thread;
    private volatile boolean isRunning;
    private volatile boolean hasEnded;
    private long packets;

    private GuestWorker(final GuestQueue queue, final Replay replay, final boolean sleeps)
    {
        this.queue = queue;
        this.sleeps = sleeps;
        this.replay = replay;
        thread = new Thread(null == replay ? this::take : this::generate, "guest");
        thread.setDaemon(true);
        thread.start();
    }

    static GuestWorker sink(final GuestQueue queue)
    {
        return new GuestWorker(queue, null, true);
    }

    /** @param sleeps while the ring is full, instead of looking again and again. */
    static GuestWorker generator(final GuestQueue queue, final PktgenConfig config, final boolean sleeps)
    {
        return new GuestWorker(queue, new Replay(config, queue), sleeps);
    }

    void start()
    {
        isRunning = true;
        LockSupport.unpark(thread);
    }

    void stop()
    {
        isRunning = false;
    }

    void end()
    {
        hasEnded = true;
        isRunning = false;
        LockSupport.unpark(thread);
        try
        {
            thread.join(1000);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    long sent()
    {
        return sent.get();
    }

    long received()
    {
        return received.get();
    }

    private void generate()
    {
        while (!hasEnded)
        {
            if (!isRunning)
            {
                LockSupport.park(this);
                continue;
            }
            if (0 == replay.doWork())
            {
                if (sleeps)
                {
                    queue.await(PATIENCE_MS, true);
                }
                else
                {
                    Thread.onSpinWait();
                }
            }
            sent.lazySet(replay.sentPackets());
        }
    }

    private void take()
    {
        int idle = 0;
        while (!hasEnded)
        {
            if (queue.poll(this::count, BATCH) > 0)
            {
                idle = 0;
                received.lazySet(packets);
            }
            else if (++idle < SPINS && isRunning)
            {
                Thread.onSpinWait();
            }
            else
            {
                queue.await(PATIENCE_MS, false);
                idle = 0;
            }
        }
    }

    /** A super-frame counts as the packets that it stands for. */
    private void count(final DirectBuffer buffer, final int header, final int offset, final int length)
    {
        final int size = buffer.getShort(header + GSO_SIZE, ByteOrder.LITTLE_ENDIAN) & 0xffff;
        if (0 == buffer.getByte(header + GSO_TYPE) || 0 == size)
        {
            packets++;
        }
        else
        {
            final int headers = buffer.getShort(header + HEADERS_LENGTH, ByteOrder.LITTLE_ENDIAN) & 0xffff;
            packets += (length - headers + size - 1) / size;
        }
    }
}
