package io.ringtap.xdp.bpf;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a function's blocks, in their order, into parts that each become one JVM method. One part when all fits; else
 * each part ends where the fewest jumps cross, so that loops stay whole where they can.
 */
final class Partition
{
    private final FlowGraph graph;
    private final int[] partOf;
    private final List<Integer> firsts = new ArrayList<>();
    private final List<List<Integer>> entries = new ArrayList<>();

    /**
     * @param code  the program's.
     * @param whole a function of at most this many estimated bytes is left whole.
     * @param part  estimated bytes of a part otherwise.
     */
    Partition(final long[] code, final FlowGraph graph, final int whole, final int part)
    {
        this.graph = graph;
        partOf = new int[graph.count()];
        final int[] sizes = new int[graph.count()];
        int sum = CodeSize.FRAME;
        for (int block = 0; block < sizes.length; block++)
        {
            for (int at = graph.start(block); at < graph.end(block); at = graph.next(at))
            {
                sizes[block] += CodeSize.of(code[at]);
            }
            sum += sizes[block];
        }
        firsts.add(0);
        if (sum > whole)
        {
            cut(sizes, part);
        }
        for (int i = 0; i < firsts.size(); i++)
        {
            for (int block = firsts.get(i); block < end(i); block++)
            {
                partOf[block] = i;
            }
        }
        findEntries();
    }

    private void cut(final int[] sizes, final int part)
    {
        final int[] crossings = crossings();
        int first = 0;
        while (first < sizes.length)
        {
            int size = CodeSize.FRAME;
            int best = -1;
            int block = first;
            while (block < sizes.length && (block == first || size + sizes[block] + CodeSize.LEAVE <= part))
            {
                // In the first half of a part no cut is good enough.
                if (block > first && size > part / 2 && (best < 0 || crossings[block] <= crossings[best]))
                {
                    best = block;
                }
                size += sizes[block] + CodeSize.LEAVE;
                block++;
            }
            if (block == sizes.length)
            {
                return;
            }
            first = best < 0 ? block : best;
            firsts.add(first);
        }
    }

    /** By block: how many jumps lead over its beginning. */
    private int[] crossings()
    {
        final int[] delta = new int[graph.count() + 1];
        for (int block = 0; block < graph.count(); block++)
        {
            final int target = graph.jumpTarget(block);
            if (target >= 0)
            {
                delta[Math.min(block, target) + 1]++;
                delta[Math.max(block, target) + 1]--;
            }
        }
        for (int block = 1; block < delta.length; block++)
        {
            delta[block] += delta[block - 1];
        }
        return delta;
    }

    int count()
    {
        return firsts.size();
    }

    int partOf(final int block)
    {
        return partOf[block];
    }

    /** First block of a part. */
    int first(final int part)
    {
        return firsts.get(part);
    }

    /** Block behind the last of a part. */
    int end(final int part)
    {
        return part + 1 < firsts.size() ? firsts.get(part + 1) : graph.count();
    }

    /** Blocks where control enters the part: the function's entry, and what other parts lead to; in order. */
    List<Integer> entries(final int part)
    {
        return entries.get(part);
    }

    private void findEntries()
    {
        final boolean[] isEntry = new boolean[graph.count()];
        isEntry[0] = true;
        for (int block = 0; block < graph.count(); block++)
        {
            final int target = graph.jumpTarget(block);
            if (target >= 0 && partOf[target] != partOf[block])
            {
                isEntry[target] = true;
            }
            if (graph.fallsThrough(block) && partOf[block + 1] != partOf[block])
            {
                isEntry[block + 1] = true;
            }
        }
        for (int part = 0; part < firsts.size(); part++)
        {
            final List<Integer> ofPart = new ArrayList<>();
            for (int block = first(part); block < end(part); block++)
            {
                if (isEntry[block])
                {
                    ofPart.add(block);
                }
            }
            entries.add(ofPart);
        }
    }
}
