package io.ringtap.xdp.bpf;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random XDP programs that the kernel's verifier accepts, nearly all of them: every register has a kind that it keeps
 * from statement to statement. r0 to r5 and r9 are numbers, r6 the context, r7 the frame with so many bytes behind it
 * checked, r8 a map's value; 64 bytes of the stack are numbers too. The last thing is to store all numbers in the map.
 */
final class KernelProgramGenerator
{
    static final int CONTEXT = 6;
    static final int FRAME = 7;
    static final int VALUE = 8;
    static final int COUNTER = 9;
    static final int STACK = 10;
    /** Bytes of the stack that are numbers. */
    static final int STACK_BYTES = 64;
    /** Bytes of the one value behind r8, and how many of them statements use. */
    static final int VALUE_BYTES = 256;
    static final int VALUE_USED = 128;

    private static final int MOST_FUNCTIONS = 3;
    private static final int SPILL = -72;

    private final Random random;
    private final CodeBuffer code = new CodeBuffer();
    private final PlainStatements plain;
    private final HelperStatements helpers;
    private final List<Integer> starts = new ArrayList<>();
    /** Jumps to where a function ends since its frame is too short. */
    private final List<Integer> tooShort = new ArrayList<>();
    /** Calls and the function that each calls. */
    private final List<int[]> calls = new ArrayList<>();
    private final int frameBytes;
    private final int functions;
    private final boolean hasCallback;
    private boolean hasFrame;
    private boolean isLooping;
    private int function;

    KernelProgramGenerator(final long seed)
    {
        random = new Random(seed);
        plain = new PlainStatements(random, code);
        frameBytes = 14 + random.nextInt(27);
        functions = Math.max(0, random.nextInt(MOST_FUNCTIONS + 3) - 2);
        hasCallback = functions > 0 && random.nextInt(3) == 0;
        helpers = new HelperStatements(random, code, this::reloadFrame);
    }

    long[] generate(final int statements)
    {
        for (function = 0; function <= functions; function++)
        {
            starts.add(code.length());
            begin();
            block(function == 0 ? statements : 1 + random.nextInt(6), 0);
            // Each calls the next, or nobody would; callbacks are the last function.
            if (function < functions && calls.stream().noneMatch(call -> call[1] == function + 1))
            {
                callNext();
            }
            end();
        }
        calls.forEach(call -> code.aimCall(call[0], starts.get(call[1])));
        return code.toArray();
    }

    /** Where functions begin. */
    int[] starts()
    {
        return starts.stream().mapToInt(Integer::intValue).toArray();
    }

    private boolean isCallback()
    {
        return hasCallback && function == functions;
    }

    private void begin()
    {
        hasFrame = !isCallback();
        code.set(COUNTER, plain.number());
        if (hasFrame)
        {
            code.move(CONTEXT, 1);
            reloadFrame();
        }
        else
        {
            code.set(CONTEXT, 0);
            code.set(FRAME, 0);
        }
        code.wide(VALUE, Opcode.LDDW_MAP_VALUE, HelperStatements.VALUES, 0);
        for (int i = 8; i <= STACK_BYTES; i += 8)
        {
            code.storeNumber(Opcode.DW, STACK, -i, plain.number());
        }
        code.set(0, plain.number());
        plain.renew(1, 5);
    }

    /** Makes r7 good again after something moved the frame's ends; spoils r1 and r2. */
    private void reloadFrame()
    {
        if (!hasFrame)
        {
            return;
        }
        code.load(Opcode.W, FRAME, CONTEXT, ContextAccess.DATA);
        code.load(Opcode.W, 1, CONTEXT, ContextAccess.DATA_END);
        code.move(2, FRAME);
        code.add(2, frameBytes);
        tooShort.add(code.jump(Opcode.JMP | Opcode.JGT | Opcode.SOURCE_REGISTER, 2, 1, 0));
        plain.renew(1, 2);
    }

