package io.ringtap.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Says where the benchmarks are: the launcher of a source tree runs them, and this jar does not hold them. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
        "Measure each idea against its absence, and the backend against others (--peers).",
        "",
        "Benchmarks are built from a source tree: run ./ringtap bench --help there."})
final class BenchCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Unmatched
    private final List<String> words = new ArrayList<>();

    @Override
    public Integer call()
    {
        spec.commandLine().getErr().println("ringtap: bench " + String.join(" ", words) +
            ": the benchmarks are not part of this jar; run ./ringtap bench in a source tree, which builds them " +
            "(needs Maven and, for the loops in C, gcc)");
        return Program.FAILED;
    }
}
