package io.ringtap.bench;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Machine;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.harness.ScenarioResult;
import io.ringtap.bench.harness.Settings;
import io.ringtap.bench.report.Report;
import io.ringtap.bench.report.ResultFile;
import io.ringtap.bench.scenario.Catalogue;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.RigException;
import org.opentest4j.TestAbortedException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Runs benchmarks and writes what came out. */
@Command(
    name = "ringtap bench",
    mixinStandardHelpOptions = true,
    description = {
        "Measures every idea against its absence and, with --peers, the backend against others. Needs root for its " +
        "own network namespaces, gcc for the C loops, and DPDK and QEMU for the peers (installed on Debian when " +
        "missing).",
        ""},
    sortOptions = false)
public final class Bench implements Callable<Integer>
{
    private static final int DONE = 0;
    private static final int FAILED = 1;

    @Parameters(paramLabel = "NAME", description = "Benchmarks to run; all by default. --list names them.")
    private List<String> names = new ArrayList<>();

    @Option(names = "--peers", description = "Also run against DPDK's testpmd, QEMU's own TAP and loops in C.")
    private boolean hasPeers;

    @Option(names = "--runs", paramLabel = "N", defaultValue = "5",
        description = "Turns of each side: ${DEFAULT-VALUE} by default, the fewest that a median is worth.")
    private int runs;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "2",
        description = "Length of a turn: ${DEFAULT-VALUE} by default.")
    private double seconds;

    @Option(names = "--warm-up", paramLabel = "S", defaultValue = "4",
        description = "Unmeasured turn of each side before: ${DEFAULT-VALUE} by default, what a JVM needs to compile.")
    private double warmUp;

    @Option(names = "--cpus", paramLabel = "FRONT,BACK", defaultValue = "0,1",
        description = "CPUs of the load and of what is measured: ${DEFAULT-VALUE} by default.")
    private String cpus;

    @Option(names = "--only", paramLabel = "TEXT", defaultValue = "",
        description = "Rows with this in their name: a part of a benchmark. The other rows of its file stay.")
    private String only;

    @Option(names = "--out", paramLabel = "DIR", description = "Where results go: docs/benchmarks by default.")
    private Path out;

    @Option(names = "--list", description = "Name the benchmarks and what they are, and exit.")
    private boolean isList;

    @Option(names = "--report", description = "Write charts and README.md anew from the results there are, and exit.")
    private boolean isReport;

    private CommandLine commandLine;
    private String words = "";

    private Bench()
    {
    }

    public static void main(final String[] args)
    {
        Places.settle();
        final Bench bench = new Bench();
        bench.words = String.join(" ", args);
        bench.commandLine = new CommandLine(bench)
            .setUsageHelpAutoWidth(true)
            .setExecutionExceptionHandler((failure, command, result) ->
            {
                System.err.println("ringtap bench: " + failure.getMessage());
                return FAILED;
            });
        final int code = bench.commandLine.execute(args);
        System.out.flush();
        System.exit(code);
    }

    @Override
    public Integer call()
    {
        final Path directory = null != out ? out : io.ringtap.it.rig.Settings.root().resolve("docs/benchmarks");
        if (isList)
        {
            Catalogue.all().forEach(each -> System.out.printf("%-16s %s%s%n", each.name(), each.title(),
                each.needsPeers() ? " (peers)" : ""));
            return DONE;
        }
        if (isReport)
        {
            Report.write(directory, Catalogue.all());
            return DONE;
        }
        final List<Scenario> chosen = choose();
        final Settings settings = settings(directory);
        boolean isWhole = true;
        for (final Scenario scenario : chosen)
        {
            isWhole &= run(scenario, settings);
        }
        Report.write(directory, Catalogue.all());
        Progress.say("results are in " + directory);
        return isWhole ? DONE : FAILED;
    }

    private List<Scenario> choose()
    {
        final List<Scenario> chosen = new ArrayList<>();
        for (final Scenario each : Catalogue.all())
        {
            if (names.isEmpty() ? hasPeers || !each.needsPeers() : names.contains(each.name()))
            {
                chosen.add(each);
            }
        }
        for (final String name : names)
        {
            if (Catalogue.all().stream().noneMatch(each -> each.name().equals(name)))
            {
                throw new ParameterException(commandLine, name + ": no such benchmark; see ringtap bench --list");
            }
        }
        return chosen;
    }

    private Settings settings(final Path directory)
    {
        final int[] numbers = new int[2];
        try
        {
            final String[] parts = cpus.split(",", 2);
            numbers[0] = Integer.parseInt(parts[0].strip());
            numbers[1] = Integer.parseInt(parts[parts.length - 1].strip());
        }
        catch (final NumberFormatException ex)
        {
            throw new ParameterException(commandLine, "--cpus=" + cpus + ": not two numbers of CPUs such as 0,1");
        }
        if (runs < 1 || !(seconds > 0))
        {
            throw new ParameterException(commandLine, "--runs=" + runs + " --seconds=" + seconds +
                ": both must be more than 0");
        }
        return new Settings(seconds, warmUp, runs, numbers[0], numbers[1], hasPeers || !names.isEmpty(), only,
            directory, "./ringtap bench " + words);
    }

    /** @return whether all of it could be measured. */
    private boolean run(final Scenario scenario, final Settings settings)
    {
        Progress.say("== " + scenario.name() + ": " + scenario.title());
        final List<Row> rows;
        try (Bed bed = Bed.open(scenario.getClass(), settings))
        {
            rows = scenario.run(bed);
        }
        catch (final RigException | TestAbortedException ex)
        {
            System.err.println("ringtap bench: " + scenario.name() + ": " + ex.getMessage());
            return false;
        }
        if (rows.isEmpty())
        {
            return false;
        }
        HostFiles.directories(settings.output());
        final Path file = settings.output().resolve(scenario.name() + ".json");
        final ScenarioResult result = new ScenarioResult(scenario.name(), scenario.title(), scenario.about(),
            settings.commandLine(), OffsetDateTime.now().truncatedTo(ChronoUnit.SECONDS).toString(), Machine.facts(),
            rows);
        ResultFile.write(file, only.isEmpty() || !Files.exists(file) ? result : result.over(ResultFile.read(file)));
        return rows.stream().allMatch(row -> row.note().isEmpty() || !row.note().contains(" failed: "));
    }
}
