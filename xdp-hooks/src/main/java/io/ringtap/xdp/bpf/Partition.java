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
    private final boolean isWhole;
    private final int[] partOf;
    private final List<Integer> firsts = new ArrayList<>();
    private final List<List<Integer>> entries = new ArrayList<>();

    private Partition(final FlowGraph graph, final boolean isWhole)
    {
        this.graph = graph;
        this.isWhole = isWhole;
        partOf = new int[graph.count()];
        firsts.add(0);
    }

    /** All blocks in one part. */
    static Partition whole(final FlowGraph graph)
    {
        final Partition partition = new Partition(graph, true);
        partition.findEntries();
        return partition;
    }

    /**
     * Several parts.
     *
     * @param sizes bytes of each block.
     * @param limit bytes of a part, without what it takes to leave it.
     */
    static Partition inParts(final FlowGraph graph, final int[] sizes, final int limit)
    {
        final Partition partition = new Partition(graph, false);
        partition.cut(sizes, limit);
        for (int part = 0; part < partition.count(); part++)
        {
            for (int block = partition.first(part); block < partition.end(part); block++)
            {
                partition.partOf[block] = part;
            }
        }
        partition.findEntries();
        return partition;
    }

    /** Whether the function is one method, and not parts of one part each. */
    boolean isWhole()
    {
        return isWhole;
    }

    private void cut(final int[] sizes, final int limit)
    {
        final int[] crossings = crossings();
        int first = 0;
        while (first < sizes.length)
        {
            int size = 0;
            int best = -1;
            int block = first;
            while (block < sizes.length && (block == first || size + sizes[block] <= limit))
            {
                // In the first half of a part no cut is good enough.
                if (block > first && size > limit / 2 && (best < 0 || crossings[block] <= crossings[best]))
                {
                    best = block;
                }
                size += sizes[block];
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
