package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.MapKind;

/** Judges declarations: the kernel's rules for each kind of map, and our limits on memory. */
final class MapLimits
{
    /** A key lies in the stack of a function. */
    static final int MAX_KEY = 512;
    /** Most bytes of one value in a map with keys. */
    static final int MAX_VALUE = 1 << 20;
    /** Most entries of a map whose memory is taken for each. */
    static final int MAX_ENTRIES = 1 << 26;
    /** Most entries of maps of programs, maps and events. */
    static final int MAX_OBJECTS = 1 << 16;
    /** Bits that count, and up to 256 bytes of data. */
    private static final int MAX_PREFIX_KEY = 4 + 256;
    private static final int PAGE = 4096;
    private static final int MAX_RING = 1 << 28;

    private static final int ACCESS = MapFlags.RDONLY | MapFlags.WRONLY;
    private static final int PLACE = MapFlags.NUMA_NODE | ACCESS;

    private MapLimits()
    {
    }

    /** The declaration with what an object may leave open: entries of what there is one of for each queue. */
    static MapSpec completed(final MapSpec spec, final int queues)
    {
        return switch (spec.kind())
        {
            case PERF_EVENT_ARRAY, CPUMAP -> 0 == spec.maxEntries() ? spec.withMaxEntries(queues) : spec;
            default -> spec;
        };
    }

    static void check(final MapSpec spec)
    {
        switch (spec.kind())
        {
            case ARRAY -> array(spec, MapFlags.RDONLY_PROG | MapFlags.MMAPABLE | MapFlags.PRESERVE_ELEMS |
                MapFlags.INNER_MAP);
            case PERCPU_ARRAY -> array(spec, MapFlags.RDONLY_PROG | MapFlags.INNER_MAP);
            case HASH, PERCPU_HASH -> keyed(
                spec, 1, MAX_KEY, MapFlags.RDONLY_PROG | MapFlags.NO_PREALLOC | MapFlags.ZERO_SEED);
            case LRU_HASH, LRU_PERCPU_HASH -> keyed(
                spec, 1, MAX_KEY, MapFlags.RDONLY_PROG | MapFlags.NO_COMMON_LRU | MapFlags.ZERO_SEED);
            case LPM_TRIE -> trie(spec);
            case DEVMAP, DEVMAP_HASH, XSKMAP, CPUMAP -> ports(spec);
            case PROG_ARRAY, PERF_EVENT_ARRAY -> objects(spec, 4, 4, MapFlags.PRESERVE_ELEMS);
            case ARRAY_OF_MAPS -> maps(spec, 4, 4);
            case HASH_OF_MAPS -> maps(spec, 1, MAX_KEY);
            case QUEUE, STACK -> queue(spec);
            case RINGBUF ->
            {
                flags(spec, MapFlags.NUMA_NODE);
                within(spec, "key size", spec.keySize(), 0, 0);
                within(spec, "value size", spec.valueSize(), 0, 0);
                ring(spec, spec.maxEntries(), MAX_RING);
            }
            default -> throw complaint(spec, "is of a kind without limits");
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

    /** The size of a ring of records. */
    static void ring(final MapSpec spec, final int bytes, final int most)
    {
        if (bytes < PAGE || bytes > most || Integer.bitCount(bytes) != 1)
        {
            throw complaint(spec, "a ring of " + Integer.toUnsignedString(bytes) +
                " bytes, must be a power of two from " + PAGE + " to " + most);
        }
    }

    private static void array(final MapSpec spec, final int flags)
    {
        flags(spec, PLACE | flags);
        within(spec, "key size", spec.keySize(), 4, 4);
        within(spec, "value size", spec.valueSize(), 1, (int)MapMemory.MAX_BYTES);
        within(spec, "max_entries", spec.maxEntries(), 1, (int)MapMemory.MAX_BYTES / Long.BYTES);
    }

    private static void keyed(final MapSpec spec, final int leastKey, final int mostKey, final int flags)
    {
        flags(spec, PLACE | flags);
        within(spec, "key size", spec.keySize(), leastKey, mostKey);
        within(spec, "value size", spec.valueSize(), 1, MAX_VALUE);
        within(spec, "max_entries", spec.maxEntries(), 1, MAX_ENTRIES);
    }

    private static void trie(final MapSpec spec)
    {
        keyed(spec, 5, MAX_PREFIX_KEY, MapFlags.RDONLY_PROG | MapFlags.NO_PREALLOC);
        if (!spec.has(MapFlags.NO_PREALLOC))
        {
            throw complaint(spec, "flags 0x" + Integer.toHexString(spec.flags()) + ", must have BPF_F_NO_PREALLOC 0x1");
        }
    }

    private static void ports(final MapSpec spec)
    {
        final boolean isSocket = MapKind.XSKMAP == spec.kind();
        final boolean isCpu = MapKind.CPUMAP == spec.kind();
        flags(spec, isCpu ? MapFlags.NUMA_NODE : PLACE);
        within(spec, "key size", spec.keySize(), 4, 4);
        if (4 != spec.valueSize() && (isSocket || 8 != spec.valueSize()))
        {
            throw complaint(spec, "value size " + spec.valueSize() + ", must be " + (isSocket ? "4" : "4 or 8"));
        }
        within(spec, "max_entries", spec.maxEntries(), 1, MAX_OBJECTS);
    }

    private static void objects(final MapSpec spec, final int leastKey, final int mostKey, final int flags)
    {
        flags(spec, PLACE | flags);
        within(spec, "key size", spec.keySize(), leastKey, mostKey);
        within(spec, "value size", spec.valueSize(), 4, 4);
        within(spec, "max_entries", spec.maxEntries(), 1, MAX_OBJECTS);
    }

    private static void maps(final MapSpec spec, final int leastKey, final int mostKey)
    {
        objects(spec, leastKey, mostKey, MapFlags.NO_PREALLOC);
        if (null == spec.inner())
        {
            throw complaint(spec, "does not say what the maps in it are like");
        }
        if (null != spec.inner().inner())
        {
            throw complaint(spec, "holds maps of maps");
        }
        check(spec.inner());
    }

    private static void queue(final MapSpec spec)
    {
        flags(spec, PLACE);
        within(spec, "key size", spec.keySize(), 0, 0);
        within(spec, "value size", spec.valueSize(), 1, MAX_VALUE);
        within(spec, "max_entries", spec.maxEntries(), 1, MAX_ENTRIES);
    }

    private static void flags(final MapSpec spec, final int allowed)
    {
        final int others = spec.flags() & ~allowed;
        if (0 != others)
        {
            throw complaint(spec, "flags 0x" + Integer.toHexString(others) + " are not for this kind");
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
