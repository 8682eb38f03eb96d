package io.ringtap.xdp.bpf;

import java.util.Arrays;

/**
 * Basic blocks of one function: runs of instructions that control enters at the top only. Blocks are numbered in the
 * order of their code. A long run is cut into several, so that a part of a method can end anywhere near.
 */
final class FlowGraph
{
    /** More estimated bytes of JVM code than this do not stay in one block. */
    private static final int MAX_BLOCK_SIZE = 1500;

    private final long[] code;
    private final BpfFunction function;
    /** By instruction of the function: its block; -1 for the second half of a wide one. */
    private final int[] blockOf;
    private int[] starts;

    FlowGraph(final BpfProgram program, final BpfFunction function)
    {
        this.function = function;
        code = program.code();
        blockOf = new int[function.length()];
        final boolean[] leads = leaders();
        cut(leads);
        number(leads);
    }

    private boolean[] leaders()
    {
        final boolean[] leads = new boolean[function.length() + 1];
        leads[0] = true;
        for (int at = function.first(); at < function.end(); at = next(at))
        {
            if (ControlFlow.jumps(code[at]))
            {
                leads[(int)ControlFlow.target(code, at) - function.first()] = true;
                leads[at + 1 - function.first()] = true;
            }
        }
        return leads;
    }

    private void cut(final boolean[] leads)
    {
        int size = 0;
        for (int at = function.first(); at < function.end(); at = next(at))
        {
            size = leads[at - function.first()] ? 0 : size;
            size += CodeSize.of(code[at]);
            if (size > MAX_BLOCK_SIZE)
            {
                leads[at - function.first()] = true;
                size = CodeSize.of(code[at]);
            }
        }
    }

    private void number(final boolean[] leads)
    {
        Arrays.fill(blockOf, -1);
        starts = new int[function.length()];
        int count = 0;
        for (int at = function.first(); at < function.end(); at = next(at))
        {
            if (leads[at - function.first()])
            {
                starts[count++] = at;
            }
            blockOf[at - function.first()] = count - 1;
        }
        starts = Arrays.copyOf(starts, count);
    }

    BpfFunction function()
    {
        return function;
    }

    int count()
    {
        return starts.length;
    }

    /** Index of the block's first instruction. */
    int start(final int block)
    {
        return starts[block];
    }

    /** Index behind the block's last instruction. */
    int end(final int block)
    {
        return block + 1 < starts.length ? starts[block + 1] : function.end();
    }

    /** Index of the block's last instruction. */
    int last(final int block)
    {
        final int last = end(block) - 1;
        return blockOf[last - function.first()] < 0 ? last - 1 : last;
    }

    int blockAt(final int instruction)
    {
        return blockOf[instruction - function.first()];
    }

    /** The block that a jump at the end of this one leads to; -1 when it does not end in a jump. */
    int jumpTarget(final int block)
    {
        final int last = last(block);
        return ControlFlow.jumps(code[last]) ? blockAt((int)ControlFlow.target(code, last)) : -1;
    }

    /** Whether control may go on to the next block. */
    boolean fallsThrough(final int block)
    {
        return ControlFlow.fallsThrough(code[last(block)]);
    }

    /** Whether a jump in the function leads back. */
    boolean hasLoops()
    {
        for (int block = 0; block < starts.length; block++)
        {
            final int target = jumpTarget(block);
            if (target >= 0 && target <= block)
            {
                return true;
            }
        }
        return false;
    }

    /** The instruction behind this one. */
    int next(final int at)
    {
        return at + (Instruction.isWide(code[at]) ? 2 : 1);
    }
}
