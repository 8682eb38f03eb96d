package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.MapKind;
import io.ringtap.xdp.bpf.map.MapSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads declarations of maps in a {@code maps} section, as they were before BTF: one struct for each symbol.
 * <pre>
 *  0 type    4 key size    8 value size    12 entries    16 flags      struct bpf_map_def, 20 bytes
 * 20 id     24 pinning                                                 the same of aya, 28 bytes
 * 28 inner id     32 inner index                                       struct bpf_elf_map of iproute2, 36 bytes
 * </pre>
 */
final class LegacyMaps
{
    private static final int LENGTH = 20;
    private static final int AYA_LENGTH = 28;
    private static final int IPROUTE2_LENGTH = 36;

    private LegacyMaps()
    {
    }

    static List<MapDefinition> read(final ElfFile elf, final ElfSection section)
    {
        final Map<Long, String> names = new TreeMap<>();
        for (final ElfSymbol symbol : elf.symbols())
        {
            if (symbol.section() == section.index() && symbol.type() <= ElfSymbol.OBJECT && !symbol.name().isEmpty())
            {
                names.putIfAbsent(symbol.value(), symbol.name());
            }
        }
        if (names.isEmpty() && section.size() > 0)
        {
            throw new ObjectException("section maps: no symbol names its maps; do not strip symbols");
        }
        final List<Long> starts = List.copyOf(names.keySet());
        final List<MapDefinition> maps = new ArrayList<>();
        for (int i = 0; i < starts.size(); i++)
        {
            final long end = i + 1 < starts.size() ? starts.get(i + 1) : section.size();
            final String name = names.get(starts.get(i));
            maps.add(read(section.content().slice(starts.get(i), end - starts.get(i), "map " + name), name, section,
                starts.get(i)));
        }
        return maps;
    }

    private static MapDefinition read(
        final FileBytes bytes, final String name, final ElfSection section, final long offset)
    {
        if (bytes.length() < LENGTH)
        {
            throw new ObjectException("map " + name + ": declared by " + bytes.length() + " bytes, must be " + LENGTH +
                " at least");
        }
        String complaint = MapNumbers.complaint(
            bytes.u32(0), bytes.u32(4), bytes.u32(8), bytes.u32(12), bytes.u32(16));
        final MapKind kind = MapKind.of(bytes.i32(0));
        final boolean hasPinning = AYA_LENGTH == bytes.length() || IPROUTE2_LENGTH == bytes.length();
        // In samples of the kernel the same place of a map of maps says which maps are in it.
        final boolean isOfMaps = MapKind.ARRAY_OF_MAPS == kind || MapKind.HASH_OF_MAPS == kind;
        for (int at = hasPinning && !isOfMaps ? AYA_LENGTH : LENGTH; at < bytes.length(); at++)
        {
            if (0 != bytes.u8(at) && null == complaint)
            {
                complaint = "byte " + at + " of its declaration is " + bytes.u8(at) + " and has no meaning here" +
                    "; declare it in .maps instead";
            }
        }
        final boolean isPinned = hasPinning && 0 != bytes.i32(24);
        final MapSpec spec = new MapSpec(name, kind, bytes.i32(4), bytes.i32(8), bytes.i32(12),
            bytes.i32(16), 0, null, null);
        return new MapDefinition(spec, false, isPinned, 0, 0, section.index(), offset, Map.of(), complaint);
    }
}
