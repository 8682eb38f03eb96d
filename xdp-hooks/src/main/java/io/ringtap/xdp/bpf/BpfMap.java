package io.ringtap.xdp.bpf;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A map as programs see it: memory of values that they may address, and three operations by key.
 * <p>
 * Keys and all that holds the map together lie outside {@link #values()}, where no program can reach them. Queues use a
 * map at the same time; an implementation allocates nothing in these operations. Programs of one object address the
 * same memory, so an offset stays good as long as the map lives: a value that is deleted while someone holds its
 * offset shows another entry later, as in the kernel's preallocated maps.
 */
public abstract class BpfMap
{
    /** Instead of an offset: there is no such key. */
    public static final int MISSING = -1;

    private final String name;
    private final MapKind kind;
    private final int keySize;
    private final int valueSize;
    private final int maxEntries;
    private final boolean readOnly;

    /** @param readOnly whether programs may only read the values (BPF_F_RDONLY_PROG, .rodata). */
    protected BpfMap(
        final String name,
        final MapKind kind,
        final int keySize,
        final int valueSize,
        final int maxEntries,
        final boolean readOnly)
    {
        this.name = name;
        this.kind = kind;
        this.keySize = keySize;
        this.valueSize = valueSize;
        this.maxEntries = maxEntries;
        this.readOnly = readOnly;
    }

    public final String name()
    {
        return name;
    }

    public final MapKind kind()
    {
        return kind;
    }

    /** Bytes of a key. */
    public final int keySize()
    {
        return keySize;
    }

    /** Bytes of a value as the program knows it; entries may lie further apart. */
    public final int valueSize()
    {
        return valueSize;
    }

    public final int maxEntries()
    {
        return maxEntries;
    }

    /** Whether programs may only read the values. */
    public final boolean isReadOnly()
    {
        return readOnly;
    }

    /**
     * The memory of all values, the same object as long as the map lives, of at least 8 bytes; null when programs
     * cannot address values of this kind. Aligned to 8 bytes and off the heap, since programs use atomics on it.
     */
    public abstract UnsafeBuffer values();

    /**
     * Finds a value.
     *
     * @param key buffer with {@link #keySize()} bytes at {@code keyIndex}, already checked.
     * @return its offset in {@link #values()} or {@link #MISSING}.
     */
    public abstract int lookup(BpfContext context, UnsafeBuffer key, int keyIndex);

    /**
     * Stores a value.
     *
     * @return 0 or a negative errno, as bpf_map_update_elem.
     */
    public abstract int update(
        BpfContext context, UnsafeBuffer key, int keyIndex, UnsafeBuffer value, int valueIndex, long flags);

    /**
     * Removes a key.
     *
     * @return 0 or a negative errno, as bpf_map_delete_elem.
     */
    public abstract int delete(BpfContext context, UnsafeBuffer key, int keyIndex);

    /**
     * For maps whose 32-bit key counts entries in {@link #values()} (arrays): bytes from one entry to the next. The
     * compiler then looks up without a call: offset = queue * {@link #queueStride()} + key * stride. 0 for all others.
     */
    public int stride()
    {
        return 0;
    }

    /** Bytes from one queue's entries to the next queue's; 0 when queues share them. */
    public int queueStride()
    {
        return 0;
    }

    /** For PROG_ARRAY: the program of a slot; null when the slot is empty, or when this is no such map. */
    public ProgramCode program(final int index)
    {
        return null;
    }

    /**
     * For maps of maps, where a lookup yields a map instead of memory.
     *
     * @return its {@link AddressSpace#handle handle} or 0 when there is no such key.
     */
    public long inner(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        return 0;
    }

    /**
     * A small, empty map of the same kind and sizes, for programs to practise on while the just-in-time compiler looks:
     * nothing done to it may show anywhere. Null when there is none, and then programs with this map are not warmed up.
     */
    public BpfMap scratch()
    {
        return null;
    }

    /** The map has a place in a space: what maps of maps remember, whose entries need places there as well. */
    protected void placed(final AddressSpace space)
    {
        // Most maps do not care.
    }

    @Override
    public String toString()
    {
        return kind + " " + name;
    }
}
