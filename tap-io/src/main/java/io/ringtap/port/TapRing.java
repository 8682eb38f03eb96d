package io.ringtap.port;

import io.ringtap.frag.PageArena;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.IoVectors;
import io.ringtap.sys.Poll;
import io.ringtap.sys.uring.IoUring;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The io_uring of one TAP descriptor: NOWAIT reads and writes that name frames by their place in a submission, and a
 * poll that may stay with the kernel. Completions are walked with {@link #next()}; polls are not seen there.
 */
final class TapRing implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(TapPort.class);

    /** User data of a poll; no frame has such a place. */
    private static final long POLL = 1L << 32;

    /** A registered buffer is at most 1 GiB (io_uring_register(2)); no page of the arena lies in two. */
    private static final int BUFFER_SHIFT = 30;

    /** One that fired and the one armed in its place. */
    private static final int MOST_POLLS = 2;

    private final IoUring uring;
    private final int file = IoUring.registered(0);
    private final UnsafeBuffer arena;
    private final boolean isRegistered;
    private int polls;
    private int queuedPolls;
    private int ready;
    private int cursor;
    private long place;
    private int result;

    /**
     * @param frames     most in a submission.
     * @param registered the arena, to make it known to the ring; null not to.
     */
    TapRing(final Fd fd, final UnsafeBuffer arena, final int frames, final PageArena registered)
    {
        this.arena = arena;
        // Room for the frames and a poll. Not SINGLE_ISSUER, which gained nothing: the port may be closed by a thread
        // that is not the worker.
        uring = IoUring.open(frames + 1, IoUring.COOP_TASKRUN);
        try
        {
            uring.registerFiles(fd.number());
            isRegistered = null != registered && register(registered, fd);
        }
        catch (final RuntimeException e)
        {
            uring.close();
            throw e;
        }
    }

    /** Entries to the kernel so far. */
    long enters()
    {
        return uring.enters();
    }

    /** Whether a poll is with the kernel, or was and its firing has not been taken notice of. */
    boolean isPolling()
    {
        return polls > 0;
    }

    /** Whether a poll has fired; no system call. */
    boolean isSignalled()
    {
        return uring.isSignalled();
    }

    void write(final int offset, final int length, final int q)
    {
        final long from = arena.addressOffset() + offset;
        if (isRegistered)
        {
            uring.writeFixed(file, offset >> BUFFER_SHIFT, from, length, IoUring.NOWAIT, q);
        }
        else
        {
            uring.write(file, from, length, 0, IoUring.NOWAIT, q);
        }
    }

    void write(final IoVectors vectors, final int first, final int count, final int q)
    {
        uring.writev(file, vectors.addressOf(first, count), count, IoUring.NOWAIT, q);
    }

    void read(final int offset, final int length, final int q)
    {
        final long to = arena.addressOffset() + offset;
        if (isRegistered)
        {
            uring.readFixed(file, offset >> BUFFER_SHIFT, to, length, IoUring.NOWAIT, q);
        }
        else
        {
            uring.read(file, to, length, 0, IoUring.NOWAIT, q);
        }
    }

    void read(final IoVectors vectors, final int first, final int count, final int q)
    {
        uring.readv(file, vectors.addressOf(first, count), count, IoUring.NOWAIT, q);
    }

    /** Queues a poll for input behind the reads, but not if one that has not fired is with the kernel. */
    void poll()
    {
        final boolean isDue = 0 == polls || isSignalled() && polls < MOST_POLLS;
        if (isDue && uring.pollAdd(file, Poll.IN, POLL))
        {
            polls++;
            queuedPolls++;
        }
    }

    /**
     * Hands what was queued to the kernel, once. What it has no memory for is forgotten, because it names frames of
     * this batch only.
     *
     * @return reads or writes taken, the first of those queued; each has a completion.
     */
    int submit()
    {
        int left = uring.queued();
        int taken = uring.submit();
        left -= taken;
        if (left > 0)
        {
            taken += uring.submit();
            left = uring.queued();
            uring.forgetQueued();
        }
        final int pollsTaken = left > 0 ? 0 : queuedPolls;
        polls -= queuedPolls - pollsTaken;
        queuedPolls = 0;
        return taken - pollsTaken;
    }

    /** Moves to the next completion of a read or write, which is there already but in the strangest of cases. */
    void next()
    {
        do
        {
            if (cursor == ready)
            {
                fetch();
            }
            place = uring.userData(cursor);
            result = uring.result(cursor++);
            polls -= POLL == place ? 1 : 0;
        }
        while (POLL == place);
    }

    /** Place in the submission of the completion moved to. */
    int place()
    {
        return (int)place;
    }

    /** Bytes or a negative errno of the completion moved to. */
    int result()
    {
        return result;
    }

    /** Ends the walk over completions: what is left are polls. */
    void finish()
    {
        polls -= ready - cursor;
        uring.advance(ready);
        ready = 0;
        cursor = 0;
    }

    @Override
    public void close()
    {
        try
        {
            // The kernel takes a closed ring apart later, in the background. Without this the interface, of which the
            // ring holds the file, would live on until then: too long for who opens it again at once.
            uring.registerFile(0, -1);
        }
        finally
        {
            uring.close();
        }
    }

    private void fetch()
    {
        uring.advance(ready);
        cursor = 0;
        ready = uring.ready();
        while (0 == ready)
        {
            uring.submitAndWait(1);
            ready = uring.ready();
        }
    }

    private boolean register(final PageArena pages, final Fd fd)
    {
        final int refusal = uring.registerBuffers(pages.address(), pages.length());
        if (refusal < 0)
        {
            LOG.info("{}: the arena is not registered with io_uring ({}); raise the limit on locked memory", fd,
                Errno.nameOf(-refusal));
            return false;
        }
        pages.countRegistration();
        return true;
    }
}
