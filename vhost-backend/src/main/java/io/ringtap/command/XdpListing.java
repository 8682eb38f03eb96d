package io.ringtap.command;

import io.ringtap.xdp.bpf.BpfFunction;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.BpfProgram;
import io.ringtap.xdp.bpf.Disassembler;
import io.ringtap.xdp.bpf.HelperNames;
import io.ringtap.xdp.bpf.Instruction;
import io.ringtap.xdp.bpf.LineTable;
import io.ringtap.xdp.bpf.Opcode;

import java.io.PrintWriter;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A program in words and as a listing. */
final class XdpListing
{
    private XdpListing()
    {
    }

    /** How long it is, what it calls and which maps it uses. */
    static String summary(final BpfProgram program)
    {
        final Set<String> helpers = new TreeSet<>();
        for (int at = 0; at < program.length(); at += Instruction.isWide(program.instruction(at)) ? 2 : 1)
        {
            final String helper = helper(program.instruction(at));
            if (null != helper)
            {
                helpers.add(helper);
            }
        }
        final int functions = program.functions().size();
        return program.length() + (1 == program.length() ? " instruction" : " instructions") +
            (1 == functions ? "" : ", " + functions + " functions") +
            (helpers.isEmpty() ? "" : ", calls " + String.join(", ", helpers)) +
            (program.maps().isEmpty() ? "" : ", uses " +
                program.maps().stream().map(BpfMap::name).collect(Collectors.joining(", ")));
    }

    /** Prints each instruction, and each source line before what was made of it. */
    static void print(final BpfProgram program, final PrintWriter out)
    {
        LineTable.Line last = null;
        for (final BpfFunction function : program.functions())
        {
            out.println("    " + function.name() + ":");
            for (int at = function.first(); at < function.end(); at++)
            {
                final LineTable.Line line = program.lines().at(at);
                // A line has an entry for each of its columns.
                if (null != line && (null == last || line.number() != last.number()))
                {
                    out.println("          ; " + line);
                }
                last = line;
                final long instruction = program.instruction(at);
                final boolean isWide = Instruction.isWide(instruction);
                out.println(String.format("    %5d  %s%s", at,
                    Disassembler.text(instruction, isWide ? program.instruction(at + 1) : 0),
                    comment(program, instruction)));
                at += isWide ? 1 : 0;
            }
        }
    }

    private static String comment(final BpfProgram program, final long instruction)
    {
        final boolean isMap = Instruction.isWide(instruction) &&
            (Opcode.LDDW_MAP == Instruction.source(instruction) ||
            Opcode.LDDW_MAP_VALUE == Instruction.source(instruction));
        return isMap ? "  ; " + program.maps().get(Instruction.immediate(instruction)).name() : "";
    }

    /** Name of the helper that is called; null when none is. */
    private static String helper(final long instruction)
    {
        if (Opcode.CALL_INSTRUCTION != Instruction.opcode(instruction) ||
            Opcode.CALL_HELPER != Instruction.source(instruction))
        {
            return null;
        }
        return HelperNames.of(Instruction.immediate(instruction));
    }
}
