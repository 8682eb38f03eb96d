package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.AddressSpace;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.BpfProgram;
import io.ringtap.xdp.bpf.HelperSet;
import io.ringtap.xdp.bpf.ProgramText;
import io.ringtap.xdp.bpf.Verifier;
import io.ringtap.xdp.bpf.VerifierException;
import io.ringtap.xdp.bpf.map.MapException;
import io.ringtap.xdp.bpf.map.MapFactory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Loads an object once: makes its maps, fills them, links and verifies its programs. */
final class ObjectLoader
{
    private final BpfObject object;
    private final int queues;
    private final HelperSet helpers;
    private final AddressSpace space = new AddressSpace();
    private final Map<String, BpfMap> maps = new LinkedHashMap<>();
    /** Why a map or a program is not there, by its name. */
    private final Map<String, String> missingMaps = new LinkedHashMap<>();
    private final Map<String, String> refusals = new LinkedHashMap<>();
    private long mapBytes;
    private long instructions;

    ObjectLoader(final BpfObject object, final int queues, final HelperSet helpers)
    {
        this.object = object;
        this.queues = queues;
        this.helpers = helpers;
    }

    LoadedObject load(final Consumer<String> warnings)
    {
        final MapFactory factory = new MapFactory(queues);
        final InitialEntries initial = new InitialEntries(object, maps);
        forEachMap((definition) -> add(definition, factory));
        forEachMap(initial::putMaps);
        new DataPointers(object, space, maps).write();
        final Map<String, BpfProgram> programs = new LinkedHashMap<>();
        for (final CodeSections.Function function : object.sections().programs())
        {
            try
            {
                programs.put(function.name(), verify(function));
            }
            catch (final ObjectException | VerifierException failure)
            {
                refusals.put(function.name(), object.name() + ": " + failure.getMessage());
            }
        }
        refuseCallers(initial, programs);
        return new LoadedObject(object, space, maps, missingMaps, programs, refusals, warnings);
    }

    /** Whoever uses a map that cannot be is refused; that is nobody else's business. */
    private void forEachMap(final Consumer<MapDefinition> work)
    {
        for (final MapDefinition definition : object.maps())
        {
            try
            {
                work.accept(definition);
            }
            catch (final ObjectException | MapException | IllegalStateException failure)
            {
                missingMaps.put(definition.name(), failure.getMessage());
                maps.remove(definition.name());
            }
        }
    }

    /** A program whose tail calls would lead to a refused one is refused as well, and so on. */
    private void refuseCallers(final InitialEntries initial, final Map<String, BpfProgram> programs)
    {
        boolean isDone = false;
        while (!isDone)
        {
            isDone = true;
            for (final MapDefinition definition : object.maps())
            {
                final String complaint = initial.complaint(definition, programs, refusals);
                if (null != complaint)
                {
                    isDone &= !refuseUsers(maps.get(definition.name()), complaint, programs);
                }
            }
        }
    }

    private boolean refuseUsers(final BpfMap map, final String complaint, final Map<String, BpfProgram> programs)
    {
        boolean isAny = false;
        for (final BpfProgram program : List.copyOf(programs.values()))
        {
            if (program.maps().contains(map))
            {
                programs.remove(program.name());
                refusals.put(program.name(),
                    object.name() + ": program " + program.name() + " uses " + complaint);
                isAny = true;
            }
        }
        return isAny;
    }

    private void add(final MapDefinition definition, final MapFactory factory)
    {
        final String name = definition.name();
        if (null != definition.complaint())
        {
            throw new ObjectException("map " + name + ": " + definition.complaint());
        }
        final MapDefinition sized = sized(definition);
        final long bytes = MapNumbers.bytes(sized.spec(), queues);
        if (bytes > ObjectLimits.MAP_BYTES - mapBytes)
        {
            throw new ObjectException("map " + name + ": " + bytes + " bytes after " + mapBytes +
                " of other maps, must be " + ObjectLimits.MAP_BYTES + " at most in all; give it fewer entries");
        }
        final BpfMap map = factory.create(sized.spec());
        space.add(map);
        mapBytes += bytes;
        maps.put(name, map);
    }

    private MapDefinition sized(final MapDefinition definition)
    {
        if (definition.spec().maxEntries() != 0)
        {
            return definition;
        }
        final int listed = definition.initial().keySet().stream().mapToInt((index) -> index + 1).max().orElse(0);
        final int entries = MapNumbers.entries(definition.spec(), listed, queues);
        if (entries < 1)
        {
            throw new ObjectException("map " + definition.name() + ": it declares no max_entries; set how many it " +
                "may have");
        }
        return definition.withEntries(entries);
    }

    private BpfProgram verify(final CodeSections.Function function)
    {
        final ProgramLinker.Linked linked = object.linker(function).link();
        instructions += linked.code().length;
        if (instructions > ObjectLimits.INSTRUCTIONS)
        {
            throw new ObjectException("program " + function.name() + ": it is beyond the " +
                ObjectLimits.INSTRUCTIONS + " instructions that all programs of an object may have together");
        }
        final List<BpfMap> used = new ArrayList<>();
        for (final String name : linked.maps())
        {
            final BpfMap map = maps.get(name);
            if (null == map)
            {
                throw new ObjectException("program " + function.name() + " uses " + missingMaps.get(name));
            }
            used.add(map);
        }
        return Verifier.verify(new ProgramText(function.name(), linked.code(), used, space, linked.functions(),
            linked.lines(), object.license()), helpers);
    }
}
