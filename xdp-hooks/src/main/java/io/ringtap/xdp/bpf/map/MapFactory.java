package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.BpfMap;

/** Makes maps of what objects declare, within limits. */
public final class MapFactory
{
    /** Most queues a map may be made for. */
    public static final int MAX_QUEUES = 256;

    private final int queues;

    /** @param queues how many queues run programs with these maps: what the kernel calls possible CPUs. */
    public MapFactory(final int queues)
    {
        if (queues < 1 || queues > MAX_QUEUES)
        {
            throw new IllegalArgumentException(queues + " queues, must be 1 to " + MAX_QUEUES);
        }
        this.queues = queues;
    }

    /**
     * Makes a map.
     *
     * @throws MapException saying in one line which number is out of which limit.
     */
    public BpfMap create(final MapSpec declared)
    {
        final MapSpec spec = MapLimits.completed(declared, queues);
        MapLimits.check(spec);
        return switch (spec.kind())
        {
            case ARRAY -> new ArrayMap(spec, 0);
            case PERCPU_ARRAY -> new ArrayMap(spec, queues);
            case HASH -> hash(spec, 0, false);
            case PERCPU_HASH -> hash(spec, queues, false);
            case LRU_HASH -> hash(spec, 0, true);
            case LRU_PERCPU_HASH -> hash(spec, queues, true);
            case LPM_TRIE -> new LpmTrie(spec);
            case DEVMAP, DEVMAP_HASH, XSKMAP, CPUMAP -> new PortMap(spec);
            case PROG_ARRAY -> new ProgArrayMap(spec);
            case PERF_EVENT_ARRAY -> new PerfEventMap(spec);
            case RINGBUF -> new RingBufMap(spec);
            case QUEUE, STACK -> new QueueMap(spec);
            case ARRAY_OF_MAPS, HASH_OF_MAPS -> new MapOfMaps(spec);
        };
    }

    /** One class for each usual size of a key, so that the just-in-time compiler sees constants. */
    static HashTable hash(final MapSpec spec, final int queues, final boolean isLru)
    {
        return switch (spec.keySize())
        {
            case 4 -> new HashOf4(spec, queues, isLru);
            case 6 -> new HashOf6(spec, queues, isLru);
            case 8 -> new HashOf8(spec, queues, isLru);
            case 16 -> new HashOf16(spec, queues, isLru);
            default -> new HashOfAny(spec, queues, isLru);
        };
    }
}
