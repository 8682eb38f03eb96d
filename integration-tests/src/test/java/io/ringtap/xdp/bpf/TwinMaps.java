package io.ringtap.xdp.bpf;

import io.ringtap.it.kernel.KernelMap;
import io.ringtap.xdp.bpf.map.MapFactory;
import io.ringtap.xdp.bpf.map.MapSpec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;

/** Each map twice: in the kernel and ours, with as many queues as the kernel has processors. */
final class TwinMaps implements AutoCloseable
{
    private final List<KernelMap> kernel = new ArrayList<>();
    private final List<BpfMap> ours = new ArrayList<>();
    private final AddressSpace space = new AddressSpace();

    TwinMaps(final List<MapSpec> specs)
    {
        final MapFactory factory = new MapFactory(KernelMap.PROCESSORS);
        for (final MapSpec spec : specs)
        {
            kernel.add(KernelMap.create(spec));
            final BpfMap map = factory.create(spec);
            space.add(map);
            ours.add(map);
        }
    }

    List<KernelMap> kernel()
    {
        return kernel;
    }

    List<BpfMap> ours()
    {
        return ours;
    }

    AddressSpace space()
    {
        return space;
    }

    /** Stores an entry on both sides; with one value for each processor where the map has them. */
    void put(final int index, final byte[] key, final byte[] entry)
    {
        kernel.get(index).put(key, entry);
        Entries.put(ours.get(index), key, entry);
    }

    /** Takes out the entries that the kernel has, and whatever ours has. */
    void clear(final int index)
    {
        final KernelMap map = kernel.get(index);
        final byte[] zeros = new byte[map.entryLength()];
        final boolean isArray = MapKind.ARRAY == map.spec().kind() || MapKind.PERCPU_ARRAY == map.spec().kind();
        for (final String key : map.dump().keySet())
        {
            final byte[] bytes = HexFormat.of().parseHex(key);
            if (isArray)
            {
                map.put(bytes, zeros);
            }
            else
            {
                map.delete(bytes);
            }
        }
        Entries.clear(ours.get(index));
    }

    /** What a map of ours has else than the kernel's had; null when nothing. @param had from {@link KernelMap#dump}. */
    String difference(final int index, final SortedMap<String, byte[]> had)
    {
        final SortedMap<String, byte[]> actual = Entries.of(ours.get(index));
        final StringBuilder text = new StringBuilder();
        had.forEach((key, value) ->
        {
            final byte[] found = actual.remove(key);
            if (!Arrays.equals(value, found))
            {
                text.append("\n  ").append(key).append(": kernel ").append(hex(value)).append(", ours ")
                    .append(hex(found));
            }
        });
        actual.forEach((key, value) -> text.append("\n  ").append(key).append(": only ours, ").append(hex(value)));
        return text.isEmpty() ? null : ours.get(index) + ":" + text;
    }

    private static String hex(final byte[] bytes)
    {
        return null == bytes ? "none" : HexFormat.of().formatHex(bytes);
    }

    @Override
    public void close()
    {
        kernel.forEach(KernelMap::close);
    }
}
