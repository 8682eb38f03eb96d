package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.map.BpfErrno;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Helpers that move the ends of a frame and copy its bytes. Limits are those of the kernel: 256 bytes of headroom, of
 * which struct xdp_frame takes 40.
 */
final class FrameHelpers
{
    /** How far a frame may grow at its head, metadata included. */
    static final int HEADROOM = 256 - 40;
    /** Metadata have a length of one byte in the kernel. */
    static final int MAX_METADATA = 255;

    private static final int MAX_OFFSET = 0xffff;

    private FrameHelpers()
    {
    }

    static long adjustHead(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final int delta = (int)r2;
        if ((long)c.headMoved() + delta - c.metadata() < -HEADROOM)
        {
            return BpfErrno.EINVAL;
        }
        return c.moveHead(delta) ? 0 : BpfErrno.EINVAL;
    }

    static long adjustTail(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        return c.moveTail((int)r2) ? 0 : BpfErrno.EINVAL;
    }

    static long adjustMeta(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final long length = c.metadata() - (long)(int)r2;
        if (length < 0 || c.headMoved() - length < -HEADROOM)
        {
            return BpfErrno.EINVAL;
        }
        if ((length & 3) != 0 || length > MAX_METADATA)
        {
            return BpfErrno.EACCES;
        }
        return c.metadata((int)length) ? 0 : BpfErrno.EINVAL;
    }

    /** The whole frame, also what lies outside the slot. */
    static long length(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        return c.frame().totalLength();
    }

    static long load(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final UnsafeBuffer target = c.writable(r3, r4 & 0xffff_ffffL);
        final int targetIndex = c.index();
        final int error = range(c, r2, r4);
        if (0 == error)
        {
            target.putBytes(targetIndex, c.frame().buffer(), c.frame().offset() + (int)r2, (int)r4);
        }
        return error;
    }

    static long store(
        final BpfContext c, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final UnsafeBuffer source = c.readable(r3, r4 & 0xffff_ffffL);
        final int sourceIndex = c.index();
        final int error = range(c, r2, r4);
        if (0 == error)
        {
            c.frame().buffer().putBytes(c.frame().offset() + (int)r2, source, sourceIndex, (int)r4);
        }
        return error;
    }

    /** What is wrong with a range of the frame; the rest of a super-frame is the guest's, and out of reach. */
    private static int range(final BpfContext c, final long at, final long count)
    {
        final long offset = at & 0xffff_ffffL;
        final long length = count & 0xffff_ffffL;
        if (offset > MAX_OFFSET || length > MAX_OFFSET)
        {
            return BpfErrno.EFAULT;
        }
        final FrameView frame = c.frame();
        if (offset + length > frame.totalLength())
        {
            return BpfErrno.EINVAL;
        }
        return offset + length > frame.length() ? BpfErrno.EFAULT : 0;
    }
}
