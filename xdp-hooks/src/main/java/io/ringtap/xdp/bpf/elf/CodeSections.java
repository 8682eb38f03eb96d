package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.Instruction;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The functions in an object's sections of code, and which of them are XDP programs. */
final class CodeSections
{
    private final Map<Integer, CodeSection> sections = new HashMap<>();
    private final BitSet referred = new BitSet();
    private final List<Function> programs = new ArrayList<>();
    private final List<Function> others = new ArrayList<>();

    /** A section of code; equal to itself alone. */
    static final class CodeSection
    {
        private final ElfSection elf;
        private final long[] code;
        private final Map<Long, ElfRelocation> relocations;
        private final TreeMap<Integer, Function> functions = new TreeMap<>();

        private CodeSection(final ElfSection elf, final Map<Long, ElfRelocation> relocations)
        {
            this.elf = elf;
            this.relocations = relocations;
            code = new long[(int)(elf.size() / Instruction.LENGTH)];
            for (int i = 0; i < code.length; i++)
            {
                code[i] = elf.content().i64((long)i * Instruction.LENGTH);
            }
        }

        ElfSection elf()
        {
            return elf;
        }

        String name()
        {
            return elf.name();
        }

        /** Its instructions as they are in the file. */
        long[] code()
        {
            return code;
        }

        /** The relocation for an instruction; null when there is none. */
        ElfRelocation relocation(final int instruction)
        {
            return relocations.get((long)instruction * Instruction.LENGTH);
        }
    }

    /**
     * A function.
     *
     * @param first its first instruction in its section.
     * @param end   behind its last.
     */
    record Function(String name, CodeSection section, int first, int end, boolean isLocal)
    {
        int length()
        {
            return end - first;
        }
    }

    CodeSections(final ElfFile elf)
    {
        long total = 0;
        for (final ElfSection section : elf.sections())
        {
            if (section.isCode() && section.size() > 0)
            {
                total += section.size() / Instruction.LENGTH;
                if (section.size() % Instruction.LENGTH != 0 || total > ObjectLimits.INSTRUCTIONS)
                {
                    throw new ObjectException("section " + section.name() + ": " + section.size() +
                        " bytes, must be whole instructions, " + ObjectLimits.INSTRUCTIONS + " in all");
                }
                sections.put(section.index(), new CodeSection(section, elf.relocations(section)));
                elf.relocations(section).values().forEach((each) -> referred.set(each.symbol().section()));
            }
        }
        elf.symbols().forEach(this::addFunction);
        for (final ElfSection section : elf.sections())
        {
            if (sections.containsKey(section.index()))
            {
                addPrograms(sections.get(section.index()));
            }
        }
    }

    /** The XDP programs, in the order of the file. */
    List<Function> programs()
    {
        return programs;
    }

    /** Programs of other types: nobody here can run them. */
    List<Function> others()
    {
        return others;
    }

    /** The section of code with a number; null when that is none. */
    CodeSection section(final int index)
    {
        return sections.get(index);
    }

    /** Whether any instruction refers to a section. */
    boolean refersTo(final int section)
    {
        return referred.get(section);
    }

    /** The function that begins at an instruction, also when no symbol says so. */
    Function function(final CodeSection section, final long first)
    {
        if (first < 0 || first >= section.code.length)
        {
            throw new ObjectException("calls instruction " + first + " of section " + section.name() +
                ", which has " + section.code.length);
        }
        final Function known = section.functions.get((int)first);
        if (null != known)
        {
            return known;
        }
        final Integer next = section.functions.higherKey((int)first);
        return new Function(section.name() + "+" + first, section, (int)first,
            null == next ? section.code.length : next, true);
    }

    private void addFunction(final ElfSymbol symbol)
    {
        final CodeSection section = sections.get(symbol.section());
        if (null == section || !symbol.isFunction())
        {
            return;
        }
        final long end = symbol.value() + symbol.size();
        if (symbol.value() % Instruction.LENGTH != 0 || end % Instruction.LENGTH != 0 || end < 0 ||
            symbol.value() >= section.elf.size() || end > section.elf.size())
        {
            throw new ObjectException("function " + symbol.name() + ": " + symbol.size() + " bytes at " +
                symbol.value() + " are no instructions of section " + section.name());
        }
        final int first = (int)(symbol.value() / Instruction.LENGTH);
        final Function known = section.functions.get(first);
        if (null == known || known.isLocal() && !symbol.isLocal())
        {
            section.functions.put(first, new Function(
                symbol.name(), section, first, (int)(end / Instruction.LENGTH), symbol.isLocal()));
        }
    }

    private void addPrograms(final CodeSection section)
    {
        final String name = section.name();
        endOpenFunctions(section);
        if (".text".equals(name))
        {
            return;
        }
        // Local functions beside global ones are subprograms that the compiler did not inline.
        final boolean hasGlobal = section.functions.values().stream().anyMatch((each) -> !each.isLocal());
        final List<Function> found = section.functions.values().stream()
            .filter((each) -> !hasGlobal || !each.isLocal())
            .sorted(Comparator.comparingInt(Function::first)).toList();
        (isXdp(name) ? programs : others).addAll(found);
        if (programs.size() > ObjectLimits.PROGRAMS)
        {
            throw new ObjectException("more than " + ObjectLimits.PROGRAMS + " programs");
        }
    }

    /** Functions whose symbols do not say how long they are; a program's section without symbols is one function. */
    private static void endOpenFunctions(final CodeSection section)
    {
        if (section.functions.isEmpty() && !".text".equals(section.name()))
        {
            section.functions.put(0, new Function(
                section.name().replaceAll("[^A-Za-z0-9_]", "_"), section, 0, section.code.length, false));
        }
        section.functions.replaceAll((first, each) ->
        {
            final Integer next = section.functions.higherKey(first);
            return each.length() > 0 ? each : new Function(each.name(), section, first,
                null == next ? section.code.length : next, each.isLocal());
        });
    }

    /** {@code xdp}, {@code xdp.frags}, {@code xdp/devmap}, {@code xdp_any}; a question mark means "not at once". */
    private static boolean isXdp(final String section)
    {
        return section.startsWith("xdp") || section.startsWith("?xdp");
    }
}
