package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.AddressSpace;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.BpfProgram;
import io.ringtap.xdp.bpf.CodeFactory;
import io.ringtap.xdp.bpf.ProgramCode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** An object in memory: its maps, and its programs ready to be run. */
public final class LoadedObject
{
    private final BpfObject object;
    private final AddressSpace space;
    private final Map<String, BpfMap> maps;
    private final Map<String, String> missingMaps;
    private final Map<String, BpfProgram> verified;
    private final Map<String, String> refusals;
    private final Consumer<String> warnings;
    private final Map<String, ProgramCode> compiled = new HashMap<>();
    private boolean isFilled;

    LoadedObject(
        final BpfObject object,
        final AddressSpace space,
        final Map<String, BpfMap> maps,
        final Map<String, String> missingMaps,
        final Map<String, BpfProgram> verified,
        final Map<String, String> refusals,
        final Consumer<String> warnings)
    {
        this.object = object;
        this.space = space;
        this.maps = maps;
        this.missingMaps = missingMaps;
        this.verified = verified;
        this.refusals = refusals;
        this.warnings = warnings;
    }

    /** What it was loaded from. */
    public BpfObject object()
    {
        return object;
    }

    /** Where its maps lie for its programs. */
    public AddressSpace space()
    {
        return space;
    }

    /** Its programs that passed the verifier, in the order of the file. */
    public List<BpfProgram> verified()
    {
        return List.copyOf(verified.values());
    }

    /** Why other programs were refused, in one line each, by their names. */
    public Map<String, String> refusals()
    {
        return Map.copyOf(refusals);
    }

    /** All programs that passed the verifier, compiled. */
    public List<ProgramCode> programs()
    {
        final List<ProgramCode> all = new ArrayList<>();
        verified.keySet().forEach((name) -> all.add(compiled(name)));
        return all;
    }

    /**
     * A program, compiled; that takes some tenths of a second when it is asked for first.
     *
     * @param name of its function; null for the only program of the object.
     * @throws ObjectException when there is no such program, or it was refused.
     */
    public ProgramCode program(final String name)
    {
        return compiled(verified(name).name());
    }

    /** As {@link #program}, but not compiled. */
    public BpfProgram verified(final String name)
    {
        final List<String> all = object.programs().stream().map(BpfObject.ProgramInfo::name).toList();
        if (null == name && all.size() > 1)
        {
            throw new ObjectException(object.name() + ": it has " + all.size() + " programs, name one of " +
                String.join(", ", all) + " as " + object.name() + ":NAME");
        }
        final String chosen = null == name ? all.get(0) : name;
        if (refusals.containsKey(chosen))
        {
            throw new ObjectException(refusals.get(chosen));
        }
        final BpfProgram program = verified.get(chosen);
        if (null == program)
        {
            throw new ObjectException(object.name() + ": there is no program " + chosen + "; it has " +
                String.join(", ", all));
        }
        return program;
    }

    private synchronized ProgramCode compiled(final String name)
    {
        final ProgramCode code = make(name);
        if (!isFilled)
        {
            isFilled = true;
            new InitialEntries(object, maps).putPrograms(this::make);
        }
        return code;
    }

    /** Null when it was refused. */
    private ProgramCode make(final String name)
    {
        final BpfProgram program = verified.get(name);
        if (null != program && !compiled.containsKey(name))
        {
            compiled.put(name, CodeFactory.make(program, warnings));
        }
        return compiled.get(name);
    }

    /** Its maps in the order of their declarations, those for global variables last. */
    public List<BpfMap> maps()
    {
        return List.copyOf(maps.values());
    }

    /** @throws ObjectException when there is no such map, or it could not be made. */
    public BpfMap map(final String name)
    {
        final BpfMap map = maps.get(name);
        if (null == map)
        {
            throw new ObjectException(object.name() + ": " + (missingMaps.containsKey(name) ? missingMaps.get(name) :
                "there is no map " + name + (maps.isEmpty() ? "; it has none" :
                    "; it has " + String.join(", ", maps.keySet()))));
        }
        return map;
    }

    /** Whether a map holds global variables, which {@link #get} shows. */
    public boolean isGlobal(final BpfMap map)
    {
        final MapDefinition definition = object.mapTable().find(map.name());
        return null != definition && definition.isGlobal();
    }

    /** Keys of a map by their C type. */
    public BtfValue keys(final String map)
    {
        return BtfValue.of(object.btf(), definition(map).keyType(), map(map).keySize());
    }

    /**
     * What a map holds, by the C types of its keys and values.
     *
     * @throws ObjectException when there is no such map, or it holds no values.
     */
    public MapView view(final String map)
    {
        return new MapView(object.name(), map(map), keys(map), values(map));
    }

    /** Values of a map by their C type; those of global variables are bytes, see {@link #get}. */
    public BtfValue values(final String map)
    {
        final MapDefinition definition = definition(map);
        return BtfValue.of(object.btf(), definition.isGlobal() ? 0 : definition.valueType(), map(map).valueSize());
    }

    private MapDefinition definition(final String map)
    {
        map(map);
        return object.mapTable().find(map);
    }

    /**
     * What a global variable is now, as {@link BtfValue#tree} shows it.
     *
     * @throws ObjectException when there is none of that name.
     */
    public Object get(final String variable)
    {
        final Variable found = variable(variable);
        return type(found).tree(map(found.map()).values(), found.offset());
    }

    /**
     * Sets a global variable while programs run.
     *
     * @throws ObjectException when there is none of that name, it is constant, or the text is no value of its type.
     */
    public void set(final String variable, final String text)
    {
        final Variable found = variable(variable);
        final BpfMap map = map(found.map());
        if (map.isReadOnly())
        {
            throw new ObjectException(
                object.name() + ": variable " + variable + " is constant; set it before the object is loaded");
        }
        try
        {
            map.values().putBytes(found.offset(), type(found).parse(text));
        }
        catch (final ObjectException failure)
        {
            throw failure.in(object.name() + ": variable " + variable);
        }
    }

    private BtfValue type(final Variable variable)
    {
        return BtfValue.of(object.btf(), variable.type(), variable.size());
    }

    private Variable variable(final String name)
    {
        final Variable variable = object.variableTable().get(name);
        if (null == variable)
        {
            throw new ObjectException(object.name() + ": there is no variable " + name);
        }
        return variable;
    }
}
