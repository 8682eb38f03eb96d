package io.ringtap.xdp.bpf;

/** Kinds of maps that objects may declare; the numbers are enum bpf_map_type of linux/bpf.h. */
public enum MapKind
{
    /** Keys to values. */
    HASH(1),
    /** Values by index; also .data, .bss and .rodata. */
    ARRAY(2),
    /** Programs by index, for tail calls. */
    PROG_ARRAY(3),
    /** Event rings by index. */
    PERF_EVENT_ARRAY(4),
    /** Keys to values, one for each queue. */
    PERCPU_HASH(5),
    /** Values by index, one for each queue. */
    PERCPU_ARRAY(6),
    /** Keys to values; the longest unused makes room. */
    LRU_HASH(9),
    /** The same, one value for each queue. */
    LRU_PERCPU_HASH(10),
    /** Prefixes to values. */
    LPM_TRIE(11),
    /** Maps by index. */
    ARRAY_OF_MAPS(12),
    /** Keys to maps. */
    HASH_OF_MAPS(13),
    /** Ports by index. */
    DEVMAP(14),
    /** Queues by index. */
    CPUMAP(16),
    /** AF_XDP sockets by index. */
    XSKMAP(17),
    /** First in, first out. */
    QUEUE(22),
    /** Last in, first out. */
    STACK(23),
    /** Keys to ports. */
    DEVMAP_HASH(25),
    /** Records to a reader. */
    RINGBUF(27);

    private static final MapKind[] ALL = values();

    private final int number;

    MapKind(final int number)
    {
        this.number = number;
    }

    /** The kernel's number. */
    public int number()
    {
        return number;
    }

    /** The kind with the kernel's number; null when we know none. */
    public static MapKind of(final int number)
    {
        for (final MapKind kind : ALL)
        {
            if (kind.number == number)
            {
                return kind;
            }
        }
        return null;
    }
}
