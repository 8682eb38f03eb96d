package io.ringtap.xdp.bpf;

import io.ringtap.xdp.bpf.map.MapAccess;
import io.ringtap.xdp.bpf.map.MapFlags;
import io.ringtap.xdp.bpf.map.QueueMap;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Our maps as user space sees the kernel's: entries by key in hexadecimal, with the values of all queues in one. */
final class Entries
{
    private Entries()
    {
    }

    /** Of a queue or a stack: what is in it, in the order of taking, and taken. Of maps of other things: nothing. */
    static SortedMap<String, byte[]> of(final BpfMap map)
    {
        final SortedMap<String, byte[]> entries = new TreeMap<>();
        if (map instanceof QueueMap queue)
        {
            final byte[] value = new byte[map.valueSize()];
            for (int i = 0; 0 == queue.pop(new UnsafeBuffer(value), 0, true); i++)
            {
                entries.put(HexFormat.of().toHexDigits(i), value.clone());
            }
        }
        else if (MapAccess.isFor(map))
        {
            MapAccess.of(map).forEach((key, values) -> entries.put(HexFormat.of().formatHex(key), joined(values)));
        }
        return entries;
    }

    private static byte[] joined(final List<byte[]> values)
    {
        final int length = values.get(0).length;
        final int stride = length + 7 & -8;
        final byte[] all = new byte[1 == values.size() ? length : stride * values.size()];
        for (int i = 0; i < values.size(); i++)
        {
            System.arraycopy(values.get(i), 0, all, i * stride, length);
        }
        return all;
    }

    /** Stores the values of all queues. */
    static void put(final BpfMap map, final byte[] key, final byte[] entry)
    {
        final MapAccess access = MapAccess.of(map);
        final List<byte[]> values = new ArrayList<>();
        final int stride = map.valueSize() + 7 & -8;
        for (int i = 0; i < access.valuesPerKey(); i++)
        {
            final byte[] value = new byte[map.valueSize()];
            System.arraycopy(entry, i * stride, value, 0, value.length);
            values.add(value);
        }
        final int result = access.putAll(key, values, MapFlags.ANY);
        if (result < 0)
        {
            throw new IllegalStateException(map + " answers " + result);
        }
    }

    /** Takes everything out; arrays become 0. */
    static void clear(final BpfMap map)
    {
        final boolean isArray = MapKind.ARRAY == map.kind() || MapKind.PERCPU_ARRAY == map.kind();
        of(map).forEach((key, value) ->
        {
            if (isArray)
            {
                put(map, HexFormat.of().parseHex(key), new byte[value.length]);
            }
            else if (MapAccess.isFor(map))
            {
                MapAccess.of(map).delete(HexFormat.of().parseHex(key));
            }
        });
    }
}
