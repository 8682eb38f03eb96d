package io.ringtap.xdp.bpf;

import java.util.Random;
import java.util.Set;

/**
 * Statements that call helpers with maps, with the frame and with bytes of the stack; among the arguments are those
 * that helpers answer with an error number. Only helpers whose answer does not depend on the moment.
 */
final class HelperStatements
{
    /** The maps of every program, by index. */
    static final int VALUES = 0;
    static final int HASH = 1;
    static final int ARRAY = 2;
    static final int QUEUE_ARRAY = 3;
    static final int QUEUE_HASH = 4;
    static final int LRU = 5;
    static final int TRIE = 6;
    static final int PROGRAMS = 7;
    static final int FIFO = 8;

    static final int LOOKUP = 1;
    static final int UPDATE = 2;
    static final int DELETE = 3;
    static final int PROCESSOR = 8;
    static final int TAIL_CALL = 12;
    static final int REDIRECT = 23;
    static final int CSUM_DIFF = 28;
    static final int ADJUST_HEAD = 44;
    static final int ADJUST_META = 54;
    static final int ADJUST_TAIL = 65;
    static final int PUSH = 87;
    static final int POP = 88;
    static final int PEEK = 89;
    static final int LOOP = 181;
    static final int BUFFER_LENGTH = 188;
    static final int LOAD_BYTES = 189;
    static final int STORE_BYTES = 190;
    /** All of them: programs that call others cannot be compared. */
    static final Set<Integer> ALL = Set.of(LOOKUP, UPDATE, DELETE, PROCESSOR, TAIL_CALL, REDIRECT, CSUM_DIFF,
        ADJUST_HEAD, ADJUST_META, ADJUST_TAIL, PUSH, POP, PEEK, LOOP, BUFFER_LENGTH, LOAD_BYTES, STORE_BYTES);

    /** Values of all keyed maps but the trie's. */
    static final int VALUE_SIZE = 16;

    private static final int[] KEYED = {HASH, ARRAY, QUEUE_ARRAY, QUEUE_HASH, LRU, TRIE};
    private static final int[] HEADS = {-4, -14, -20, 4, 8, 14, -216, -217, 300, 1, -1, 0, 2000};
    private static final int[] TAILS = {0, -4, -40, 4, 40, 100, 3000, 3500, -1000, 1};
    private static final int[] METAS = {-4, -8, -32, 0, 4, -3, -36, -216, -220, -252, -256};
    private static final int KEY = -16;
    private static final int BYTES = -64;

    private final Random random;
    private final CodeBuffer code;
    private final PlainStatements plain;
    private final Runnable reloadFrame;

    /** @param reloadFrame makes r7 good again. */
    HelperStatements(final Random random, final CodeBuffer code, final Runnable reloadFrame)
    {
        this.random = random;
        this.code = code;
        this.reloadFrame = reloadFrame;
        plain = new PlainStatements(random, code);
    }

    /** @param maysTailCall whether this is a place for it. */
    void statement(final boolean hasFrame, final boolean maysTailCall)
    {
        switch (random.nextInt(hasFrame ? 15 : 9))
        {
            case 0, 1, 2 -> lookup();
            case 3, 4 -> update();
            case 5 -> delete();
            case 6 -> fifo();
            case 7 -> checksum();
            case 8 -> small(maysTailCall && hasFrame);
            case 9, 10 -> adjust();
            case 11, 12 -> bytes();
            case 13 ->
            {
                code.move(1, KernelProgramGenerator.CONTEXT);
                code.call(BUFFER_LENGTH);
                plain.renew(1, 5);
            }
            default -> lookup();
        }
    }

    private int keyed()
    {
        return KEYED[random.nextInt(KEYED.length)];
    }

    private void key(final int map)
    {
        if (TRIE == map)
        {
            code.storeNumber(Opcode.W, KernelProgramGenerator.STACK, KEY, random.nextInt(34));
            code.storeNumber(Opcode.W, KernelProgramGenerator.STACK, KEY + 4,
                random.nextInt(4) * 0x0101_0101 + random.nextInt(2));
        }
        else if (random.nextBoolean())
        {
            code.storeNumber(Opcode.DW, KernelProgramGenerator.STACK, KEY, random.nextInt(10));
        }
        else
        {
            code.move(1, random.nextInt(6));
            code.emit(Opcode.ALU64 | Opcode.AND, 1, 0, 0, 7);
            code.store(Opcode.DW, KernelProgramGenerator.STACK, KEY, 1);
        }
    }

