package io.ringtap.xdp.bpf.elf;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Where variables are: BTF names them, and only symbols know. */
final class SymbolPlaces
{
    private final Map<Integer, Map<String, ElfSymbol>> byName = new HashMap<>();
    private final Map<Integer, TreeMap<Long, ElfSymbol>> byPlace = new HashMap<>();

    SymbolPlaces(final ElfFile elf)
    {
        for (final ElfSymbol symbol : elf.symbols())
        {
            if (ElfSymbol.SECTION != symbol.type() && !symbol.name().isEmpty())
            {
                byName.computeIfAbsent(symbol.section(), (section) -> new HashMap<>()).put(symbol.name(), symbol);
                byPlace.computeIfAbsent(symbol.section(), (section) -> new TreeMap<>())
                    .putIfAbsent(symbol.value(), symbol);
            }
        }
    }

    /** Where a variable is in its section, or {@code otherwise}; always within the section. */
    long of(final ElfSection section, final String name, final long otherwise)
    {
        final ElfSymbol symbol = byName.getOrDefault(section.index(), Map.of()).get(name);
        final long offset = null == symbol ? otherwise : symbol.value();
        if (offset > section.size())
        {
            throw new ObjectException(name + " is at " + offset + ", out of the " + section.size() +
                " bytes of section " + section.name());
        }
        return offset;
    }

    /** Bytes of what is at a place: what its symbol says, or all up to the section's end. */
    long size(final ElfSection section, final long offset)
    {
        final TreeMap<Long, ElfSymbol> symbols = byPlace.get(section.index());
        final ElfSymbol symbol = null == symbols ? null : symbols.get(offset);
        final long rest = section.size() - offset;
        return null == symbol || 0 == symbol.size() ? rest : Math.min(rest, symbol.size());
    }

    /** The named places of a section, in their order. */
    TreeMap<Long, ElfSymbol> in(final ElfSection section)
    {
        return byPlace.getOrDefault(section.index(), new TreeMap<>());
    }
}
