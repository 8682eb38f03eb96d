package io.ringtap.xdp.bpf;

import java.util.Random;

/** Statements without helpers, each of which leaves every register with the kind that it had. */
final class PlainStatements
{
    private static final int[] OPERATIONS = {Opcode.ADD, Opcode.SUB, Opcode.MUL, Opcode.DIV, Opcode.OR, Opcode.AND,
        Opcode.LSH, Opcode.RSH, Opcode.NEG, Opcode.MOD, Opcode.XOR, Opcode.MOV, Opcode.ARSH, Opcode.END};
    private static final int[] JUMPS = {Opcode.JEQ, Opcode.JGT, Opcode.JGE, Opcode.JSET, Opcode.JNE, Opcode.JSGT,
        Opcode.JSGE, Opcode.JLT, Opcode.JLE, Opcode.JSLT, Opcode.JSLE};
    private static final int[] ATOMICS = {Opcode.ADD, Opcode.OR, Opcode.AND, Opcode.XOR, Opcode.ADD | Opcode.FETCH,
        Opcode.OR | Opcode.FETCH, Opcode.AND | Opcode.FETCH, Opcode.XOR | Opcode.FETCH, Opcode.XCHG, Opcode.CMPXCHG};
    private static final int[] SIZES = {Opcode.B, Opcode.H, Opcode.W, Opcode.DW};
    private static final int[] NUMBERS = {0, 1, 2, 3, 4, 5, KernelProgramGenerator.COUNTER};
    private static final int[] ODD = {1, -1, 2, 31, 32, 33, 63, 64, 255, 0x7fff, 0x8000, 0xffff, Integer.MAX_VALUE,
        Integer.MIN_VALUE, 0x1234_5678};

    private final Random random;
    private final CodeBuffer code;

    PlainStatements(final Random random, final CodeBuffer code)
    {
        this.random = random;
        this.code = code;
    }

    int number()
    {
        return switch (random.nextInt(4))
        {
            case 0 -> random.nextInt();
            case 1 -> ODD[random.nextInt(ODD.length)];
            default -> random.nextInt(70) - 3;
        };
    }

    /** Gives registers numbers again, after what spoils them. */
    void renew(final int first, final int last)
    {
        for (int register = first; register <= last; register++)
        {
            if (random.nextInt(3) == 0)
            {
                code.move(register, KernelProgramGenerator.COUNTER);
            }
            else
            {
                code.set(register, number());
            }
        }
    }

    private int any()
    {
        return NUMBERS[random.nextInt(NUMBERS.length)];
    }

    /** @param keepsCounter whether r9 counts a loop. */
    void arithmetic(final boolean keepsCounter)
    {
        final int operation = OPERATIONS[random.nextInt(OPERATIONS.length)];
        final int kind = random.nextBoolean() ? Opcode.ALU64 : Opcode.ALU;
        final int destination = keepsCounter ? random.nextInt(6) : any();
        switch (operation)
        {
            case Opcode.END ->
            {
                final int order = Opcode.ALU == kind && random.nextBoolean() ? Opcode.SOURCE_REGISTER : 0;
                code.emit(kind | operation | order, destination, 0, 0, 16 << random.nextInt(3));
            }
            case Opcode.NEG -> code.emit(kind | operation, destination, 0, 0, 0);
            case Opcode.MOV -> move(kind, destination);
            default -> binary(kind, operation, destination);
        }
    }

    private void move(final int kind, final int destination)
    {
        if (random.nextBoolean())
        {
            code.emit(kind | Opcode.MOV, destination, 0, 0, number());
            return;
        }
        final int bits = random.nextBoolean() ? 0 : 8 << random.nextInt(Opcode.ALU64 == kind ? 3 : 2);
        code.emit(kind | Opcode.MOV | Opcode.SOURCE_REGISTER, destination, any(), bits, 0);
    }

    private void binary(final int kind, final int operation, final int destination)
    {
        final boolean isDivision = Opcode.DIV == operation || Opcode.MOD == operation;
        final boolean isShift = Opcode.LSH == operation || Opcode.RSH == operation || Opcode.ARSH == operation;
        final int signed = isDivision ? random.nextInt(2) : 0;
        if (random.nextBoolean())
        {
            code.emit(kind | operation | Opcode.SOURCE_REGISTER, destination, any(), signed, 0);
            return;
        }
        int immediate = number();
        if (isShift)
        {
            immediate = random.nextInt(Opcode.ALU64 == kind ? 64 : 32);
        }
        else if (isDivision && 0 == immediate)
        {
            immediate = -1;
        }
        code.emit(kind | operation, destination, 0, signed, immediate);
    }

