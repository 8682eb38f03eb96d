package io.ringtap.xdp.bpf;

/**
 * What a register most likely holds, in an int: a tag, and an offset or the number of a map.
 * <p>
 * Two kinds are facts: {@link #stack} (r10 and an offset) and {@link #map} (the handle of that map). All others are
 * hints about what to check first.
 */
final class RegisterKind
{
    /** No way leads here (yet). */
    static final int NONE = 0;
    static final int NUMBER = 1;
    /** Address of struct xdp_md. */
    static final int CONTEXT = 2;
    /** Address in the frame. */
    static final int PACKET = 3;
    /** Address in the stack. */
    static final int LOCAL = 4;
    /** Anything. */
    static final int UNKNOWN = 5;

    /** Offsets from r10 that are followed as a fact: more than a frame, to let programs compute. */
    static final int STACK_LIMIT = 4096;

    private static final int TAG_SHIFT = 24;
    private static final int STACK = 6;
    private static final int VALUE = 7;
    private static final int MAP = 8;
    private static final int PAYLOAD = (1 << TAG_SHIFT) - 1;

    private RegisterKind()
    {
    }

    /** r10 + offset, for certain. */
    static int stack(final int offset)
    {
        return offset < -STACK_LIMIT || offset > STACK_LIMIT ? LOCAL : STACK << TAG_SHIFT | offset + STACK_LIMIT;
    }

    static boolean isStack(final int kind)
    {
        return STACK == kind >>> TAG_SHIFT;
    }

    static int stackOffset(final int kind)
    {
        return (kind & PAYLOAD) - STACK_LIMIT;
    }

    /** Address of a value of a map. */
    static int value(final int map)
    {
        return VALUE << TAG_SHIFT | map;
    }

    static boolean isValue(final int kind)
    {
        return VALUE == kind >>> TAG_SHIFT;
    }

    /** Handle of a map, for certain. */
    static int map(final int map)
    {
        return MAP << TAG_SHIFT | map;
    }

    static boolean isMap(final int kind)
    {
        return MAP == kind >>> TAG_SHIFT;
    }

    /** The map of the two kinds that have one. */
    static int mapOf(final int kind)
    {
        return kind & PAYLOAD;
    }

    /** What is left when nobody saw what happened to it on its way: through memory or a call. */
    static int hint(final int kind)
    {
        return isStack(kind) ? LOCAL : isMap(kind) ? UNKNOWN : kind;
    }

    /** What holds on both of two ways. A number beside an address is taken for a null pointer. */
    static int join(final int a, final int b)
    {
        if (a == b || NONE == b)
        {
            return a;
        }
        if (NONE == a)
        {
            return b;
        }
        final int left = hint(a);
        final int right = hint(b);
        return left == right || NUMBER == right ? left : NUMBER == left ? right : UNKNOWN;
    }

    /** The sum of two registers. */
    static int sum(final int a, final int b)
    {
        if (NUMBER != a && NUMBER != b)
        {
            return UNKNOWN;
        }
        final int pointer = hint(NUMBER == a ? b : a);
        return CONTEXT == pointer ? UNKNOWN : pointer;
    }

    /** The sum of a register and a constant. */
    static int plus(final int kind, final int constant)
    {
        return isStack(kind) ? stack(stackOffset(kind) + clamp(constant)) : sum(kind, NUMBER);
    }

    /** The difference of two registers: from an address to another is a number. */
    static int difference(final int a, final int b)
    {
        return NUMBER == b ? sum(a, NUMBER) : NUMBER;
    }

    /** Keeps sums of offsets far from overflow. */
    private static int clamp(final int constant)
    {
        return Math.max(-1 << 20, Math.min(1 << 20, constant));
    }
}
