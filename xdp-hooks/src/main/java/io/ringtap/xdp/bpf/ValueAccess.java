package io.ringtap.xdp.bpf;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Access at an address that is most likely in the values of one map, whose number and place the compiler knows: one
 * check against the bounds of all its values, and {@link AnyAccess} when it fails. Values have 8 bytes at least, see
 * {@link AddressSpace#add}, so no limit here is negative. Queues share this memory: plain
 * accesses race as they do in the kernel, between aligned words and never beyond bounds.
 */
final class ValueAccess
{
    private ValueAccess()
    {
    }

    static long load1(final BpfContext c, final int map, final int base, final long address, final int at)
    {
        final UnsafeBuffer values = c.values[map];
        final int offset = (int)address - base;
        return PacketAccess.fits(offset, values.capacity() - 1) ?
            values.getByte(offset) & 0xffL : AnyAccess.load(c, address, 1, at);
    }

    static long load2(final BpfContext c, final int map, final int base, final long address, final int at)
    {
        final UnsafeBuffer values = c.values[map];
        final int offset = (int)address - base;
        return PacketAccess.fits(offset, values.capacity() - 2) ?
            values.getShort(offset) & 0xffffL : AnyAccess.load(c, address, 2, at);
    }

    static long load4(final BpfContext c, final int map, final int base, final long address, final int at)
    {
        final UnsafeBuffer values = c.values[map];
        final int offset = (int)address - base;
        return PacketAccess.fits(offset, values.capacity() - 4) ?
            values.getInt(offset) & 0xffff_ffffL : AnyAccess.load(c, address, 4, at);
    }

    static long load8(final BpfContext c, final int map, final int base, final long address, final int at)
    {
        final UnsafeBuffer values = c.values[map];
        final int offset = (int)address - base;
        return PacketAccess.fits(offset, values.capacity() - 8) ?
            values.getLong(offset) : AnyAccess.load(c, address, 8, at);
    }

    static void store1(
        final BpfContext c, final int map, final int base, final long address, final long value, final int at)
    {
        final UnsafeBuffer values = c.values[map];
        final int offset = (int)address - base;
        if (PacketAccess.fits(offset, values.capacity() - 1))
        {
            values.putByte(offset, (byte)value);
        }
        else
        {
            AnyAccess.store(c, address, value, 1, at);
        }
    }

    static void store2(
        final BpfContext c, final int map, final int base, final long address, final long value, final int at)
    {
        final UnsafeBuffer values = c.values[map];
        final int offset = (int)address - base;
        if (PacketAccess.fits(offset, values.capacity() - 2))
        {
            values.putShort(offset, (short)value);
        }
        else
        {
            AnyAccess.store(c, address, value, 2, at);
        }
    }

    static void store4(
        final BpfContext c, final int map, final int base, final long address, final long value, final int at)
    {
        final UnsafeBuffer values = c.values[map];
        final int offset = (int)address - base;
        if (PacketAccess.fits(offset, values.capacity() - 4))
        {
            values.putInt(offset, (int)value);
        }
        else
        {
            AnyAccess.store(c, address, value, 4, at);
        }
    }

    static void store8(
        final BpfContext c, final int map, final int base, final long address, final long value, final int at)
    {
        final UnsafeBuffer values = c.values[map];
        final int offset = (int)address - base;
        if (PacketAccess.fits(offset, values.capacity() - 8))
        {
            values.putLong(offset, value);
        }
        else
        {
            AnyAccess.store(c, address, value, 8, at);
        }
    }

    /** Atomic addition whose old value nobody asks for: counters. */
    static void add8(
        final BpfContext c, final int map, final int base, final long address, final long value, final int at)
    {
        final UnsafeBuffer values = c.values[map];
        final int offset = (int)address - base;
        if (PacketAccess.fits(offset, values.capacity() - 8) && (offset & 7) == 0)
        {
            values.getAndAddLong(offset, value);
        }
        else
        {
            AtomicAccess.update8(c, address, Opcode.ADD, value, at);
        }
    }

    static void add4(
        final BpfContext c, final int map, final int base, final long address, final long value, final int at)
    {
        final UnsafeBuffer values = c.values[map];
        final int offset = (int)address - base;
        if (PacketAccess.fits(offset, values.capacity() - 4) && (offset & 3) == 0)
        {
            values.getAndAddInt(offset, (int)value);
        }
        else
        {
            AtomicAccess.update4(c, address, Opcode.ADD, value, at);
        }
    }
}
