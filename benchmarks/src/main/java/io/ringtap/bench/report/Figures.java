package io.ringtap.bench.report;

import io.ringtap.bench.harness.Distribution;
import io.ringtap.bench.harness.Goal;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.SideRun;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Numbers as people read them: three figures that count, ratio first. */
public final class Figures
{
    private Figures()
    {
    }

    /** Three figures: 12.3, 0.456, 1230. */
    public static String of(final double value)
    {
        if (Double.isNaN(value))
        {
            return "-";
        }
        final double size = Math.abs(value);
        final int decimals = size >= 100 || 0 == size ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** Median with least and greatest: {@code 1.20 (1.10-1.31)}. */
    public static String of(final Distribution values)
    {
        return values.isEmpty() ? "-" : of(values.median()) + " (" + of(values.min()) + "-" + of(values.max()) + ")";
    }

    /** A row for the terminal. */
    public static List<String> lines(final Row row)
    {
        final List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(row.name());
        for (int i = 1; i < row.sides().size(); i++)
        {
            final SideRun other = row.sides().get(i);
            final double cpu = row.cpuRatio(other);
            lines.add(String.format("  %-26s ratio to %s%s", of(row.ratio(other)), other.label(),
                Double.isNaN(cpu) ? "" : "; by processor time a packet " + of(cpu)));
        }
        for (final Goal goal : row.goals())
        {
            lines.add(String.format("  %-26s %s", row.isMet(goal) ? "goal met" : "goal missed", text(row, goal)));
        }
        for (final SideRun side : row.sides())
        {
            final Distribution cpu = side.cpuNs();
            lines.add(String.format("  %-26s %s %s%s", of(side.values()), row.unit(), side.label(),
                cpu.isEmpty() ? "" : ", " + of(cpu.median()) + " ns of processor time a packet"));
        }
        lines.add(String.format("  %-26s ns a system call; %s ns core to core and back",
            of(row.systemCallNs()), of(row.coreToCoreNs())));
        if (!row.note().isEmpty())
        {
            lines.add("  " + row.note());
        }
        return lines;
    }

    /** A goal in words. */
    public static String text(final Row row, final Goal goal)
    {
        final String sign = row.isLessBetter() ? "<= " : ">= ";
        return goal.isAbsolute() ? sign + of(goal.bound()) + " " + row.unit() :
            sign + of(goal.bound()) + " x " + goal.against();
    }
}
