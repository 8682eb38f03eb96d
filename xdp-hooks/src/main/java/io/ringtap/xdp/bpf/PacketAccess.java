package io.ringtap.xdp.bpf;

/**
 * Access at an address that is most likely in the frame: one check against the frame's bounds, and {@link AnyAccess}
 * when it fails. The window is never shorter than {@link BpfContext#MIN_FRAME}, so no limit here is negative.
 */
final class PacketAccess
{
    /** Added to both sides it makes a comparison unsigned, in the one form that HotSpot 17 knows for what it is. */
    private static final int MIN = Integer.MIN_VALUE;

    private PacketAccess()
    {
    }

    /** Unsigned comparison. */
    static boolean fits(final int offset, final int limit)
    {
        return offset + MIN <= limit + MIN;
    }

    static long load1(final BpfContext c, final long address, final int at)
    {
        final int offset = (int)address - c.windowStart;
        return offset + MIN <= c.windowLength - 1 + MIN ?
            c.packet.getByte(c.windowIndex + offset) & 0xffL : AnyAccess.load(c, address, 1, at);
    }

    static long load2(final BpfContext c, final long address, final int at)
    {
        final int offset = (int)address - c.windowStart;
        return offset + MIN <= c.windowLength - 2 + MIN ?
            c.packet.getShort(c.windowIndex + offset) & 0xffffL : AnyAccess.load(c, address, 2, at);
    }

    static long load4(final BpfContext c, final long address, final int at)
    {
        final int offset = (int)address - c.windowStart;
        return offset + MIN <= c.windowLength - 4 + MIN ?
            c.packet.getInt(c.windowIndex + offset) & 0xffff_ffffL : AnyAccess.load(c, address, 4, at);
    }

    static long load8(final BpfContext c, final long address, final int at)
    {
        final int offset = (int)address - c.windowStart;
        return offset + MIN <= c.windowLength - 8 + MIN ?
            c.packet.getLong(c.windowIndex + offset) : AnyAccess.load(c, address, 8, at);
    }

    static void store1(final BpfContext c, final long address, final long value, final int at)
    {
        final int offset = (int)address - c.windowStart;
        if (offset + MIN <= c.windowLength - 1 + MIN)
        {
            c.wroteFrame = true;
            c.packet.putByte(c.windowIndex + offset, (byte)value);
        }
        else
        {
            AnyAccess.store(c, address, value, 1, at);
        }
    }

    static void store2(final BpfContext c, final long address, final long value, final int at)
    {
        final int offset = (int)address - c.windowStart;
        if (offset + MIN <= c.windowLength - 2 + MIN)
        {
            c.wroteFrame = true;
            c.packet.putShort(c.windowIndex + offset, (short)value);
        }
        else
        {
            AnyAccess.store(c, address, value, 2, at);
        }
    }

    static void store4(final BpfContext c, final long address, final long value, final int at)
    {
        final int offset = (int)address - c.windowStart;
        if (offset + MIN <= c.windowLength - 4 + MIN)
        {
            c.wroteFrame = true;
            c.packet.putInt(c.windowIndex + offset, (int)value);
        }
        else
        {
            AnyAccess.store(c, address, value, 4, at);
        }
    }

    static void store8(final BpfContext c, final long address, final long value, final int at)
    {
        final int offset = (int)address - c.windowStart;
        if (offset + MIN <= c.windowLength - 8 + MIN)
        {
            c.wroteFrame = true;
            c.packet.putLong(c.windowIndex + offset, value);
        }
        else
        {
            AnyAccess.store(c, address, value, 8, at);
        }
    }
}
