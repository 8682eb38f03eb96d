package io.ringtap.xdp.bpf.elf;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The maps of an object, by name and by where they are declared. */
final class MapTable
{
    private final Map<String, MapDefinition> byName = new LinkedHashMap<>();
    private final Map<Integer, Map<Long, String>> byPlace = new HashMap<>();

    void add(final MapDefinition map)
    {
        if (byName.size() == ObjectLimits.MAPS)
        {
            throw new ObjectException("more than " + ObjectLimits.MAPS + " maps");
        }
        if (null != byName.putIfAbsent(map.name(), map))
        {
            throw new ObjectException("map " + map.name() + " is declared twice");
        }
        byPlace.computeIfAbsent(map.section(), (section) -> new HashMap<>()).put(map.offset(), map.name());
    }

    List<MapDefinition> all()
    {
        return List.copyOf(byName.values());
    }

    /** Null when there is none. */
    MapDefinition find(final String name)
    {
        return byName.get(name);
    }

    /** The map declared at a place; null when none is. */
    MapDefinition at(final int section, final long offset)
    {
        final String name = byPlace.getOrDefault(section, Map.of()).get(offset);
        return null == name ? null : byName.get(name);
    }

    /** Puts another definition in the place of the one with its name. */
    void replace(final MapDefinition map)
    {
        byName.replace(map.name(), map);
    }
}
