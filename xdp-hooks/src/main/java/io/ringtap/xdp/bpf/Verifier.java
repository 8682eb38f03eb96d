package io.ringtap.xdp.bpf;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Judges a program before it may run: structure only, in time linear to its length.
 * <p>
 * What it proves: every instruction exists (RFC 9669 with everything that clang emits up to cpu v4) and has nothing in
 * reserved fields; control stays in the function and reaches every instruction; calls go to known helpers or down an
 * acyclic graph of at most {@link AddressSpace#MAX_DEPTH} functions; r10 is only read, and accesses relative to it stay
 * in the function's stack. Whatever else a program does wrong is caught where it does it, see {@link Access}: this
 * verifier may be incomplete without being unsafe, unlike the kernel's.
 * <p>
 * Shifts and divisions by odd immediates run as RFC 9669 defines them, where the kernel refuses them.
 */
public final class Verifier
{
    /** Most instruction slots of one program; the longest seen in the wild has 3,769. */
    public static final int MAX_LENGTH = 65_536;

    private final ProgramText text;
    private final long[] code;
    private final HelperSet helpers;
    private final boolean[] isSecondSlot;
    private final int[] callees;
    private final Helper[] helperOf;

    private Verifier(final ProgramText text, final HelperSet helpers)
    {
        this.text = text;
        this.helpers = helpers;
        code = text.code();
        isSecondSlot = new boolean[code.length];
        callees = new int[code.length];
        helperOf = new Helper[code.length];
    }

    /**
     * Turns a program into one that may run.
     *
     * @param helpers what it may call.
     * @throws VerifierException saying in one line which instruction is wrong, and why.
     */
    public static BpfProgram verify(final ProgramText text, final HelperSet helpers)
    {
        return new Verifier(text, helpers).verify();
    }

    private BpfProgram verify()
    {
        if (0 == code.length || code.length > MAX_LENGTH)
        {
            throw new VerifierException(
                "program " + text.name() + ": " + code.length + " instructions, must be 1 to " + MAX_LENGTH);
        }
        for (final BpfMap map : text.maps())
        {
            if (0 == text.space().handle(map))
            {
                throw new VerifierException("program " + text.name() + ": " + map + " is not in its address space");
            }
        }
        final InstructionCheck check = new InstructionCheck(text, helpers);
        for (int i = 0; i < code.length; i++)
        {
            refuseIf(check.complaint(i), i);
            if (Instruction.isWide(code[i]))
            {
                isSecondSlot[++i] = true;
            }
        }
        final List<BpfFunction> functions = functions();
        for (final BpfFunction function : functions)
        {
            checkFunction(function);
        }
        final BpfProgram program = new BpfProgram(text, functions, callees, helperOf);
        checkCalls(functions);
        return program;
    }

    /** Functions begin where calls and function pointers lead. */
    private List<BpfFunction> functions()
    {
        final TreeSet<Integer> starts = new TreeSet<>();
        starts.add(0);
        for (int i = 0; i < code.length; i++)
        {
            if (isSecondSlot[i])
            {
                continue;
            }
            if (ControlFlow.namesFunction(code[i]))
            {
                final long target = ControlFlow.calledInstruction(code, i);
                refuseIf(target < 0 || target >= code.length || isSecondSlot[(int)target] ?
                    "calls instruction " + target + ", which is none of the " + code.length : null, i);
                starts.add((int)target);
            }
            else if (Opcode.CALL_INSTRUCTION == Instruction.opcode(code[i]))
            {
                final int id = Instruction.immediate(code[i]);
                helperOf[i] = Helper.TAIL_CALL == id ? null : helpers.find(id);
            }
        }
        final List<BpfFunction> functions = new ArrayList<>();
        for (final int first : starts)
        {
            final Integer next = starts.higher(first);
            final String name = text.functions().getOrDefault(first, 0 == first ? text.name() : "function" + first);
            functions.add(new BpfFunction(name, first, null == next ? code.length : next));
        }
        final List<Integer> order = List.copyOf(starts);
        for (int i = 0; i < code.length; i++)
        {
            if (!isSecondSlot[i] && ControlFlow.namesFunction(code[i]))
            {
                callees[i] = order.indexOf((int)ControlFlow.calledInstruction(code, i));
            }
        }
        return functions;
    }

    /** Control stays in the function, and reaches all of it. */
    private void checkFunction(final BpfFunction function)
    {
        final boolean[] reached = new boolean[function.length()];
        final int[] work = new int[function.length()];
        int pending = 0;
        work[pending++] = function.first();
        reached[0] = true;
        while (pending > 0)
        {
            final int at = work[--pending];
            if (ControlFlow.fallsThrough(code[at]))
            {
                final int next = at + (Instruction.isWide(code[at]) ? 2 : 1);
                refuseIf(next >= function.end() ? "the function ends without exit" : null, at);
                pending = reach(function, next, reached, work, pending);
            }
            if (ControlFlow.jumps(code[at]))
            {
                final long target = ControlFlow.target(code, at);
                refuseIf(jumpComplaint(function, target), at);
                pending = reach(function, (int)target, reached, work, pending);
            }
        }
        for (int i = function.first(); i < function.end(); i++)
        {
            refuseIf(reached[i - function.first()] || isSecondSlot[i] ? null : "nothing leads here", i);
        }
    }

    private String jumpComplaint(final BpfFunction function, final long target)
    {
        if (target < function.first() || target >= function.end())
        {
            return "jumps to " + target + ", out of its function of " + function.first() + " to " +
                (function.end() - 1);
        }
        return isSecondSlot[(int)target] ? "jumps into the middle of instruction " + (target - 1) : null;
    }

    private static int reach(
        final BpfFunction function, final int at, final boolean[] reached, final int[] work, final int pending)
    {
        if (reached[at - function.first()])
        {
            return pending;
        }
        reached[at - function.first()] = true;
        work[pending] = at;
        return pending + 1;
    }

    /** No function reaches itself, and no chain of calls is deeper than the stack. */
    private void checkCalls(final List<BpfFunction> functions)
    {
        final int[] depths = new int[functions.size()];
        checkDepth(functions, 0, depths, 1);
        for (int i = 0; i < depths.length; i++)
        {
            refuseIf(0 == depths[i] ? "nothing calls this function" : null, functions.get(i).first());
        }
    }

    /** In depths: 0 not visited, -1 being visited, else how deep it is called; no path is longer than MAX_DEPTH. */
    private void checkDepth(final List<BpfFunction> functions, final int number, final int[] depths, final int depth)
    {
        if (depths[number] >= depth)
        {
            return;
        }
        depths[number] = -1;
        final BpfFunction function = functions.get(number);
        for (int i = function.first(); i < function.end(); i++)
        {
            if (!isSecondSlot[i] && ControlFlow.namesFunction(code[i]))
            {
                refuseIf(-1 == depths[callees[i]] ? "a function that calls itself" : null, i);
                refuseIf(depth == AddressSpace.MAX_DEPTH ?
                    "calls are nested deeper than " + AddressSpace.MAX_DEPTH + " functions" : null, i);
                checkDepth(functions, callees[i], depths, depth + 1);
            }
        }
        depths[number] = depth;
    }

    private void refuseIf(final String complaint, final int at)
    {
        if (null != complaint)
        {
            final LineTable.Line line = text.lines().at(at);
            throw new VerifierException(
                "program " + text.name() + ", instruction " + at + " `" + Disassembler.text(code, at) + "`" +
                    (null == line ? "" : " (" + line + ")") + ": " + complaint);
        }
    }
}
