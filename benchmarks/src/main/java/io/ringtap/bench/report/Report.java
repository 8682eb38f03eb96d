package io.ringtap.bench.report;

import io.ringtap.bench.harness.Distribution;
import io.ringtap.bench.harness.Goal;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.harness.ScenarioResult;
import io.ringtap.bench.harness.SideRun;
import io.ringtap.it.rig.HostFiles;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The page of docs/benchmarks, made from the result files that lie there, and the charts beside it. */
public final class Report
{
    private static final String HEAD = """
        # Benchmarks

        Written by `./ringtap bench --report` from the JSON files in this folder; do not edit. Run them again with
        `./ringtap bench` (every idea against its absence) or `./ringtap bench --peers` (also against others), as
        root, on a quiet machine. Sides take turns (A B, B A) in one run; what counts is the **ratio** of the medians,
        in brackets the least and the greatest ratio of two turns that belong together. Frames end at a foreign MAC
        or in an open socket, never at a closed port. What a system call and the way to another core cost was
        measured before each turn, since both move on a virtual machine and most figures with them. "By processor
        time" compares the time a packet costs whoever handles it: it holds on a busy machine too, but a side that
        spins for work counts its spinning.

        """;

    private final Path directory;
    private final List<Scenario> scenarios;
    private final StringBuilder page = new StringBuilder(HEAD);

    private Report(final Path directory, final List<Scenario> scenarios)
    {
        this.directory = directory;
        this.scenarios = scenarios;
    }

    /** Writes the page and the charts. */
    public static void write(final Path directory, final List<Scenario> scenarios)
    {
        HostFiles.directories(directory);
        new Report(directory, scenarios).write();
    }

    private void write()
    {
        final List<ScenarioResult> results = new ArrayList<>();
        page.append("| work | against | ratio | goal | |\n|---|---|---|---|---|\n");
        for (final Scenario scenario : scenarios)
        {
            final Path file = directory.resolve(scenario.name() + ".json");
            if (Files.exists(file))
            {
                final ScenarioResult result = ResultFile.read(file);
                results.add(result);
                HostFiles.write(directory.resolve(scenario.name() + ".svg"), BarChart.draw(result));
                result.rows().forEach(row -> summary(result, row));
            }
            else
            {
                page.append("| ").append(scenario.title()).append(" | | *pending* | | `./ringtap bench ")
                    .append(scenario.name()).append("` |\n");
            }
        }
        results.forEach(this::details);
        HostFiles.write(directory.resolve("README.md"), page.toString());
    }

    private void summary(final ScenarioResult result, final Row row)
    {
        final String work = "[" + result.title() + "](#" + result.name() + "): " + row.name();
        for (int i = 1; i < row.sides().size(); i++)
        {
            final SideRun other = row.sides().get(i);
            final Goal goal = row.goals().stream().filter(each -> each.against().equals(other.label())).findFirst()
                .orElse(null);
            line(work, other.label(), "**" + Figures.of(row.ratio(other).median()) + "** (" + range(row.ratio(other)) +
                ")", row, goal);
        }
        row.goals().stream().filter(Goal::isAbsolute).forEach(goal ->
            line(work, "", "**" + Figures.of(row.ours().values()) + "** " + row.unit(), row, goal));
    }

    private void line(final String work, final String against, final String figure, final Row row, final Goal goal)
    {
        page.append("| ").append(work).append(" | ").append(against).append(" | ").append(figure).append(" | ")
            .append(null == goal ? "" : (row.isLessBetter() ? "<= " : ">= ") + Figures.of(goal.bound()))
            .append(" | ").append(null == goal ? "" : row.isMet(goal) ? "met" : "**missed**").append(" |\n");
    }

    private void details(final ScenarioResult result)
    {
        page.append("\n<a id=\"").append(result.name()).append("\"></a>\n\n## ").append(result.title()).append("\n\n")
            .append(result.about()).append("\n\n![").append(result.title()).append("](").append(result.name())
            .append(".svg)\n\n| row | side | median (least-greatest) | unit | ns of processor time a packet |\n")
            .append("|---|---|---|---|---|\n");
        for (final Row row : result.rows())
        {
            for (final SideRun side : row.sides())
            {
                page.append("| ").append(row.name()).append(" | ").append(side.label()).append(" | ")
                    .append(Figures.of(side.values())).append(" | ").append(row.unit()).append(" | ")
                    .append(side.cpuNs().isEmpty() ? "" : Figures.of(side.cpuNs().median())).append(" |\n");
            }
        }
        page.append("\n");
        for (final Row row : result.rows())
        {
            if (!row.note().isEmpty())
            {
                page.append("- ").append(row.name()).append(": ").append(row.note()).append("\n");
            }
        }
        final Distribution calls = Distribution.of(result.rows().stream().mapToDouble(
            row -> row.systemCallNs().median()).toArray());
        final Distribution trips = Distribution.of(result.rows().stream().mapToDouble(
            row -> row.coreToCoreNs().median()).toArray());
        page.append("\nA system call cost ").append(Figures.of(calls)).append(" ns, core to core and back ")
            .append(Figures.of(trips)).append(" ns. ").append(result.date()).append(", ")
            .append(String.join("; ", result.machine().entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue()).toList()))
            .append(".\n\n```\n").append(result.command()).append("\n```\n");
    }

    private static String range(final Distribution values)
    {
        return Figures.of(values.min()) + "-" + Figures.of(values.max());
    }
}
