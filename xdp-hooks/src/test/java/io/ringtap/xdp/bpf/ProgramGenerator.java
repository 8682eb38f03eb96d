package io.ringtap.xdp.bpf;

import java.util.Arrays;
import java.util.Random;

/**
 * Random programs that the verifier accepts: all of arithmetic, memory of every kind with hits and misses, jumps both
 * ways, helpers, functions. The last thing a program does is to mix all registers into r0.
 */
final class ProgramGenerator
{
    /** Helper that mixes its arguments. */
    static final int MIX = 7;

    private static final int[] OPERATIONS = {Opcode.ADD, Opcode.SUB, Opcode.MUL, Opcode.DIV, Opcode.OR, Opcode.AND,
        Opcode.LSH, Opcode.RSH, Opcode.NEG, Opcode.MOD, Opcode.XOR, Opcode.MOV, Opcode.ARSH, Opcode.END};
    private static final int[] JUMPS = {Opcode.JEQ, Opcode.JGT, Opcode.JGE, Opcode.JSET, Opcode.JNE, Opcode.JSGT,
        Opcode.JSGE, Opcode.JLT, Opcode.JLE, Opcode.JSLT, Opcode.JSLE};
    private static final int[] ATOMICS = {Opcode.ADD, Opcode.OR, Opcode.AND, Opcode.XOR, Opcode.ADD | Opcode.FETCH,
        Opcode.OR | Opcode.FETCH, Opcode.AND | Opcode.FETCH, Opcode.XOR | Opcode.FETCH, Opcode.XCHG, Opcode.CMPXCHG};
    private static final int[] SIZES = {Opcode.B, Opcode.H, Opcode.W, Opcode.DW};
    private static final int[] ODD = {0, 1, -1, 2, 31, 32, 33, 63, 64, 255, 0x7fff, 0x8000, 0xffff,
        Integer.MAX_VALUE, Integer.MIN_VALUE, 0x1234_5678};

    private final Random random;
    private final int length;
    private final int functions;
    private final long[] code;
    private int at;

    /** @param length instructions of each function. */
    ProgramGenerator(final long seed, final int length, final int functions)
    {
        random = new Random(seed);
        this.length = length;
        this.functions = functions;
        code = new long[(2 * length + 50) * (functions + 1)];
    }

    long[] generate()
    {
        final int[] starts = new int[functions + 1];
        final boolean[] isCall = new boolean[code.length];
        for (int function = 0; function <= functions; function++)
        {
            starts[function] = at;
            final int first = at;
            begin(function);
            final int body = at;
            final int callAt = body + random.nextInt(length);
            while (at < first + length || function < functions && !calls(isCall, body))
            {
                // Each calls the next, once for certain.
                if (function < functions && (at >= callAt && !calls(isCall, body) || random.nextInt(length) == 0))
                {
                    if (random.nextInt(10) != 0)
                    {
                        move(1, 6);
                        move(2, 7);
                    }
                    isCall[at] = true;
                    emit(Opcode.CALL_INSTRUCTION, 0, Opcode.CALL_LOCAL, 0, function + 1);
                }
                else
                {
                    instruction();
                }
            }
            fixJumps(body, at);
            end();
        }
        for (int i = 0; i < at; i++)
        {
            if (isCall[i])
            {
                code[i] = Instruction.withImmediate(code[i], starts[Instruction.immediate(code[i])] - i - 1);
            }
        }
        return Arrays.copyOf(code, at);
    }

    private boolean calls(final boolean[] isCall, final int from)
    {
        boolean found = false;
        for (int i = from; i < at; i++)
        {
            found |= isCall[i];
        }
        return found;
    }

    /** Pointers of every kind where the body finds them. */
    private void begin(final int function)
    {
        if (0 == function)
        {
            move(6, 1);
            emit(Opcode.LDX | Opcode.MEM | Opcode.W, 7, 6, ContextAccess.DATA, 0);
        }
        else
        {
            move(6, 1);
            move(7, 2);
        }
        wide(8, Opcode.LDDW_MAP_VALUE, 0, 8 * random.nextInt(4));
        move(9, 10);
        emit(Opcode.ALU64 | Opcode.ADD, 9, 0, 0, -8 * (1 + random.nextInt(56)));
    }

    private void end()
    {
        for (int register = 1; register <= 9; register++)
        {
            emit(Opcode.ALU64 | Opcode.MUL, 0, 0, 0, 31);
            emit(Opcode.ALU64 | Opcode.ADD | Opcode.SOURCE_REGISTER, 0, register, 0, 0);
        }
        emit(Opcode.EXIT_INSTRUCTION, 0, 0, 0, 0);
    }

    private void instruction()
    {
        switch (random.nextInt(16))
        {
            case 0, 1, 2, 3, 4, 5 -> arithmetic();
            case 6, 7 -> load();
            case 8, 9 -> store();
            case 10 -> atomic();
            case 11, 12, 13 -> jump();
            case 14 -> wide(scratch(), Opcode.LDDW_NUMBER, number(), number());
            default -> emit(Opcode.CALL_INSTRUCTION, 0, 0, 0, MIX);
        }
    }

