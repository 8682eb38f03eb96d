package io.ringtap.xdp.bpf;

/**
 * Access at an address that is most likely in the frame: one check against the frame's bounds, and {@link AnyAccess}
 * when it fails. Both comparisons are signed and of 64 bits, so they hold for any number that a program makes up.
 */
final class PacketAccess
{
    private PacketAccess()
    {
    }

    static long load1(final BpfContext c, final long address, final int at)
    {
        final long offset = address - c.windowStart;
        return offset >= 0 && offset <= c.windowLength - 1 ?
            c.packet.getByte((int)address + c.packetDelta) & 0xffL : AnyAccess.load(c, address, 1, at);
    }

    static long load2(final BpfContext c, final long address, final int at)
    {
        final long offset = address - c.windowStart;
        return offset >= 0 && offset <= c.windowLength - 2 ?
            c.packet.getShort((int)address + c.packetDelta) & 0xffffL : AnyAccess.load(c, address, 2, at);
    }

    static long load4(final BpfContext c, final long address, final int at)
    {
        final long offset = address - c.windowStart;
        return offset >= 0 && offset <= c.windowLength - 4 ?
            c.packet.getInt((int)address + c.packetDelta) & 0xffff_ffffL : AnyAccess.load(c, address, 4, at);
    }

    static long load8(final BpfContext c, final long address, final int at)
    {
        final long offset = address - c.windowStart;
        return offset >= 0 && offset <= c.windowLength - 8 ?
            c.packet.getLong((int)address + c.packetDelta) : AnyAccess.load(c, address, 8, at);
    }

    static void store1(final BpfContext c, final long address, final long value, final int at)
    {
        final long offset = address - c.windowStart;
        if (offset >= 0 && offset <= c.windowLength - 1)
        {
            c.packet.putByte((int)address + c.packetDelta, (byte)value);
        }
        else
        {
            AnyAccess.store(c, address, value, 1, at);
        }
    }

    static void store2(final BpfContext c, final long address, final long value, final int at)
    {
        final long offset = address - c.windowStart;
        if (offset >= 0 && offset <= c.windowLength - 2)
        {
            c.packet.putShort((int)address + c.packetDelta, (short)value);
        }
        else
        {
            AnyAccess.store(c, address, value, 2, at);
        }
    }

    static void store4(final BpfContext c, final long address, final long value, final int at)
    {
        final long offset = address - c.windowStart;
        if (offset >= 0 && offset <= c.windowLength - 4)
        {
            c.packet.putInt((int)address + c.packetDelta, (int)value);
        }
        else
        {
            AnyAccess.store(c, address, value, 4, at);
        }
    }

    static void store8(final BpfContext c, final long address, final long value, final int at)
    {
        final long offset = address - c.windowStart;
        if (offset >= 0 && offset <= c.windowLength - 8)
        {
            c.packet.putLong((int)address + c.packetDelta, value);
        }
        else
        {
            AnyAccess.store(c, address, value, 8, at);
        }
    }
}
