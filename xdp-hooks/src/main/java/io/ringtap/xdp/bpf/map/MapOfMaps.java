package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.AddressSpace;
import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.MapKind;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * ARRAY_OF_MAPS and HASH_OF_MAPS: maps by key, all alike. The control side puts them in; a lookup gives a program the
 * handle of one. A map that was put in once keeps its place among the maps that programs can reach, also when it is
 * taken out.
 */
public final class MapOfMaps extends PlainMap
{
    private final StoredMap table;
    private AddressSpace space;

    MapOfMaps(final MapSpec spec)
    {
        super(spec);
        final MapKind kind = MapKind.ARRAY_OF_MAPS == spec.kind() ? MapKind.ARRAY : MapKind.HASH;
        final MapSpec handles = MapSpec.of(spec.name(), kind, spec.keySize(), Long.BYTES, spec.maxEntries());
        table = MapKind.ARRAY == kind ? new ArrayMap(handles, 0) : MapFactory.hash(handles, 0, false);
    }

    @Override
    protected void placed(final AddressSpace where)
    {
        space = where;
    }

    /** What the maps in it are like. */
    public MapSpec inner()
    {
        return spec().inner();
    }

    /**
     * Puts a map in, which from then on programs may use.
     *
     * @throws MapException when it is unlike the others.
     */
    public void put(final byte[] key, final BpfMap map)
    {
        final MapSpec like = spec().inner();
        if (map.kind() != like.kind() || map.keySize() != like.keySize() || map.valueSize() != like.valueSize() ||
            MapKind.ARRAY == like.kind() && map.maxEntries() != like.maxEntries() && !like.has(MapFlags.INNER_MAP))
        {
            throw new MapException("map " + name() + ": " + map + " with keys of " + map.keySize() +
                ", values of " + map.valueSize() + " bytes and " + map.maxEntries() + " entries is unlike its " +
                like.kind() + " with " + like.keySize() + ", " + like.valueSize() + " and " + like.maxEntries());
        }
        if (key.length != keySize())
        {
            throw new MapException("map " + name() + ": key of " + key.length + " bytes, must be " + keySize());
        }
        if (null == space)
        {
            throw new IllegalStateException(this + " is not in an address space yet");
        }
        final UnsafeBuffer handle = new UnsafeBuffer(new byte[Long.BYTES]);
        handle.putLong(0, space.add(map));
        final int result = table.write(0, new UnsafeBuffer(key), 0, handle, 0, MapFlags.ANY);
        if (0 != result)
        {
            throw new MapException("map " + name() + ": no place for a map, " + BpfErrno.name(result) +
                "; it holds " + maxEntries() + " at most");
        }
    }

    /** Takes a map out; false when there was none. */
    public boolean remove(final byte[] key)
    {
        final UnsafeBuffer wrapped = new UnsafeBuffer(key);
        if (MapKind.HASH_OF_MAPS == kind())
        {
            return 0 == table.remove(wrapped, 0);
        }
        final int at = table.lookupOn(0, wrapped, 0);
        return MISSING != at && 0 != table.values().getAndSetLong(at, 0);
    }

    /** The map of a key; null when there is none. */
    public BpfMap get(final byte[] key)
    {
        final long handle = inner(null, new UnsafeBuffer(key), 0);
        return 0 == handle ? null : space.map(handle);
    }

    @Override
    public long inner(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        final int at = table.lookupOn(0, key, keyIndex);
        return MISSING == at ? 0 : table.values().getLongVolatile(at);
    }

    @Override
    public BpfMap scratch()
    {
        final MapOfMaps twin = new MapOfMaps(spec());
        final UnsafeBuffer key = new UnsafeBuffer(new byte[keySize()]);
        for (int place = 0; place < table.places(); place++)
        {
            // The same handles mean the doubles of the same maps there.
            for (int n = 0; MISSING != table.entryAt(place, n, key, 0); n++)
            {
                final UnsafeBuffer handle = new UnsafeBuffer(new byte[Long.BYTES]);
                handle.putLong(0, inner(null, key, 0));
                twin.table.write(0, key, 0, handle, 0, MapFlags.ANY);
            }
        }
        return twin;
    }
}
