package io.ringtap.xdp.bpf;

import java.util.List;

/** A program that passed the {@link Verifier}: what interpreter and compiler believe without asking again. */
public final class BpfProgram
{
    private final ProgramText text;
    private final long[] code;
    private final List<BpfFunction> functions;
    private final int[] callees;
    private final Helper[] helpers;
    private final boolean calls;
    private final boolean loops;

    /**
     * @param functions in the order of their code, which they cover without gaps.
     * @param callees   by instruction: number of the function it calls or names.
     * @param helpers   by instruction: the helper it calls.
     */
    BpfProgram(
        final ProgramText text, final List<BpfFunction> functions, final int[] callees, final Helper[] helpers)
    {
        this.text = text;
        code = text.code();
        this.functions = List.copyOf(functions);
        this.callees = callees;
        this.helpers = helpers;
        boolean hasCalls = false;
        boolean hasLoops = false;
        for (int at = 0; at < code.length; at += Instruction.isWide(code[at]) ? 2 : 1)
        {
            hasCalls |= Opcode.CALL_INSTRUCTION == Instruction.opcode(code[at]);
            hasLoops |= ControlFlow.jumps(code[at]) && ControlFlow.target(code, at) <= at;
        }
        calls = hasCalls;
        loops = hasLoops;
    }

    public String name()
    {
        return text.name();
    }

    public String license()
    {
        return text.license();
    }

    public LineTable lines()
    {
        return text.lines();
    }

    public List<BpfMap> maps()
    {
        return text.maps();
    }

    public AddressSpace space()
    {
        return text.space();
    }

    /** Its functions in the order of their code; the first is the entry. */
    public List<BpfFunction> functions()
    {
        return functions;
    }

    /** Instruction slots. */
    public int length()
    {
        return code.length;
    }

    /** One instruction slot, see {@link Instruction}. */
    public long instruction(final int index)
    {
        return code[index];
    }

    /** Whether it calls anything: helpers, functions or other programs. */
    boolean calls()
    {
        return calls;
    }

    /** Whether it jumps back anywhere. */
    boolean loops()
    {
        return loops;
    }

    /** The code itself; nobody writes to it. */
    long[] code()
    {
        return code;
    }

    /** Number of the function that the instruction calls (CALL with source 1) or names (LDDW with source 4). */
    int callee(final int instruction)
    {
        return callees[instruction];
    }

    /** The helper that the instruction calls; null for {@link Helper#TAIL_CALL}. */
    Helper helper(final int instruction)
    {
        return helpers[instruction];
    }
}
