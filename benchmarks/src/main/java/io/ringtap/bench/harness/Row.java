package io.ringtap.bench.harness;

import java.util.List;

/**
 * One comparison: the sides that took turns, ours first.
 *
 * @param name         within its scenario.
 * @param unit         of the values.
 * @param isLessBetter for times, memory and the like.
 * @param sides        ours first.
 * @param goals        what ours is to reach.
 * @param systemCallNs cost of a system call, taken before each turn of all sides.
 * @param coreToCoreNs round trip of a cache line between the two CPUs, likewise.
 * @param note         what failed or is missing; empty when nothing is.
 */
public record Row(
    String name,
    String unit,
    boolean isLessBetter,
    List<SideRun> sides,
    List<Goal> goals,
    Distribution systemCallNs,
    Distribution coreToCoreNs,
    String note)
{
    public SideRun ours()
    {
        return sides.get(0);
    }

    /** The side of that name, or null. */
    public SideRun side(final String label)
    {
        return sides.stream().filter(side -> side.label().equals(label)).findFirst().orElse(null);
    }

    /** Ours divided by the other: of the medians, with the least and the greatest of the turns that belong together. */
    public Distribution ratio(final SideRun other)
    {
        final int turns = Math.min(ours().samples().size(), other.samples().size());
        final double[] ratios = new double[turns];
        for (int i = 0; i < turns; i++)
        {
            ratios[i] = ours().samples().get(i).value() / other.samples().get(i).value();
        }
        final Distribution each = Distribution.of(ratios);
        return new Distribution(each.min(), ours().values().median() / other.values().median(), each.max());
    }

    /** Processor time a packet of the other divided by ours: the ratio that a busy machine leaves alone. */
    public double cpuRatio(final SideRun other)
    {
        return other.cpuNs().median() / ours().cpuNs().median();
    }

    /** What a goal speaks of: a ratio or the value itself; NaN where a side is missing. */
    public double reached(final Goal goal)
    {
        if (sides.isEmpty())
        {
            return Double.NaN;
        }
        if (goal.isAbsolute())
        {
            return ours().values().median();
        }
        final SideRun other = side(goal.against());
        return null == other ? Double.NaN : ratio(other).median();
    }

    public boolean isMet(final Goal goal)
    {
        final double reached = reached(goal);
        return isLessBetter ? reached <= goal.bound() : reached >= goal.bound();
    }
}
