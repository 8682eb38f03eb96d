package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.BpfProgram;
import io.ringtap.xdp.bpf.ProgramCode;
import io.ringtap.xdp.bpf.map.MapException;
import io.ringtap.xdp.bpf.map.MapOfMaps;
import io.ringtap.xdp.bpf.map.ProgArrayMap;

import java.util.Map;
import java.util.function.Function;

/** Puts into maps of maps and maps of programs what their declarations list. */
final class InitialEntries
{
    private final BpfObject object;
    private final Map<String, BpfMap> maps;

    InitialEntries(final BpfObject object, final Map<String, BpfMap> maps)
    {
        this.object = object;
        this.maps = maps;
    }

    /** Fills a map of maps; others are left alone. */
    void putMaps(final MapDefinition definition)
    {
        if (!(maps.get(definition.name()) instanceof MapOfMaps outer))
        {
            return;
        }
        for (final Map.Entry<Integer, String> entry : definition.initial().entrySet())
        {
            final BpfMap inner = maps.get(entry.getValue());
            if (null == inner)
            {
                throw new ObjectException("map " + definition.name() + ": it lists " + entry.getValue() +
                    ", which is no map here");
            }
            if (Integer.BYTES != outer.keySize())
            {
                throw new ObjectException("map " + definition.name() + ": keys of " + outer.keySize() +
                    " bytes, must be 4 where maps are listed");
            }
            try
            {
                outer.put(BtfNumbers.parse(String.valueOf(entry.getKey()), Integer.BYTES), inner);
            }
            catch (final IllegalStateException full)
            {
                throw new MapException(full.getMessage());
            }
        }
    }

    /** Why programs must not use a map of programs; null when they may. */
    String complaint(
        final MapDefinition definition, final Map<String, BpfProgram> programs, final Map<String, String> refusals)
    {
        if (!(maps.get(definition.name()) instanceof ProgArrayMap))
        {
            return null;
        }
        for (final Map.Entry<Integer, String> entry : definition.initial().entrySet())
        {
            final String name = entry.getValue();
            if (entry.getKey() >= maps.get(definition.name()).maxEntries())
            {
                return "map " + definition.name() + ", which lists entry " + entry.getKey() + " of " +
                    maps.get(definition.name()).maxEntries();
            }
            if (refusals.containsKey(name))
            {
                return "map " + definition.name() + " with a program that is refused: " + refusals.get(name);
            }
            if (!programs.containsKey(name))
            {
                return "map " + definition.name() + " with " + name + ", which is no XDP program";
            }
        }
        return null;
    }

    /** Fills all maps of programs. */
    void putPrograms(final Function<String, ProgramCode> compiled)
    {
        for (final MapDefinition definition : object.maps())
        {
            if (maps.get(definition.name()) instanceof ProgArrayMap array)
            {
                definition.initial().forEach((index, name) ->
                {
                    final ProgramCode code = compiled.apply(name);
                    if (null != code)
                    {
                        array.put(index, code);
                    }
                });
            }
        }
    }
}
