package io.ringtap.sandbox;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Seccomp;

import java.util.ArrayList;
import java.util.List;

/** Writes classic BPF (linux/filter.h) instruction by instruction: a word of the call is loaded, compared, answered. */
final class FilterCode
{
    private static final int LOAD = 0x20;
    private static final int IF_EQUAL = 0x15;
    private static final int IF_GREATER = 0x25;
    private static final int IF_AT_LEAST = 0x35;
    private static final int IF_ANY_BIT = 0x45;
    private static final int RETURN = 0x06;
    /** A jump's distance is a byte. */
    private static final int MAX_JUMP = 255;

    private final List<Long> code = new ArrayList<>();

    /** Loads the low half of an argument: all that the kernel looks at where an int is meant. */
    FilterCode loadArgument(final int index)
    {
        return load(Seccomp.ARGUMENTS + index * Long.BYTES);
    }

    FilterCode load(final int offset)
    {
        return add(LOAD, 0, 0, offset);
    }

    FilterCode allow()
    {
        return add(RETURN, 0, 0, Seccomp.ALLOW);
    }

    FilterCode refuse()
    {
        return refuse(Errno.EPERM);
    }

    FilterCode refuse(final int errno)
    {
        return add(RETURN, 0, 0, Seccomp.ERRNO | errno);
    }

    FilterCode kill()
    {
        return add(RETURN, 0, 0, Seccomp.KILL_PROCESS);
    }

    /** The next instruction is for this value only. */
    FilterCode onlyIf(final int value)
    {
        return add(IF_EQUAL, 0, 1, value);
    }

    /** The next instruction is for every other value. */
    FilterCode unless(final int value)
    {
        return add(IF_EQUAL, 1, 0, value);
    }

    /** The next instruction is for values that are greater, without a sign. */
    FilterCode onlyAbove(final int value)
    {
        return add(IF_GREATER, 0, 1, value);
    }

    /** The next instruction is for values that have one of the bits. */
    FilterCode onlyWith(final int bits)
    {
        return add(IF_ANY_BIT, 0, 1, bits);
    }

    /** Allows a range of values. */
    FilterCode allow(final int first, final int last)
    {
        if (first == last)
        {
            return onlyIf(first).allow();
        }
        return add(IF_AT_LEAST, 0, 2, first).add(IF_GREATER, 1, 0, last).allow();
    }

    /** The other code is for this value only; it ends in an answer. */
    FilterCode onlyIf(final int value, final FilterCode other)
    {
        add(IF_EQUAL, 0, other.code.size(), value);
        code.addAll(other.code);
        return this;
    }

    long[] toArray()
    {
        return code.stream().mapToLong(Long::longValue).toArray();
    }

    private FilterCode add(final int operation, final int ifTrue, final int ifFalse, final int operand)
    {
        if (ifTrue > MAX_JUMP || ifFalse > MAX_JUMP)
        {
            throw new IllegalStateException("jump over " + Math.max(ifTrue, ifFalse) + " instructions");
        }
        // struct sock_filter: 16 bits of operation, a byte for each way, 32 bits of operand.
        code.add((long)operand << 32 | (long)ifFalse << 24 | (long)ifTrue << 16 | operation);
        return this;
    }
}
