package io.ringtap.xdp.bpf;

import java.util.Arrays;

/**
 * What is known about registers at one point of a function: the kind of what they hold ({@link RegisterKind}), how many
 * low bits may be other than 0, and what kind of numbers lie on the function's stack.
 * <p>
 * Bits are facts: a register with 32 or fewer needs no zero-extension, and two with 63 or fewer compare alike signed
 * and unsigned.
 */
final class RegisterState
{
    static final int REGISTERS = 11;
    private static final int SLOTS = AddressSpace.FRAME_LENGTH / 8;

    private final int[] kinds = new int[REGISTERS];
    private final int[] bits = new int[REGISTERS];
    private final int[] slots = new int[SLOTS];

    /** What holds at the beginning of a function, when nothing is known of its arguments but their kinds. */
    static RegisterState atEntry(final int[] argumentKinds)
    {
        final RegisterState state = new RegisterState();
        Arrays.fill(state.kinds, RegisterKind.NUMBER);
        Arrays.fill(state.slots, RegisterKind.UNKNOWN);
        for (int i = 1; i <= 5; i++)
        {
            state.set(i, argumentKinds[i], 64);
        }
        state.set(10, RegisterKind.stack(0), 32);
        return state;
    }

    RegisterState copy()
    {
        final RegisterState copy = new RegisterState();
        copy.assign(this);
        return copy;
    }

    void assign(final RegisterState other)
    {
        System.arraycopy(other.kinds, 0, kinds, 0, REGISTERS);
        System.arraycopy(other.bits, 0, bits, 0, REGISTERS);
        System.arraycopy(other.slots, 0, slots, 0, SLOTS);
    }

    int kind(final int register)
    {
        return kinds[register];
    }

    int bits(final int register)
    {
        return bits[register];
    }

    void set(final int register, final int kind, final int bitCount)
    {
        kinds[register] = kind;
        bits[register] = Math.min(64, bitCount);
    }

    /** What kind of number 8 bytes of the stack hold, by their offset from r10. */
    int slot(final int offset)
    {
        final int from = offset + AddressSpace.FRAME_LENGTH;
        return from >= 0 && from <= AddressSpace.FRAME_LENGTH - 8 && (from & 7) == 0 ?
            slots[from >> 3] :
            RegisterKind.UNKNOWN;
    }

    /** A store to the stack. */
    void slot(final int offset, final int kind, final int width)
    {
        final int from = offset + AddressSpace.FRAME_LENGTH;
        if (from < 0 || from + width > AddressSpace.FRAME_LENGTH)
        {
            return;
        }
        final int stored = 8 == width && (from & 7) == 0 ? RegisterKind.hint(kind) : RegisterKind.UNKNOWN;
        slots[from >> 3] = stored;
        slots[from + width - 1 >> 3] = stored;
    }

    /**
     * Adds what holds on another way to the same point.
     *
     * @return whether less is known than before.
     */
    boolean join(final RegisterState other)
    {
        boolean changed = false;
        for (int i = 0; i < REGISTERS; i++)
        {
            final int kind = RegisterKind.join(kinds[i], other.kinds[i]);
            final int bitCount = Math.max(bits[i], other.bits[i]);
            changed |= kind != kinds[i] || bitCount != bits[i];
            kinds[i] = kind;
            bits[i] = bitCount;
        }
        for (int i = 0; i < SLOTS; i++)
        {
            final int kind = RegisterKind.join(slots[i], other.slots[i]);
            changed |= kind != slots[i];
            slots[i] = kind;
        }
        return changed;
    }
}
