package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.map.BpfErrno;
import io.ringtap.xdp.bpf.map.MapAccess;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Entries of a map as people read and type them. */
public final class MapView
{
    private final String place;
    private final MapAccess access;
    private final BtfValue keys;
    private final BtfValue values;

    MapView(final String object, final BpfMap map, final BtfValue keys, final BtfValue values)
    {
        place = object + ": map " + map.name();
        if (!MapAccess.isFor(map))
        {
            throw new ObjectException(place + " (" + map.kind() + ") holds no values that could be shown");
        }
        access = MapAccess.of(map);
        this.keys = keys;
        this.values = values;
    }

    /**
     * Entries as trees of {@code key} and {@code value}, or {@code values} where each queue has its own.
     *
     * @param limit    most entries.
     * @param isSparse whether to leave out those of which every byte is 0, as most of an array.
     */
    public List<Map<String, Object>> entries(final int limit, final boolean isSparse)
    {
        final List<Map<String, Object>> entries = new ArrayList<>();
        for (final byte[] key : access.keys(Integer.MAX_VALUE))
        {
            final List<byte[]> all = access.getAll(key);
            if (entries.size() == limit)
            {
                break;
            }
            if (null != all && !(isSparse && all.stream().allMatch(MapView::isZero)))
            {
                entries.add(tree(key, all));
            }
        }
        return entries;
    }

    /**
     * The entry of a key; null when there is none.
     *
     * @throws ObjectException when the text is no key.
     */
    public Map<String, Object> get(final String key)
    {
        final byte[] bytes = parse(keys, "key", key);
        final List<byte[]> all = access.getAll(bytes);
        return null == all ? null : tree(bytes, all);
    }

    /**
     * Stores a value, for all queues where each has its own.
     *
     * @throws ObjectException when a text is no key or value, or the map does not take it.
     */
    public void put(final String key, final String value)
    {
        final int result = access.put(parse(keys, "key", key), parse(values, "value", value));
        if (0 != result)
        {
            throw new ObjectException(place + ": key " + key + " is not taken: " + BpfErrno.name(result));
        }
    }

    /**
     * Removes a key.
     *
     * @throws ObjectException when the text is no key, or there is none such.
     */
    public void delete(final String key)
    {
        final int result = access.delete(parse(keys, "key", key));
        if (0 != result)
        {
            throw new ObjectException(place + ": key " + key + " is not removed: " + BpfErrno.name(result));
        }
    }

    private byte[] parse(final BtfValue type, final String what, final String text)
    {
        try
        {
            return type.parse(text);
        }
        catch (final ObjectException failure)
        {
            throw failure.in(place + ": " + what);
        }
    }

    private Map<String, Object> tree(final byte[] key, final List<byte[]> all)
    {
        final Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("key", keys.tree(new UnsafeBuffer(key), 0));
        if (1 == access.valuesPerKey())
        {
            tree.put("value", values.tree(new UnsafeBuffer(all.get(0)), 0));
        }
        else
        {
            tree.put("values", all.stream().map((each) -> values.tree(new UnsafeBuffer(each), 0)).toList());
        }
        return tree;
    }

    private static boolean isZero(final byte[] bytes)
    {
        for (final byte each : bytes)
        {
            if (0 != each)
            {
                return false;
            }
        }
        return true;
    }
}
