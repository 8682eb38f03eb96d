package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.MapKind;
import io.ringtap.xdp.bpf.map.MapFlags;
import io.ringtap.xdp.bpf.map.MapSpec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sections of global variables: each becomes a map with one value, which programs address directly. */
final class GlobalData
{
    private final ElfFile elf;
    private final Btf btf;
    private final SymbolPlaces places;

    /** @param btf null when there is none. */
    GlobalData(final ElfFile elf, final Btf btf, final SymbolPlaces places)
    {
        this.elf = elf;
        this.btf = btf;
        this.places = places;
    }

    /** Maps for the usual sections, and for any other that code refers to. */
    List<MapDefinition> maps(final CodeSections code)
    {
        final List<MapDefinition> maps = new ArrayList<>();
        long total = 0;
        for (final ElfSection section : elf.sections())
        {
            final boolean isUsual = section.isNamed(".data") || section.isNamed(".bss") || section.isNamed(".rodata");
            if (section.isData() && !section.isMaps() && section.size() > 0 &&
                (isUsual || code.refersTo(section.index())))
            {
                total += section.size();
                if (section.size() > ObjectLimits.DATA || total > ObjectLimits.DATA)
                {
                    throw new ObjectException("section " + section.name() + ": " + section.size() +
                        " bytes, must be " + ObjectLimits.DATA + " at most in all such sections");
                }
                maps.add(map(section));
            }
        }
        return maps;
    }

    private MapDefinition map(final ElfSection section)
    {
        final boolean isConstant = section.isNamed(".rodata");
        final byte[] content = ElfSection.NOBITS == section.type() ? null : section.content().copy();
        final MapSpec spec = new MapSpec(section.name(), MapKind.ARRAY, Integer.BYTES, (int)section.size(), 1,
            isConstant ? MapFlags.RDONLY_PROG : 0, 0, null, content);
        return new MapDefinition(spec, true, false, 0, types(section), section.index(), 0, Map.of(), null);
    }

    private int types(final ElfSection section)
    {
        return null == btf ? 0 : btf.section(section.name());
    }

    /** The variables in those sections by name; with BTF those that it lists, else what has a symbol. */
    Map<String, Variable> variables(final List<MapDefinition> maps)
    {
        final Map<String, Variable> variables = new LinkedHashMap<>();
        for (final MapDefinition map : maps)
        {
            final ElfSection section = elf.sections().get(map.section());
            for (final Variable variable : 0 == map.valueType() ? bySymbols(section) : byTypes(section, map))
            {
                variables.putIfAbsent(variable.name(), variable);
                if (variables.size() > ObjectLimits.VARIABLES)
                {
                    throw new ObjectException("more than " + ObjectLimits.VARIABLES + " variables");
                }
            }
        }
        return variables;
    }

    private List<Variable> byTypes(final ElfSection section, final MapDefinition map)
    {
        final List<Variable> found = new ArrayList<>();
        for (int i = 0; i < btf.members(map.valueType()); i++)
        {
            final int variable = btf.variable(map.valueType(), i);
            final String name = btf.name(variable);
            final long offset = places.of(section, name, btf.variableOffset(map.valueType(), i));
            final int type = BtfKind.VAR == btf.kind(variable) ? btf.target(variable) : 0;
            final int size = btf.size(type);
            if (size > section.size() - offset)
            {
                throw new ObjectException("variable " + name + ": " + size + " bytes at " + offset +
                    " are not in the " + section.size() + " bytes of section " + section.name());
            }
            found.add(new Variable(name, map.name(), (int)offset, size, type));
        }
        return found;
    }

    private List<Variable> bySymbols(final ElfSection section)
    {
        final List<Variable> found = new ArrayList<>();
        places.in(section).forEach((offset, symbol) ->
        {
            if (symbol.size() > 0 && offset <= section.size() && symbol.size() <= section.size() - offset)
            {
                found.add(new Variable(symbol.name(), section.name(), offset.intValue(), (int)symbol.size(), 0));
            }
        });
        return found;
    }
}
