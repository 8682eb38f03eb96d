package io.ringtap.command;

import io.ringtap.ConfigException;
import io.ringtap.demo.Demo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.concurrent.Callable;

/** The demonstration's options, and its exit code. */
@Command(
    name = "demo",
    sortOptions = false,
    description = {
        "Show the backend at work without a virtual machine.",
        "",
        "Makes a network namespace with a TAP, starts a backend and the built-in guest, pings the guest with " +
        "ping(8), and sends as many UDP frames as it can in both directions, with live rates. Needs root, or a " +
        "system that lets users make namespaces and TAPs; leaves nothing behind."})
final class DemoCommand implements Callable<Integer>
{
    private static final int MAX_SECONDS = 3600;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "2", description =
        "Seconds for each of the four streams. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--verbose", description = "Show the backend's own messages, and the trace of an error.")
    private boolean verbose;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    private boolean help;

    @Override
    public Integer call() throws InterruptedException
    {
        if (seconds < 1 || seconds > MAX_SECONDS)
        {
            throw new ConfigException("--seconds=" + seconds, "not 1 to " + MAX_SECONDS, "give for example 2");
        }
        Logging.level(verbose ? Logging.VERBOSE : Logging.QUIET);
        final Termination termination = Termination.install();
        return Demo.run(System.out, seconds, termination::isSignalled) ? Program.DONE : Program.FAILED;
    }
}
