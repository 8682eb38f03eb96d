package io.ringtap.xdp.bpf;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Access to memory of a program at an address about which nothing is known. Each access is checked as a whole against
 * the bounds of the one region that its address is in; outside it aborts the program. Also the way out of the faster
 * accesses, which know what to look for first.
 * <p>
 * Loads give zero-extended numbers. Addresses have 32 bits; the upper half of a register does not count.
 */
final class AnyAccess
{
    private AnyAccess()
    {
    }

    static long load(final BpfContext context, final long address, final int width, final int at)
    {
        if (isContext(address))
        {
            return loadContext(context, address, width, at);
        }
        context.instruction = at;
        final UnsafeBuffer buffer = context.readable(address, width);
        final int index = context.index();
        return switch (width)
        {
            case 1 -> buffer.getByte(index) & 0xffL;
            case 2 -> buffer.getShort(index) & 0xffffL;
            case 4 -> buffer.getInt(index) & 0xffff_ffffL;
            default -> buffer.getLong(index);
        };
    }

    static void store(final BpfContext context, final long address, final long value, final int width, final int at)
    {
        context.instruction = at;
        final UnsafeBuffer buffer = context.writable(address, width);
        final int index = context.index();
        switch (width)
        {
            case 1 -> buffer.putByte(index, (byte)value);
            case 2 -> buffer.putShort(index, (short)value);
            case 4 -> buffer.putInt(index, (int)value);
            default -> buffer.putLong(index, value);
        }
    }

    /** Whether the address is in struct xdp_md. */
    static boolean isContext(final long address)
    {
        return PacketAccess.fits((int)address - (int)AddressSpace.CONTEXT, AddressSpace.CONTEXT_LENGTH - 1);
    }

    /** Fields of struct xdp_md are whole words; the kernel's verifier allows nothing else. */
    private static long loadContext(final BpfContext context, final long address, final int width, final int at)
    {
        final int offset = (int)address - (int)AddressSpace.CONTEXT;
        if (4 != width || (offset & 3) != 0)
        {
            throw context.fault(FaultKind.READ, "", address, width, at);
        }
        return ContextAccess.load(context, offset);
    }
}