    private void pointer(final int register, final int offset)
    {
        code.move(register, KernelProgramGenerator.STACK);
        code.add(register, offset);
    }

    private void map(final int map)
    {
        code.wide(1, Opcode.LDDW_MAP, map, 0);
    }

    private void lookup()
    {
        final int map = keyed();
        key(map);
        map(map);
        pointer(2, KEY);
        code.call(LOOKUP);
        final int over = code.jump(Opcode.JMP | Opcode.JEQ, 0, 0, 0);
        final int size = TRIE == map ? 8 : VALUE_SIZE;
        for (int i = random.nextInt(3); i >= 0; i--)
        {
            final int offset = random.nextInt(size - 7);
            switch (random.nextInt(5))
            {
                case 0 -> code.storeNumber(Opcode.W, 0, offset, plain.number());
                case 1 -> code.load(Opcode.DW, 1, 0, offset);
                case 2 -> code.emit(Opcode.STX | Opcode.ATOMIC | Opcode.DW, 0, KernelProgramGenerator.COUNTER,
                    offset & -8, Opcode.ADD);
                case 3 -> code.store(Opcode.H, 0, offset, KernelProgramGenerator.COUNTER);
                default -> code.load(Opcode.B, 1, 0, offset);
            }
        }
        code.load(Opcode.DW, 0, 0, 0);
        code.land(over);
        plain.renew(1, 5);
    }

    private void update()
    {
        final int map = keyed();
        key(map);
        map(map);
        pointer(2, KEY);
        pointer(3, random.nextBoolean() ? BYTES : BYTES + 24);
        code.set(4, random.nextInt(8) == 0 ? 3 + random.nextInt(6) : random.nextInt(3));
        code.call(UPDATE);
        plain.renew(1, 5);
    }

    private void delete()
    {
        final int map = keyed();
        key(map);
        map(map);
        pointer(2, KEY);
        code.call(DELETE);
        plain.renew(1, 5);
    }

    private void fifo()
    {
        map(FIFO);
        pointer(2, BYTES);
        switch (random.nextInt(4))
        {
            case 0 -> code.call(POP);
            case 1 -> code.call(PEEK);
            default ->
            {
                code.set(3, random.nextInt(3) == 0 ? random.nextInt(4) : 0);
                code.call(PUSH);
            }
        }
        plain.renew(1, 5);
    }

    private void checksum()
    {
        code.move(5, random.nextInt(5));
        pointer(1, BYTES);
        code.set(2, 4 * random.nextInt(9));
        pointer(3, BYTES + 32);
        code.set(4, random.nextInt(12) == 0 ? 3 : 4 * random.nextInt(9));
        code.call(CSUM_DIFF);
        plain.renew(1, 5);
    }

    private void small(final boolean maysTailCall)
    {
        switch (random.nextInt(4))
        {
            case 0 -> code.call(PROCESSOR);
            case 1 ->
            {
                code.set(1, 1);
                code.set(2, random.nextInt(2));
                code.call(REDIRECT);
            }
            default ->
            {
                if (!maysTailCall)
                {
                    return;
                }
                code.move(1, KernelProgramGenerator.CONTEXT);
                code.wide(2, Opcode.LDDW_MAP, PROGRAMS, 0);
                code.set(3, random.nextInt(12) == 0 ? random.nextInt(2) : random.nextInt(8) + 2);
                code.call(TAIL_CALL);
                code.set(0, plain.number());
            }
        }
        plain.renew(1, 5);
    }

    private void adjust()
    {
        code.move(1, KernelProgramGenerator.CONTEXT);
        switch (random.nextInt(3))
        {
            case 0 ->
            {
                code.set(2, HEADS[random.nextInt(HEADS.length)]);
                code.call(ADJUST_HEAD);
            }
            case 1 ->
            {
                code.set(2, TAILS[random.nextInt(TAILS.length)]);
                code.call(ADJUST_TAIL);
            }
            default ->
            {
                code.set(2, METAS[random.nextInt(METAS.length)]);
                code.call(ADJUST_META);
            }
        }
        plain.renew(1, 5);
        reloadFrame.run();
    }

    private void bytes()
    {
        code.move(1, KernelProgramGenerator.CONTEXT);
        code.set(2, random.nextInt(8) == 0 ? plain.number() : random.nextInt(120));
        pointer(3, BYTES);
        code.set(4, 1 + random.nextInt(KernelProgramGenerator.STACK_BYTES));
        final boolean isStore = random.nextBoolean();
        code.call(isStore ? STORE_BYTES : LOAD_BYTES);
        plain.renew(1, 5);
    }
}
