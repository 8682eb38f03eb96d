package io.ringtap.port;

import io.ringtap.flow.FrameBatch;
import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A queue of a TAP with one system call a frame: for kernels without io_uring, for those that refuse it later, and to
 * measure against.
 */
class SyscallTapQueue extends TapQueue
{
    SyscallTapQueue(
        final TapPort port,
        final int index,
        final Fd fd,
        final UnsafeBuffer arena,
        final FragAllocator allocator,
        final ReceiveLayout layout)
    {
        super(port, index, fd, arena, allocator, layout);
    }

    @Override
    public int transmit(final FrameBatch batch)
    {
        final int first = batch.sent();
        final int count = batch.readyCount();
        int k = first;
        while (k < count && !isGone() && writeOne(batch, batch.ready(k)))
        {
            k++;
        }
        return sent(batch, isGone() ? abandon(batch, k) : k);
    }

    @Override
    public int receive(final FrameBatch batch, final int limit)
    {
        final int room = prepareReceive(batch, limit);
        final int offered = room > 0 ? buffers.offer(room) : 0;
        dry(false);
        final int before = batch.frames();
        int j = 0;
        while (j < offered)
        {
            final int result = readOne(j);
            counters.increment(PortCounter.RX_CALLS);
            if (result < 0)
            {
                readFailed(result);
                break;
            }
            accept(batch, j++, result);
        }
        return received(batch, before);
    }

    /** @return bytes of the next frame in buffer j, or a negative errno. */
    private int readOne(final int j)
    {
        if (buffers.layout().hasOverflow())
        {
            return Syscalls.readv(fdNumber(), buffers.vectors(), buffers.vector(j), 2);
        }
        return Syscalls.read(fdNumber(), arena, buffers.readOffset(j), buffers.layout().readLength());
    }
}