    void wideNumber()
    {
        code.wide(random.nextInt(6), Opcode.LDDW_NUMBER, number(), number());
    }

    /** @return a jump that must land somewhere. */
    int condition()
    {
        final int kind = random.nextBoolean() ? Opcode.JMP : Opcode.JMP32;
        final int operation = JUMPS[random.nextInt(JUMPS.length)];
        return random.nextBoolean() ?
            code.jump(kind | operation | Opcode.SOURCE_REGISTER, any(), any(), 0) :
            code.jump(kind | operation, any(), 0, number());
    }

    private void access(final int base, final int first, final int length, final boolean isAligned)
    {
        final int size = SIZES[random.nextInt(SIZES.length)];
        final int width = Opcode.width(size);
        final int at = first + random.nextInt(length - width + 1);
        final int offset = isAligned ? at & -width : at;
        switch (random.nextInt(4))
        {
            case 0 -> code.storeNumber(size, base, offset, number());
            case 1 -> code.store(size, base, offset, any());
            case 2 -> code.emit(Opcode.LDX | (Opcode.DW == size ? Opcode.MEM : Opcode.MEMSX) | size, random.nextInt(6),
                base, offset, 0);
            default -> code.load(size, random.nextInt(6), base, offset);
        }
    }

    void stackAccess()
    {
        access(KernelProgramGenerator.STACK, -KernelProgramGenerator.STACK_BYTES, KernelProgramGenerator.STACK_BYTES,
            true);
    }

    void valueAccess()
    {
        access(KernelProgramGenerator.VALUE, 0, KernelProgramGenerator.VALUE_USED, false);
    }

    void frameAccess(final int checked)
    {
        access(KernelProgramGenerator.FRAME, 0, checked, false);
    }

    void atomic()
    {
        final boolean isStack = random.nextInt(3) == 0;
        final int base = isStack ? KernelProgramGenerator.STACK : KernelProgramGenerator.VALUE;
        final int size = random.nextBoolean() ? Opcode.DW : Opcode.W;
        final int offset = isStack ?
            -8 * (1 + random.nextInt(KernelProgramGenerator.STACK_BYTES / 8)) :
            Opcode.width(size) * random.nextInt(KernelProgramGenerator.VALUE_USED / Opcode.width(size));
        code.emit(Opcode.STX | Opcode.ATOMIC | size, base, random.nextInt(6), offset,
            ATOMICS[random.nextInt(ATOMICS.length)]);
    }

    /** Access where a number says. */
    void valueAtNumber()
    {
        final int at = random.nextInt(3);
        final int pointer = 3 + random.nextInt(3);
        code.move(at, any());
        code.emit(Opcode.ALU64 | Opcode.AND, at, 0, 0, 63);
        code.move(pointer, KernelProgramGenerator.VALUE);
        code.emit(Opcode.ALU64 | Opcode.ADD | Opcode.SOURCE_REGISTER, pointer, at, 0, 0);
        if (random.nextBoolean())
        {
            code.load(SIZES[random.nextInt(4)], at, pointer, random.nextInt(32));
        }
        else
        {
            code.store(SIZES[random.nextInt(4)], pointer, random.nextInt(32), at);
        }
        code.set(pointer, number());
    }

    /** Access where a number says, after asking whether the frame goes so far. */
    void frameAtNumber()
    {
        final int width = 1 << random.nextInt(4);
        final int offset = random.nextInt(6);
        code.move(1, any());
        code.emit(Opcode.ALU64 | Opcode.AND, 1, 0, 0, random.nextBoolean() ? 63 : 255);
        code.move(2, KernelProgramGenerator.FRAME);
        code.emit(Opcode.ALU64 | Opcode.ADD | Opcode.SOURCE_REGISTER, 2, 1, 0, 0);
        code.load(Opcode.W, 3, KernelProgramGenerator.CONTEXT, ContextAccess.DATA_END);
        code.move(4, 2);
        code.add(4, width + offset);
        final int over = code.jump(Opcode.JMP | Opcode.JGT | Opcode.SOURCE_REGISTER, 4, 3, 0);
        final int size = SIZES[Integer.numberOfTrailingZeros(width)];
        if (random.nextBoolean())
        {
            code.load(size, 5, 2, offset);
        }
        else
        {
            code.store(size, 2, offset, 5);
        }
        code.land(over);
        renew(2, 4);
    }
}
