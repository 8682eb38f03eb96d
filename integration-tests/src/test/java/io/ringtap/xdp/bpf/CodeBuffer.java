package io.ringtap.xdp.bpf;

import java.util.Arrays;

/** Instructions one behind the other, with jumps forward whose end is known later. */
final class CodeBuffer
{
    private long[] code = new long[512];
    private int length;

    int length()
    {
        return length;
    }

    long[] toArray()
    {
        return Arrays.copyOf(code, length);
    }

    void emit(final int opcode, final int destination, final int source, final int offset, final int immediate)
    {
        if (length == code.length)
        {
            code = Arrays.copyOf(code, 2 * length);
        }
        code[length++] = Instruction.of(opcode, destination, source, offset, immediate);
    }

    void wide(final int destination, final int source, final int low, final int high)
    {
        emit(Opcode.LDDW, destination, source, 0, low);
        emit(0, 0, 0, 0, high);
    }

    void move(final int destination, final int source)
    {
        emit(Opcode.ALU64 | Opcode.MOV | Opcode.SOURCE_REGISTER, destination, source, 0, 0);
    }

    void set(final int destination, final int number)
    {
        emit(Opcode.ALU64 | Opcode.MOV, destination, 0, 0, number);
    }

    void add(final int destination, final int number)
    {
        emit(Opcode.ALU64 | Opcode.ADD, destination, 0, 0, number);
    }

    void load(final int size, final int destination, final int base, final int offset)
    {
        emit(Opcode.LDX | Opcode.MEM | size, destination, base, offset, 0);
    }

    void store(final int size, final int base, final int offset, final int source)
    {
        emit(Opcode.STX | Opcode.MEM | size, base, source, offset, 0);
    }

    void storeNumber(final int size, final int base, final int offset, final int number)
    {
        emit(Opcode.ST | Opcode.MEM | size, base, 0, offset, number);
    }

    void call(final int helper)
    {
        emit(Opcode.CALL_INSTRUCTION, 0, 0, 0, helper);
    }

    void exit()
    {
        emit(Opcode.EXIT_INSTRUCTION, 0, 0, 0, 0);
    }

    /** @return where the jump is, for {@link #land}. */
    int jump(final int opcode, final int destination, final int source, final int immediate)
    {
        emit(opcode, destination, source, 0, immediate);
        return length - 1;
    }

    /** The jump goes here. */
    void land(final int jump)
    {
        aim(jump, length);
    }

    /** The jump goes there. */
    void aim(final int jump, final int target)
    {
        code[jump] = code[jump] & ~0xffff_0000L | (target - jump - 1 & 0xffffL) << 16;
    }

    /** The call or function pointer means what begins there. */
    void aimCall(final int call, final int target)
    {
        code[call] = Instruction.withImmediate(code[call], target - call - 1);
    }
}
