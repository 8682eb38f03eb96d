package io.ringtap.capture;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.List;

/**
 * A program of the classic packet filter, as {@code tcpdump -ddd} prints it: says how much of a frame to keep, 0 for
 * none. It is checked once, so that it always ends and reads nothing but the frame: jumps lead forward only, every
 * load is compared with the frame's length, and a frame that is too short for one is not kept, as in the kernel.
 */
public final class PacketFilter implements FrameFilter
{
    /** BPF_MAXINSNS of linux/bpf_common.h. */
    public static final int MAX_INSTRUCTIONS = 4096;

    private static final int SCRATCH = 16;

    // linux/bpf_common.h: class, size or operation, mode or source.
    private static final int LD = 0x00;
    private static final int LDX = 0x01;
    private static final int ST = 0x02;
    private static final int STX = 0x03;
    private static final int ALU = 0x04;
    private static final int JMP = 0x05;
    private static final int RET = 0x06;
    private static final int MISC = 0x07;
    private static final int CLASS = 0x07;
    private static final int SIZE = 0x18;
    private static final int MODE = 0xe0;
    private static final int OPERATION = 0xf0;
    private static final int IS_X = 0x08;
    private static final int WORD = 0x00;
    private static final int HALF = 0x08;
    private static final int BYTE = 0x10;
    private static final int IMM = 0x00;
    private static final int ABS = 0x20;
    private static final int IND = 0x40;
    private static final int MEM = 0x60;
    private static final int LEN = 0x80;
    private static final int MSH = 0xa0;
    private static final int JA = 0x00;
    private static final int RET_A = 0x10;
    private static final int TXA = 0x80;
    private static final int DIV = 0x30;
    private static final int MOD = 0x90;
    private static final int MAX_SHIFT = 31;

    private final int[] codes;
    private final int[] ifTrue;
    private final int[] ifFalse;
    private final int[] constants;
    private final int[] scratch = new int[SCRATCH];

    private PacketFilter(final int count)
    {
        codes = new int[count];
        ifTrue = new int[count];
        ifFalse = new int[count];
        constants = new int[count];
    }

    /**
     * Reads what {@code tcpdump -ddd} prints: how many instructions, then code, two jumps and a constant of each.
     *
     * @throws IllegalArgumentException when it is not such a program, or not a safe one.
     */
    public static PacketFilter parse(final String text)
    {
        final List<String> lines = text.lines().map(String::strip).filter((line) -> !line.isEmpty()).toList();
        final long count = lines.isEmpty() ? 0 : number(lines.get(0));
        if (count < 1 || count > MAX_INSTRUCTIONS || count != lines.size() - 1)
        {
            throw new IllegalArgumentException(
                "it does not begin with the number of its instructions, 1 to " + MAX_INSTRUCTIONS);
        }
        final PacketFilter filter = new PacketFilter((int)count);
        for (int i = 0; i < count; i++)
        {
            final String[] fields = lines.get(i + 1).split("\\s+");
            if (4 != fields.length)
            {
                throw wrong(i, "it has not four numbers");
            }
            filter.codes[i] = (int)number(fields[0]);
            filter.ifTrue[i] = (int)number(fields[1]);
            filter.ifFalse[i] = (int)number(fields[2]);
            filter.constants[i] = (int)number(fields[3]);
        }
        for (int i = 0; i < count; i++)
        {
            filter.verify(i);
        }
        if (RET != (filter.codes[(int)count - 1] & CLASS))
        {
            throw wrong((int)count - 1, "the last one does not return");
        }
        return filter;
    }

    private static long number(final String text)
    {
        if (!text.matches("[0-9]{1,10}") || Long.parseLong(text) > 0xFFFF_FFFFL)
        {
            throw new IllegalArgumentException("not a number of 32 bits: " +
                text.substring(0, Math.min(40, text.length())).replaceAll("\\p{Cntrl}", " "));
        }
        return Long.parseLong(text);
    }

    private void verify(final int i)
    {
        final int code = codes[i];
        if (0 != (code & ~0xff) || !isKnown(code))
        {
            throw wrong(i, "code " + Integer.toUnsignedString(code) + " is unknown");
        }
        final int kind = code & CLASS;
        final boolean isMemory = ST == kind || STX == kind || (LD == kind || LDX == kind) && MEM == (code & MODE);
        if (isMemory && (constants[i] < 0 || constants[i] >= SCRATCH))
        {
            throw wrong(i, "there are " + SCRATCH + " words of memory");
        }
        if (ALU == kind && isDivision(code) && 0 == (code & IS_X) && 0 == constants[i])
        {
            throw wrong(i, "it divides by 0");
        }
        if (JMP == kind)
        {
            final long farthest = JA == (code & OPERATION) ? Integer.toUnsignedLong(constants[i]) :
                Math.max(ifTrue[i], ifFalse[i]);
            if (ifTrue[i] < 0 || ifFalse[i] < 0 || i + 1 + farthest >= codes.length)
            {
                throw wrong(i, "it jumps out of the program");
            }
        }
    }

