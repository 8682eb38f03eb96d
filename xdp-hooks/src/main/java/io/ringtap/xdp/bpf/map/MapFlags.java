package io.ringtap.xdp.bpf.map;

/** Flags of linux/bpf.h: of updates, and of declarations. */
public final class MapFlags
{
    /** Update: whether there is such a key or not. */
    public static final int ANY = 0;
    /** Update: only when there is no such key. */
    public static final int NOEXIST = 1;
    /** Update: only when there is such a key. */
    public static final int EXIST = 2;
    /** Update or read: under the value's bpf_spin_lock. */
    public static final int LOCK = 4;

    /** Declaration: allocate entries as they come. Memory is taken at once all the same. */
    public static final int NO_PREALLOC = 1;
    /** Declaration: an LRU list for each CPU. */
    public static final int NO_COMMON_LRU = 1 << 1;
    /** Declaration: memory of one NUMA node. */
    public static final int NUMA_NODE = 1 << 2;
    /** Declaration: the control side only reads. */
    public static final int RDONLY = 1 << 3;
    /** Declaration: the control side only writes. */
    public static final int WRONLY = 1 << 4;
    /** Declaration: hash without a seed. */
    public static final int ZERO_SEED = 1 << 6;
    /** Declaration: programs only read. */
    public static final int RDONLY_PROG = 1 << 7;
    /** Declaration: programs only write. */
    public static final int WRONLY_PROG = 1 << 8;
    /** Declaration: may be mapped into a process. */
    public static final int MMAPABLE = 1 << 10;
    /** Declaration: perf events stay when their process ends. */
    public static final int PRESERVE_ELEMS = 1 << 11;
    /** Declaration: an inner map whose size may differ. */
    public static final int INNER_MAP = 1 << 12;

    private MapFlags()
    {
    }
}
