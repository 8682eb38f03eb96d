package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.MapKind;

import java.util.Arrays;

/**
 * A map as an object declares it: numbers from a file, not yet believed.
 *
 * @param name       for people, and to find it by.
 * @param kind       what it is.
 * @param keySize    bytes of a key; 0 where there are none.
 * @param valueSize  bytes of a value; 0 where there are none.
 * @param maxEntries most entries; bytes of the ring for RINGBUF. 0 for what has one entry a queue.
 * @param flags      as in {@link MapFlags}.
 * @param extra      map_extra of linux/bpf.h.
 * @param inner      what the maps in a map of maps are like; else null.
 * @param content    first bytes of .data, .bss and .rodata, in one value; null when all are 0.
 * @param lockOffset where a value has its struct bpf_spin_lock; -1 when it has none.
 */
public record MapSpec(
    String name,
    MapKind kind,
    int keySize,
    int valueSize,
    int maxEntries,
    int flags,
    long extra,
    MapSpec inner,
    byte[] content,
    int lockOffset)
{
    /** No struct bpf_spin_lock in the values. */
    public static final int NO_LOCK = -1;

    /** Keeps a copy of the content. */
    public MapSpec
    {
        content = null == content ? null : content.clone();
    }

    /** Without a lock in the values. */
    public MapSpec(
        final String name,
        final MapKind kind,
        final int keySize,
        final int valueSize,
        final int maxEntries,
        final int flags,
        final long extra,
        final MapSpec inner,
        final byte[] content)
    {
        this(name, kind, keySize, valueSize, maxEntries, flags, extra, inner, content, NO_LOCK);
    }

    /** A map of numbers alone. */
    public static MapSpec of(
        final String name, final MapKind kind, final int keySize, final int valueSize, final int maxEntries)
    {
        return new MapSpec(name, kind, keySize, valueSize, maxEntries, 0, 0, null, null);
    }

    /** The same with other flags. */
    public MapSpec withFlags(final int other)
    {
        return new MapSpec(name, kind, keySize, valueSize, maxEntries, other, extra, inner, content, lockOffset);
    }

    /** The same with another number of entries. */
    public MapSpec withMaxEntries(final int other)
    {
        return new MapSpec(name, kind, keySize, valueSize, other, flags, extra, inner, content, lockOffset);
    }

    /** Whether one of the flags is set. */
    boolean has(final int flag)
    {
        return (flags & flag) != 0;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof MapSpec that && name.equals(that.name) && kind == that.kind &&
            keySize == that.keySize && valueSize == that.valueSize && maxEntries == that.maxEntries &&
            flags == that.flags && extra == that.extra && lockOffset == that.lockOffset &&
            (null == inner ? null == that.inner : inner.equals(that.inner)) && Arrays.equals(content, that.content);
    }

    @Override
    public int hashCode()
    {
        return name.hashCode() * 31 + kind.hashCode();
    }
}