    private static boolean isDivision(final int code)
    {
        return DIV == (code & OPERATION) || MOD == (code & OPERATION);
    }

    private static boolean isKnown(final int code)
    {
        final int mode = code & MODE;
        final int size = code & SIZE;
        final boolean isWord = WORD == size && (IMM == mode || MEM == mode || LEN == mode);
        return switch (code & CLASS)
        {
            case LD -> SIZE != size && (ABS == mode || IND == mode) || isWord;
            case LDX -> isWord || BYTE == size && MSH == mode;
            case ST, STX -> code == (code & CLASS);
            case ALU -> (code & OPERATION) <= 0xa0;
            case JMP -> (code & OPERATION) <= 0x40 && (JA != (code & OPERATION) || JMP == code);
            case RET -> RET == code || (RET | RET_A) == code;
            default -> MISC == code || (MISC | TXA) == code;
        };
    }

    private static IllegalArgumentException wrong(final int index, final String why)
    {
        return new IllegalArgumentException("instruction " + index + ": " + why);
    }

    @Override
    public boolean wants(
        final UnsafeBuffer buffer,
        final int offset,
        final int captured,
        final int length,
        final int direction,
        final int queue)
    {
        return 0 != run(buffer, offset, captured, length);
    }

    /**
     * One thread at a time.
     *
     * @param length of the frame, as far as it is there.
     * @param whole  length of the frame as it was.
     * @return bytes to keep; 0 for none of it.
     */
    public int run(final DirectBuffer frame, final int offset, final int length, final int whole)
    {
        int a = 0;
        int x = 0;
        for (int i = 0; i < codes.length; i++)
        {
            final int code = codes[i];
            final int k = constants[i];
            final int with = 0 == (code & IS_X) ? k : x;
            switch (code & CLASS)
            {
                case LD, LDX ->
                {
                    final long value = load(code, k, x, frame, offset, length, whole);
                    if (value < 0)
                    {
                        return 0;
                    }
                    a = LD == (code & CLASS) ? (int)value : a;
                    x = LDX == (code & CLASS) ? (int)value : x;
                }
                case ST -> scratch[k] = a;
                case STX -> scratch[k] = x;
                case ALU ->
                {
                    if (0 == with && isDivision(code))
                    {
                        return 0;
                    }
                    a = compute(code & OPERATION, a, with);
                }
                case JMP -> i += jump(code, k, a, with, i);
                case RET ->
                {
                    return 0 == (code & RET_A) ? k : a;
                }
                default ->
                {
                    if (0 == (code & TXA))
                    {
                        x = a;
                    }
                    else
                    {
                        a = x;
                    }
                }
            }
        }
        return 0;
    }

    /** @return the value, or -1 when the frame does not reach so far. */
    private long load(
        final int code, final int k, final int x, final DirectBuffer frame, final int offset, final int length,
        final int whole)
    {
        final int mode = code & MODE;
        if (IMM == mode || MEM == mode || LEN == mode)
        {
            return Integer.toUnsignedLong(IMM == mode ? k : MEM == mode ? scratch[k] : whole);
        }
        final long at = Integer.toUnsignedLong(k) + (IND == mode ? Integer.toUnsignedLong(x) : 0);
        final int size = WORD == (code & SIZE) ? Integer.BYTES : HALF == (code & SIZE) ? Short.BYTES : Byte.BYTES;
        if (at + size > length)
        {
            return -1;
        }
        final int from = offset + (int)at;
        if (MSH == mode)
        {
            return (frame.getByte(from) & 0xf) << 2;
        }
        return switch (size)
        {
            case Integer.BYTES -> Integer.toUnsignedLong(frame.getInt(from, ByteOrder.BIG_ENDIAN));
            case Short.BYTES -> frame.getShort(from, ByteOrder.BIG_ENDIAN) & 0xFFFF;
            default -> frame.getByte(from) & 0xFF;
        };
    }

    private static int compute(final int operation, final int a, final int by)
    {
        final boolean isFar = Integer.compareUnsigned(by, MAX_SHIFT) > 0;
        return switch (operation)
        {
            case 0x00 -> a + by;
            case 0x10 -> a - by;
            case 0x20 -> a * by;
            case DIV -> Integer.divideUnsigned(a, by);
            case 0x40 -> a | by;
            case 0x50 -> a & by;
            case 0x60 -> isFar ? 0 : a << by;
            case 0x70 -> isFar ? 0 : a >>> by;
            case 0x80 -> -a;
            case MOD -> Integer.remainderUnsigned(a, by);
            default -> a ^ by;
        };
    }

    private int jump(final int code, final int k, final int a, final int with, final int i)
    {
        final int order = Integer.compareUnsigned(a, with);
        return switch (code & OPERATION)
        {
            case JA -> k;
            case 0x10 -> 0 == order ? ifTrue[i] : ifFalse[i];
            case 0x20 -> 0 < order ? ifTrue[i] : ifFalse[i];
            case 0x30 -> 0 <= order ? ifTrue[i] : ifFalse[i];
            default -> 0 != (a & with) ? ifTrue[i] : ifFalse[i];
        };
    }
}
