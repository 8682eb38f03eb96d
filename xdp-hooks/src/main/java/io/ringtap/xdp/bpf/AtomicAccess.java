package io.ringtap.xdp.bpf;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The atomic operations of RFC 9669 section 5.3, on map values and on the stack. Truly atomic, and ordered as the
 * kernel orders those that fetch: other queues run the same program on the same values. As in the kernel the address
 * must be a multiple of the width, and frames and context are no place for them.
 * <p>
 * Each returns what was there before; of 32 bits zero-extended.
 */
final class AtomicAccess
{
    private AtomicAccess()
    {
    }

    /** All operations but the compare-and-exchange. */
    static long update8(
        final BpfContext context, final long address, final int operation, final long operand, final int at)
    {
        final UnsafeBuffer buffer = target(context, address, 8, at);
        final int index = context.index();
        if (Opcode.XCHG == operation)
        {
            return buffer.getAndSetLong(index, operand);
        }
        if (Opcode.ADD == (operation & ~Opcode.FETCH))
        {
            return buffer.getAndAddLong(index, operand);
        }
        long old = buffer.getLongVolatile(index);
        while (true)
        {
            final long seen = buffer.compareAndExchangeLong(index, old, combine(operation, old, operand));
            if (seen == old)
            {
                return old;
            }
            old = seen;
        }
    }

    static long update4(
        final BpfContext context, final long address, final int operation, final long operand, final int at)
    {
        final UnsafeBuffer buffer = target(context, address, 4, at);
        final int index = context.index();
        if (Opcode.XCHG == operation)
        {
            return buffer.getAndSetInt(index, (int)operand) & 0xffff_ffffL;
        }
        if (Opcode.ADD == (operation & ~Opcode.FETCH))
        {
            return buffer.getAndAddInt(index, (int)operand) & 0xffff_ffffL;
        }
        int old = buffer.getIntVolatile(index);
        while (true)
        {
            final int seen = buffer.compareAndExchangeInt(index, old, (int)combine(operation, old, operand));
            if (seen == old)
            {
                return old & 0xffff_ffffL;
            }
            old = seen;
        }
    }

    static long compareAndExchange8(
        final BpfContext context, final long address, final long expected, final long value, final int at)
    {
        final UnsafeBuffer buffer = target(context, address, 8, at);
        return buffer.compareAndExchangeLong(context.index(), expected, value);
    }

    static long compareAndExchange4(
        final BpfContext context, final long address, final long expected, final long value, final int at)
    {
        final UnsafeBuffer buffer = target(context, address, 4, at);
        return buffer.compareAndExchangeInt(context.index(), (int)expected, (int)value) & 0xffff_ffffL;
    }

    private static long combine(final int operation, final long a, final long b)
    {
        return switch (operation & ~Opcode.FETCH)
        {
            case Opcode.OR -> a | b;
            case Opcode.AND -> a & b;
            default -> a ^ b;
        };
    }

    private static UnsafeBuffer target(final BpfContext context, final long address, final int width, final int at)
    {
        context.instruction = at;
        final boolean isInFrame = ((int)address & 0xc000_0000) == (int)AddressSpace.PACKET;
        if ((address & width - 1) != 0 || isInFrame)
        {
            throw context.fault(FaultKind.ATOMIC, "", address, width, at);
        }
        return context.writable(address, width);
    }
}
