package io.ringtap.sandbox;

/** Runs classic BPF as the kernel does, and refuses what the kernel's check of a filter would refuse. */
final class FilterMachine
{
    private static final int DATA_LENGTH = 64;

    private final long[] code;

    FilterMachine(final long[] code)
    {
        this.code = code;
        for (int at = 0; at < code.length; at++)
        {
            final int operation = (int)code[at] & 0xffff;
            final boolean isJump = 5 == (operation & 7);
            final int furthest = Math.max((int)(code[at] >> 16) & 0xff, (int)(code[at] >> 24) & 0xff);
            if (isJump ? at + 1 + furthest >= code.length : 0x20 == operation && (operand(at) & 3) != 0)
            {
                throw new IllegalStateException("instruction " + at);
            }
        }
        if (6 != (code[code.length - 1] & 0xffff))
        {
            throw new IllegalStateException("it does not end in an answer");
        }
    }

    int run(final int audit, final int number, final long... arguments)
    {
        int accumulator = 0;
        int at = 0;
        while (true)
        {
            final int operand = operand(at);
            final boolean isTrue = switch ((int)code[at] & 0xffff)
            {
                case 0x20 ->
                {
                    accumulator = word(operand, audit, number, arguments);
                    yield false;
                }
                case 0x06 -> true;
                case 0x15 -> accumulator == operand;
                case 0x25 -> Integer.compareUnsigned(accumulator, operand) > 0;
                case 0x35 -> Integer.compareUnsigned(accumulator, operand) >= 0;
                case 0x45 -> 0 != (accumulator & operand);
                default -> throw new IllegalStateException("instruction " + at);
            };
            if (0x06 == (code[at] & 0xffff))
            {
                return operand;
            }
            at += 1 + ((int)(code[at] >> (isTrue ? 16 : 24)) & 0xff);
        }
    }

    private int operand(final int at)
    {
        return (int)(code[at] >>> 32);
    }

    /** A word of struct seccomp_data: number, machine, where it was called from, six arguments. */
    private static int word(final int offset, final int audit, final int number, final long[] arguments)
    {
        if (offset < 0 || offset >= DATA_LENGTH)
        {
            throw new IllegalStateException("word at " + offset);
        }
        if (offset < 16)
        {
            return switch (offset)
            {
                case 0 -> number;
                case 4 -> audit;
                default -> 0;
            };
        }
        final int index = (offset - 16) / 8;
        final long argument = index < arguments.length ? arguments[index] : 0;
        return (int)(0 == offset % 8 ? argument : argument >> 32);
    }
}