    private void arithmetic()
    {
        final int operation = OPERATIONS[random.nextInt(OPERATIONS.length)];
        final int kind = random.nextBoolean() ? Opcode.ALU64 : Opcode.ALU;
        final int destination = random.nextInt(90) == 0 ? 6 + random.nextInt(4) : scratch();
        if (Opcode.END == operation)
        {
            final int order = Opcode.ALU == kind && random.nextBoolean() ? Opcode.SOURCE_REGISTER : 0;
            emit(kind | operation | order, destination, 0, 0, 16 << random.nextInt(3));
            return;
        }
        if (Opcode.NEG == operation)
        {
            emit(kind | operation, destination, 0, 0, 0);
            return;
        }
        final boolean isRegister = random.nextBoolean();
        int offset = 0;
        if (Opcode.DIV == operation || Opcode.MOD == operation)
        {
            offset = random.nextInt(2);
        }
        else if (Opcode.MOV == operation && isRegister)
        {
            offset = 8 << random.nextInt(3) & (Opcode.ALU64 == kind ? 0x38 : 0x18);
            offset = random.nextBoolean() ? 0 : offset;
        }
        if (isRegister)
        {
            emit(kind | operation | Opcode.SOURCE_REGISTER, destination, random.nextInt(11), offset, 0);
        }
        else
        {
            emit(kind | operation, destination, 0, offset, number());
        }
    }

    private void load()
    {
        final int size = SIZES[random.nextInt(4)];
        final int mode = Opcode.DW != size && random.nextInt(4) == 0 ? Opcode.MEMSX : Opcode.MEM;
        final int base = base();
        final boolean isContext = 6 == base;
        emit(Opcode.LDX | (isContext ? Opcode.MEM | Opcode.W : mode | size), scratch(), base,
            isContext ? 4 * random.nextInt(6) : offset(base), 0);
    }

    private void store()
    {
        final int size = SIZES[random.nextInt(4)];
        final int base = 6 + 1 + random.nextInt(4);
        if (random.nextInt(3) == 0)
        {
            emit(Opcode.ST | Opcode.MEM | size, base, 0, offset(base), number());
        }
        else
        {
            // Spilled pointers come back by loads of 8 bytes.
            emit(Opcode.STX | Opcode.MEM | size, base, random.nextInt(11), offset(base), 0);
        }
    }

    private void atomic()
    {
        final int base = 8 + random.nextInt(3);
        final int size = random.nextBoolean() ? Opcode.DW : Opcode.W;
        final int offset = random.nextInt(60) == 0 ? offset(base) : offset(base) & -8;
        emit(Opcode.STX | Opcode.ATOMIC | size, base, scratch(), 10 == base ? Math.min(offset, -8) : offset,
            ATOMICS[random.nextInt(ATOMICS.length)]);
    }

    /** The distance is put in when the function's end is known; the immediate or nothing says how far. */
    private void jump()
    {
        if (random.nextInt(12) == 0)
        {
            emit(random.nextBoolean() ? Opcode.JA_INSTRUCTION : Opcode.GOTOL, 0, 0, 0, 0);
            // Falls into what is behind it some other way, since all code must be reached.
            emit(Opcode.ALU64 | Opcode.MOV, scratch(), 0, 0, number());
            return;
        }
        final int kind = random.nextBoolean() ? Opcode.JMP : Opcode.JMP32;
        final int operation = JUMPS[random.nextInt(JUMPS.length)];
        if (random.nextBoolean())
        {
            emit(kind | operation | Opcode.SOURCE_REGISTER, random.nextInt(11), random.nextInt(11), 0, 0);
        }
        else
        {
            emit(kind | operation, random.nextInt(11), 0, 0, number());
        }
    }

    /** Unconditional jumps go to the next instruction, so that nothing is unreachable; others anywhere near. */
    private void fixJumps(final int body, final int end)
    {
        for (int i = body; i < end; i++)
        {
            final long instruction = code[i];
            if (ControlFlow.jumps(instruction) && !ControlFlow.isGoto(Instruction.opcode(instruction)))
            {
                final boolean isBack = random.nextInt(5) == 0;
                int target = isBack ?
                    Math.max(body, i - random.nextInt(12)) : Math.min(end, i + 1 + random.nextInt(12));
                target = target > body && target < end && Instruction.isWide(code[target - 1]) ? target - 1 : target;
                code[i] = instruction | (target - i - 1 & 0xffffL) << 16;
            }
            i += Instruction.isWide(instruction) ? 1 : 0;
        }
    }

    private int base()
    {
        return 6 + random.nextInt(5);
    }

    private int offset(final int base)
    {
        final int miss = random.nextInt(150) == 0 ? 600 : 0;
        return switch (base)
        {
            case 7 -> random.nextInt(56) + miss;
            case 8 -> random.nextInt(24) + miss;
            case 9 -> random.nextInt(64) - 56 - miss;
            default -> -8 - random.nextInt(505);
        };
    }

    private int scratch()
    {
        return random.nextInt(6);
    }

    private int number()
    {
        return random.nextInt(3) == 0 ? random.nextInt() : random.nextBoolean() ?
            ODD[random.nextInt(ODD.length)] : random.nextInt(70) - 3;
    }

    private void move(final int destination, final int source)
    {
        emit(Opcode.ALU64 | Opcode.MOV | Opcode.SOURCE_REGISTER, destination, source, 0, 0);
    }

    private void wide(final int destination, final int source, final int low, final int high)
    {
        emit(Opcode.LDDW, destination, source, 0, low);
        emit(0, 0, 0, 0, high);
    }

    private void emit(
        final int opcode, final int destination, final int source, final int offset, final int immediate)
    {
        code[at++] = Instruction.of(opcode, destination, source, offset, immediate);
    }
}
