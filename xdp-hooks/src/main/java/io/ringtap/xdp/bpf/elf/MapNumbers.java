package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.MapKind;
import io.ringtap.xdp.bpf.map.MapSpec;

/** What a map's declaration may say, as far as numbers go; what fits its kind is for the maps to judge. */
final class MapNumbers
{
    private MapNumbers()
    {
    }

    /** Why such a map cannot be made; null when it may be tried. */
    static String complaint(
        final long kind, final long keySize, final long valueSize, final long maxEntries, final long flags)
    {
        if (kind < 0 || kind > Integer.MAX_VALUE || null == MapKind.of((int)kind))
        {
            return "maps of type " + kind + " do not exist here";
        }
        final String size = range("key_size", keySize);
        if (null != size)
        {
            return size;
        }
        final String value = range("value_size", valueSize);
        if (null != value)
        {
            return value;
        }
        if (maxEntries < 0 || maxEntries > Integer.MAX_VALUE)
        {
            return "max_entries " + maxEntries + ", must be " + Integer.MAX_VALUE + " at most";
        }
        return flags < 0 || flags > Integer.MAX_VALUE ? "map_flags 0x" + Long.toHexString(flags) + " do not exist" :
            null;
    }

    private static String range(final String what, final long size)
    {
        return size < 0 || size > ObjectLimits.TYPE_BYTES ?
            what + " " + size + ", must be " + ObjectLimits.TYPE_BYTES + " at most" : null;
    }

    /**
     * How many entries a map gets whose declaration leaves it to the loader; 0 when nobody can guess.
     *
     * @param initial entries that the declaration lists.
     */
    static int entries(final MapSpec spec, final int initial, final int queues)
    {
        return switch (spec.kind())
        {
            // One for each queue, as the kernel's loader makes one for each CPU.
            case PERF_EVENT_ARRAY, CPUMAP, XSKMAP -> queues;
            case PROG_ARRAY, ARRAY_OF_MAPS, HASH_OF_MAPS -> initial;
            default -> 0;
        };
    }

    /** Bytes that a map takes, about: to refuse what would never fit before anybody tries. */
    static long bytes(final MapSpec spec, final int queues)
    {
        final boolean isPerQueue = switch (spec.kind())
        {
            case PERCPU_ARRAY, PERCPU_HASH, LRU_PERCPU_HASH -> true;
            default -> false;
        };
        final long each = (long)spec.keySize() + (spec.valueSize() + 7L) * (isPerQueue ? queues : 1);
        return MapKind.RINGBUF == spec.kind() ? spec.maxEntries() : each * spec.maxEntries();
    }
}
