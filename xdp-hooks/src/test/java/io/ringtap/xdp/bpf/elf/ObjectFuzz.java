package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.helper.StandardHelpers;

import java.util.List;

/**
 * Fuzz target: object files. Whatever is in one, the loader says no in one line or loads what is safe. Found by name,
 * run by {@code FuzzIT}.
 */
public final class ObjectFuzz
{
    private ObjectFuzz()
    {
    }

    /** The target. */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        try
        {
            load(data);
        }
        catch (final ObjectException refused)
        {
            if (1 != refused.getMessage().lines().count())
            {
                throw new IllegalStateException("not one line: " + refused.getMessage(), refused);
            }
        }
    }

    /** Inputs to begin with. */
    public static List<byte[]> seeds()
    {
        return SampleObjects.all();
    }

    /** Whether any program passed; each value of each map that came up is shown on the way. */
    static boolean load(final byte[] bytes)
    {
        final BpfObject object = BpfObject.read(bytes, "fuzz.o");
        // As a guest's backend with little memory would: a map of a gigabyte is not what is tested here.
        object.maps().stream().filter((map) -> !map.isGlobal() && map.spec().maxEntries() > 1024)
            .forEach((map) -> object.maxEntries(map.name(), 64));
        final LoadedObject loaded = object.load(2, StandardHelpers.all());
        loaded.maps().forEach((map) ->
        {
            if (null != map.values() && map.valueSize() < 1 << 16)
            {
                loaded.values(map.name()).tree(map.values(), 0);
            }
        });
        object.variables().stream().filter((each) -> each.size() < 1 << 16).forEach((each) -> loaded.get(each.name()));
        return !loaded.verified().isEmpty();
    }
}
