package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.Disassembler;
import io.ringtap.xdp.bpf.Instruction;
import io.ringtap.xdp.bpf.LineTable;
import io.ringtap.xdp.bpf.Opcode;
import io.ringtap.xdp.bpf.Verifier;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts one program together: its function first, behind it those that it calls, and in their instructions what the
 * relocations stand for. What a relocation means is decided by the section that its symbol lies in.
 */
final class ProgramLinker
{
    private final ElfFile elf;
    private final CodeSections sections;
    private final MapTable maps;
    private final Btf btf;
    private final BtfExt ext;
    private final CodeSections.Function entry;

    /** Functions in the order of the code, with the index of their first instruction. */
    private final Map<CodeSections.Function, Integer> placed = new LinkedHashMap<>();
    private final List<CodeSections.Function> order = new ArrayList<>();
    private final Map<String, Integer> used = new LinkedHashMap<>();
    private int length;
    private long[] code;

    /** What came out: code whose map indexes mean these maps. */
    record Linked(long[] code, List<String> maps, Map<Integer, String> functions, LineTable lines)
    {
    }

    /** @param btf null when there is none. */
    ProgramLinker(
        final ElfFile elf,
        final CodeSections sections,
        final MapTable maps,
        final Btf btf,
        final BtfExt ext,
        final CodeSections.Function entry)
    {
        this.elf = elf;
        this.sections = sections;
        this.maps = maps;
        this.btf = btf;
        this.ext = ext;
        this.entry = entry;
    }

    /** @throws ObjectException naming the program, the instruction and the reason in one line. */
    Linked link()
    {
        place(entry);
        for (int i = 0; i < order.size(); i++)
        {
            placeCallees(order.get(i));
        }
        code = new long[length];
        placed.forEach((function, start) ->
            System.arraycopy(function.section().code(), function.first(), code, start, function.length()));
        placed.forEach(this::resolve);
        final Map<Integer, String> names = new LinkedHashMap<>();
        placed.forEach((function, start) -> names.put(start, function.name()));
        return new Linked(code, List.copyOf(used.keySet()), names, lines());
    }

    private int place(final CodeSections.Function function)
    {
        final Integer known = placed.get(function);
        if (null != known)
        {
            return known;
        }
        final int start = length;
        if (function.length() > Verifier.MAX_LENGTH - length)
        {
            throw new ObjectException("more than " + Verifier.MAX_LENGTH + " instructions with function " +
                function.name());
        }
        length += function.length();
        placed.put(function, start);
        order.add(function);
        return start;
    }

    private void placeCallees(final CodeSections.Function function)
    {
        final CodeSections.CodeSection section = function.section();
        for (int i = function.first(); i < function.end(); i++)
        {
            final ElfRelocation relocation = section.relocation(i);
            final CodeSections.Function callee = callee(function, i, relocation);
            if (null != callee)
            {
                place(callee);
            }
            i += Instruction.isWide(section.code()[i]) ? 1 : 0;
        }
    }

    /** The function that an instruction calls or names; null when it does neither. */
    private CodeSections.Function callee(
        final CodeSections.Function function, final int at, final ElfRelocation relocation)
    {
        final long instruction = function.section().code()[at];
        final int immediate = Instruction.immediate(instruction);
        final boolean isCall = isLocalCall(instruction);
        if (!isCall && !Instruction.isWide(instruction))
        {
            return null;
        }
        if (null == relocation)
        {
            return isCall ? at(function, at, function.section(), at + 1L + immediate) : null;
        }
        final CodeSections.CodeSection target = sections.section(relocation.symbol().section());
        if (null == target)
        {
            return null;
        }
        // A call's immediate counts instructions from behind itself, -1 for a symbol of its own; a wide one's, bytes.
        final long addend = relocation.hasAddend() ? relocation.addend() :
            isCall ? (immediate + 1L) * Instruction.LENGTH : immediate;
        final long place = relocation.symbol().value() + addend;
        if (place % Instruction.LENGTH != 0)
        {
            throw complaint(function, at, "byte " + place + " of section " + target.name() +
                " is not where an instruction begins");
        }
        return at(function, at, target, place / Instruction.LENGTH);
    }

    private CodeSections.Function at(
        final CodeSections.Function caller, final int at, final CodeSections.CodeSection section, final long first)
    {
        try
        {
            return sections.function(section, first);
        }
        catch (final ObjectException failure)
        {
            throw complaint(caller, at, failure.getMessage());
        }
    }

    private static boolean isLocalCall(final long instruction)
    {
        return Opcode.CALL_INSTRUCTION == Instruction.opcode(instruction) &&
            Opcode.CALL_LOCAL == Instruction.source(instruction);
    }

    private void resolve(final CodeSections.Function function, final int start)
    {
        for (int i = function.first(); i < function.end(); i++)
        {
            final int at = start + i - function.first();
            final ElfRelocation relocation = function.section().relocation(i);
            final CodeSections.Function callee = callee(function, i, relocation);
            if (null != callee)
            {
                final int distance = placed.get(callee) - at - 1;
                code[at] = Instruction.withImmediate(code[at], distance);
                if (Instruction.isWide(code[at]))
                {
                    code[at] = Instruction.withSource(code[at], Opcode.LDDW_FUNCTION);
                    upper(function, i, at, 0);
                }
            }
            else if (null != relocation)
            {
                resolve(function, i, at, relocation);
            }
            else if (Instruction.isWide(code[at]) && Opcode.LDDW_NUMBER != Instruction.source(code[at]))
            {
                throw complaint(function, i, "no relocation says what it loads");
            }
            adapt(function, i, at);
            i += Instruction.isWide(code[at]) ? 1 : 0;
        }
    }