    private void end()
    {
        final int at = 0 == function ? VALUE_USED : VALUE_USED + 56;
        for (int register = 0; register < 6; register++)
        {
            code.store(Opcode.DW, VALUE, at + 8 * register, register);
        }
        code.store(Opcode.DW, VALUE, at + 48, COUNTER);
        if (isCallback())
        {
            code.emit(Opcode.ALU64 | Opcode.AND, 0, 0, 0, 1);
        }
        else if (0 == function && random.nextInt(4) != 0)
        {
            code.emit(Opcode.ALU64 | Opcode.AND, 0, 0, 0, 3);
        }
        code.exit();
        if (!tooShort.isEmpty())
        {
            tooShort.forEach(code::land);
            tooShort.clear();
            code.set(0, 0 == function ? 2 : 1);
            code.exit();
        }
    }

    private void block(final int statements, final int depth)
    {
        for (int i = 0; i < statements; i++)
        {
            statement(depth);
        }
    }

    private void statement(final int depth)
    {
        switch (random.nextInt(28))
        {
            case 0, 1, 2, 3, 4, 5, 6 -> plain.arithmetic(isLooping);
            case 7, 8 -> plain.valueAccess();
            case 9 -> plain.valueAtNumber();
            case 10, 11 -> plain.stackAccess();
            case 12, 13 -> plain.atomic();
            case 14 -> plain.wideNumber();
            case 15, 16 -> frameAccess();
            case 17 -> frameAtNumber();
            case 18 -> spill(depth);
            case 19, 20, 21 -> branch(depth);
            case 22 -> loop(depth);
            case 23 -> callNext();
            default -> helpers.statement(hasFrame, !isCallback());
        }
    }

    private void frameAccess()
    {
        if (hasFrame)
        {
            plain.frameAccess(frameBytes);
        }
    }

    private void frameAtNumber()
    {
        if (hasFrame)
        {
            plain.frameAtNumber();
        }
    }

    /** A pointer goes through the stack and comes back. */
    private void spill(final int depth)
    {
        final int register = hasFrame && random.nextBoolean() ? FRAME : VALUE;
        code.store(Opcode.DW, STACK, SPILL, register);
        for (int i = random.nextInt(3); i > 0 && depth < 3; i--)
        {
            plain.arithmetic(isLooping);
        }
        code.load(Opcode.DW, register, STACK, SPILL);
    }

    private void branch(final int depth)
    {
        if (depth > 2)
        {
            plain.arithmetic(isLooping);
            return;
        }
        final int over = plain.condition();
        block(1 + random.nextInt(4), depth + 1);
        if (random.nextBoolean())
        {
            final int out = code.jump(Opcode.JA_INSTRUCTION, 0, 0, 0);
            code.land(over);
            block(1 + random.nextInt(3), depth + 1);
            code.land(out);
        }
        else
        {
            code.land(over);
        }
    }

    private void loop(final int depth)
    {
        if (isLooping || depth > 1)
        {
            return;
        }
        isLooping = true;
        code.set(COUNTER, 0);
        final int top = code.length();
        for (int i = 1 + random.nextInt(5); i > 0; i--)
        {
            switch (random.nextInt(5))
            {
                case 0 -> plain.valueAccess();
                case 1 -> plain.stackAccess();
                default -> plain.arithmetic(true);
            }
        }
        code.add(COUNTER, 1);
        final int back = code.jump(Opcode.JMP | Opcode.JLT, COUNTER, 0, 2 + random.nextInt(6));
        code.aim(back, top);
        isLooping = false;
    }

    private void callNext()
    {
        if (function == functions)
        {
            return;
        }
        if (hasCallback && function + 1 == functions)
        {
            code.set(1, random.nextInt(10));
            calls.add(new int[]{code.length(), functions});
            code.wide(2, Opcode.LDDW_FUNCTION, 0, 0);
            code.set(3, 0);
            code.set(4, random.nextInt(12) == 0 ? 1 : 0);
            code.call(HelperStatements.LOOP);
            plain.renew(1, 5);
            return;
        }
        code.move(1, CONTEXT);
        calls.add(new int[]{code.length(), function + 1});
        code.emit(Opcode.CALL_INSTRUCTION, 0, Opcode.CALL_LOCAL, 0, 0);
        plain.renew(1, 5);
        // It may have moved the frame's ends.
        reloadFrame();
    }
}
