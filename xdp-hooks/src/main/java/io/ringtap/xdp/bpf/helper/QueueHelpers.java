package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.map.QueueMap;
import org.agrona.concurrent.UnsafeBuffer;

/** Helpers of maps without keys. */
final class QueueHelpers
{
    private QueueHelpers()
    {
    }

    static long push(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final QueueMap queue = queue(c, r1);
        final UnsafeBuffer value = c.readable(r2, queue.valueSize());
        return queue.push(value, c.index(), r3);
    }

    static long pop(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final QueueMap queue = queue(c, r1);
        final UnsafeBuffer value = c.writable(r2, queue.valueSize());
        return queue.pop(value, c.index(), true);
    }

    static long peek(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final QueueMap queue = queue(c, r1);
        final UnsafeBuffer value = c.writable(r2, queue.valueSize());
        return queue.pop(value, c.index(), false);
    }

    private static QueueMap queue(final BpfContext c, final long handle)
    {
        final BpfMap map = c.map(handle);
        if (!(map instanceof QueueMap queue))
        {
            throw c.refuse("that map is no queue", handle);
        }
        return queue;
    }
}
