package io.ringtap.xdp.bpf.map;


/** Judges declarations: the kernel's rules for each kind of map, in the order a reader would look. */
final class MapLimits
{
    /** A key lies in the stack of a function. */
    static final int MAX_KEY = 512;
    /** Most bytes of one value in a map with keys. */
    static final int MAX_VALUE = 1 << 20;

    private static final int ACCESS = MapFlags.RDONLY | MapFlags.WRONLY | MapFlags.RDONLY_PROG;
    private static final int PLACE = MapFlags.NUMA_NODE | ACCESS;

    private MapLimits()
    {
    }

    static void check(final MapSpec spec)
    {
        switch (spec.kind())
        {
            case ARRAY -> array(spec, MapFlags.MMAPABLE | MapFlags.PRESERVE_ELEMS | MapFlags.INNER_MAP);
            case PERCPU_ARRAY -> array(spec, MapFlags.INNER_MAP);
            case HASH, PERCPU_HASH -> hash(spec, MapFlags.NO_PREALLOC | MapFlags.ZERO_SEED);
            case LRU_HASH, LRU_PERCPU_HASH -> hash(spec, MapFlags.NO_COMMON_LRU | MapFlags.ZERO_SEED);
            default ->
            {
                // The others have no rules beyond their factory's.
            }
        }
        if (null != spec.content() && spec.content().length > spec.valueSize())
        {
            throw complaint(spec, "content has " + spec.content().length + " bytes, a value " + spec.valueSize());
        }
        if (spec.lockOffset() != MapSpec.NO_LOCK &&
            (spec.lockOffset() < 0 || (spec.lockOffset() & 3) != 0 || spec.lockOffset() > spec.valueSize() - 4))
        {
            throw complaint(spec, "lock at " + spec.lockOffset() + " is not aligned in a value of " +
                spec.valueSize() + " bytes");
        }
    }

    private static void array(final MapSpec spec, final int flags)
    {
        flags(spec, PLACE | flags);
        within(spec, "key size", spec.keySize(), 4, 4);
        within(spec, "value size", spec.valueSize(), 1, (int)MapMemory.MAX_BYTES);
        within(spec, "max_entries", spec.maxEntries(), 1, (int)MapMemory.MAX_BYTES);
    }

    private static void hash(final MapSpec spec, final int flags)
    {
        flags(spec, PLACE | flags);
        within(spec, "key size", spec.keySize(), 1, MAX_KEY);
        within(spec, "value size", spec.valueSize(), 1, MAX_VALUE);
        within(spec, "max_entries", spec.maxEntries(), 1, (int)MapMemory.MAX_BYTES / 16);
    }

    private static void flags(final MapSpec spec, final int allowed)
    {
        final int others = spec.flags() & ~allowed;
        if (0 != others)
        {
            throw complaint(spec, "flags 0x" + Integer.toHexString(others) + " are not for " + spec.kind());
        }
    }

    private static void within(
        final MapSpec spec, final String what, final int value, final int least, final int most)
    {
        if (value < least || value > most)
        {
            throw complaint(spec, what + " " + Integer.toUnsignedString(value) + ", must be " +
                (least == most ? String.valueOf(least) : least + " to " + most));
        }
    }

    private static MapException complaint(final MapSpec spec, final String what)
    {
        return new MapException("map " + spec.name() + " (" + spec.kind() + "): " + what);
    }
}
