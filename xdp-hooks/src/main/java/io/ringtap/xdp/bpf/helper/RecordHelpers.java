package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.Holding;
import io.ringtap.xdp.bpf.map.BpfErrno;
import io.ringtap.xdp.bpf.map.PerfEventMap;
import io.ringtap.xdp.bpf.map.RingBufMap;
import org.agrona.concurrent.UnsafeBuffer;

/** Helpers that hand records to a reader outside. Programs that practise have doubles of the rings. */
final class RecordHelpers
{
    private static final int NO_WAKEUP = 1;
    private static final int FORCE_WAKEUP = 2;
    private static final long INDEX = 0xffff_ffffL;
    private static final long CONTEXT_LENGTH = 0xfffff_0000_0000L;
    private static final int MAX_RECORD = Integer.MAX_VALUE / 2;

    private RecordHelpers()
    {
    }

    static long output(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final RingBufMap ring = ring(c, r1);
        final UnsafeBuffer data = c.readable(r2, r3);
        final int dataIndex = c.index();
        if ((r4 & ~(long)(NO_WAKEUP | FORCE_WAKEUP)) != 0)
        {
            return BpfErrno.EINVAL;
        }
        c.spend(r3);
        final int offset = ring.reserve(r3);
        if (BpfMap.MISSING == offset)
        {
            return BpfErrno.EAGAIN;
        }
        ring.values().putBytes(offset, data, dataIndex, (int)r3);
        ring.commit(offset, false);
        return 0;
    }

    static long reserve(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final RingBufMap ring = ring(c, r1);
        if (0 != r3 || r2 < 0 || r2 > MAX_RECORD)
        {
            return 0;
        }
        final int offset = ring.reserve(r2);
        if (BpfMap.MISSING == offset)
        {
            return 0;
        }
        if (!c.hold(ring, ring.values(), offset))
        {
            ring.commit(offset, true);
            throw c.refuse("too many records are not finished", r2);
        }
        return c.address(r1, offset);
    }

    static long submit(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        finish(c, r1, false);
        return 0;
    }

    static long discard(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        finish(c, r1, true);
        return 0;
    }

    private static void finish(final BpfContext c, final long record, final boolean isDiscarded)
    {
        final UnsafeBuffer memory = c.readable(record, 1);
        final int offset = c.index();
        final Holding owner = c.letGo(memory, offset);
        if (!(owner instanceof RingBufMap ring))
        {
            throw c.refuse("that is no record that was reserved", record);
        }
        ring.commit(offset, isDiscarded);
    }

    static long query(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final RingBufMap ring = ring(c, r1);
        if (r2 < 0 || r2 > 3)
        {
            return 0;
        }
        return switch ((int)r2)
        {
            case 0 -> ring.produced() - ring.consumed();
            case 1 -> ring.size();
            case 2 -> ring.consumed();
            default -> ring.produced();
        };
    }

    /** The event is the program's data and behind them the frame's first bytes, as many as the flags say. */
    static long perfEvent(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final BpfMap map = c.map(r2);
        if (!(map instanceof PerfEventMap events))
        {
            throw c.refuse("that map takes no events", r2);
        }
        final UnsafeBuffer data = c.readable(r4, r5);
        final int dataIndex = c.index();
        if ((r3 & ~(INDEX | CONTEXT_LENGTH)) != 0)
        {
            return BpfErrno.EINVAL;
        }
        final FrameView frame = c.frame();
        final int frameLength = (int)((r3 & CONTEXT_LENGTH) >>> 32);
        if (frameLength > frame.length())
        {
            return BpfErrno.EFAULT;
        }
        final long index = INDEX == (r3 & INDEX) ? c.queue() : r3 & INDEX;
        if (index >= map.maxEntries() || r5 > PerfEventMap.MAX_EVENT)
        {
            return BpfErrno.E2BIG;
        }
        if (events.isOpen((int)index) && index != c.queue())
        {
            return BpfErrno.EOPNOTSUPP;
        }
        return events.emit((int)index, data, dataIndex, (int)r5, frame.buffer(), frame.offset(), frameLength);
    }

    private static RingBufMap ring(final BpfContext c, final long handle)
    {
        final BpfMap map = c.map(handle);
        if (!(map instanceof RingBufMap ring))
        {
            throw c.refuse("that map is no ring buffer", handle);
        }
        return ring;
    }
}