    private void resolve(
        final CodeSections.Function function, final int i, final int at, final ElfRelocation relocation)
    {
        final ElfSymbol symbol = relocation.symbol();
        final boolean isWide = Instruction.isWide(code[at]);
        final boolean isCall = isLocalCall(code[at]);
        if (!isWide && !isCall || !isKnown(relocation.type(), isWide))
        {
            throw complaint(function, i, "relocation " + relocation.typeName() + " for " + symbol.name() +
                " is not for this instruction");
        }
        if (ElfSymbol.UNDEFINED == symbol.section())
        {
            absent(function, i, at, symbol);
            return;
        }
        final ElfSection section = elf.sectionOf(symbol);
        if (isCall || null == section)
        {
            throw complaint(function, i, "symbol " + symbol.name() + (isCall ? " is not in a section of code" :
                " is in no section; compile with -fno-common"));
        }
        final long addend = relocation.hasAddend() ? relocation.addend() : Instruction.immediate(code[at]);
        final long place = symbol.value() + addend;
        final MapDefinition map = maps.at(section.index(), section.isMaps() ? place : 0);
        if (null == map)
        {
            throw complaint(function, i, section.isMaps() ?
                "no map is declared at " + place + " of section " + section.name() :
                "section " + section.name() + " of symbol " + symbol.name() + " holds no variables");
        }
        if (place < 0 || place > Integer.MAX_VALUE)
        {
            throw complaint(function, i, place + " is out of section " + section.name());
        }
        final int index = used.computeIfAbsent(map.name(), (name) -> used.size());
        code[at] = Instruction.withSource(Instruction.withImmediate(code[at], index),
            section.isMaps() ? Opcode.LDDW_MAP : Opcode.LDDW_MAP_VALUE);
        upper(function, i, at, section.isMaps() ? 0 : (int)place);
    }

    private static boolean isKnown(final int type, final boolean isWide)
    {
        return isWide ? ElfRelocation.BPF_64_64 == type : ElfRelocation.BPF_64_32 == type;
    }

    /** A function or variable of the kernel's: a weak one is 0 where it is not, and so says the kernel's loader. */
    private void absent(final CodeSections.Function function, final int i, final int at, final ElfSymbol symbol)
    {
        if (!symbol.isWeak())
        {
            throw complaint(function, i, (isLocalCall(code[at]) ? "function " : "variable ") + symbol.name() +
                " is the kernel's and not here; declare it __weak and ask whether it is there");
        }
        if (Instruction.isWide(code[at]))
        {
            code[at] = Instruction.withSource(Instruction.withImmediate(code[at], 0), Opcode.LDDW_NUMBER);
            upper(function, i, at, 0);
        }
        else
        {
            // Programs ask before they call; one that does not gets 0 from nothing.
            code[at] = Instruction.of(Opcode.ALU64 | Opcode.MOV, 0, 0, 0, 0);
        }
    }

    private void upper(final CodeSections.Function function, final int i, final int at, final int immediate)
    {
        if (i + 1 >= function.end())
        {
            throw complaint(function, i, "its second half is missing");
        }
        code[at + 1] = Instruction.withImmediate(code[at + 1], immediate);
    }

    /** Writes what a CO-RE relocation asks for, where it is not there yet. */
    private void adapt(final CodeSections.Function function, final int i, final int at)
    {
        final CoreRelocation core = ext.core(function.section().name(), i * Instruction.LENGTH);
        if (null == core)
        {
            return;
        }
        try
        {
            if (core.isAbsent(btf))
            {
                code[at] = Instruction.withImmediate(code[at], 0);
                if (Instruction.isWide(code[at]))
                {
                    upper(function, i, at, 0);
                }
            }
        }
        catch (final ObjectException failure)
        {
            throw complaint(function, i, failure.getMessage());
        }
    }

    private LineTable lines()
    {
        final List<LineTable.Line> lines = new ArrayList<>();
        placed.forEach((function, start) ->
        {
            final long from = (long)function.first() * Instruction.LENGTH;
            final long to = (long)function.end() * Instruction.LENGTH;
            ext.lines(function.section().name()).subMap(from, to).forEach((place, line) ->
                lines.add(line(line, start + (int)((place - from) / Instruction.LENGTH))));
        });
        return lines.isEmpty() ? LineTable.NONE : new LineTable(lines);
    }

    private LineTable.Line line(final BtfExt.Line line, final int at)
    {
        return new LineTable.Line(at, btf.file(line.file()), line.number(), btf.line(line.text()));
    }

    private ObjectException complaint(final CodeSections.Function function, final int i, final String why)
    {
        final CodeSections.CodeSection section = function.section();
        final int at = placed.getOrDefault(function, 0) + i - function.first();
        final Map.Entry<Long, BtfExt.Line> line =
            ext.lines(section.name()).floorEntry((long)i * Instruction.LENGTH);
        return new ObjectException("program " + entry.name() + ", instruction " + at + " `" +
            Disassembler.text(section.code(), i) + "`" + (null == line ? "" : " (" + line(line.getValue(), at) + ")") +
            ": " + why);
    }
}
