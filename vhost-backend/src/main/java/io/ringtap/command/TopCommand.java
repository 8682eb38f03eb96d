package io.ringtap.command;

import io.ringtap.ConfigException;
import io.ringtap.terminal.Terminal;
import io.ringtap.top.Top;
import io.ringtap.top.TopOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

/** {@code ringtap top}: what a running backend does, live. */
@Command(name = "top", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Watch a running backend: packets and bits a second of each queue and direction, what is lost and " +
        "why, how long batches are and how long frames take. Keys sort, pause and switch; ? tells them. Without a " +
        "terminal it prints a line for each queue and direction instead.")
final class TopCommand implements Callable<Integer>
{
    @Mixin
    private final ControlOptions control = new ControlOptions();

    @Option(names = {"-i", "--interval"}, paramLabel = "SECONDS", defaultValue = "1",
        description = "Seconds between two looks: 0.1 to 3600. Default: ${DEFAULT-VALUE}.")
    private double interval;

    @Option(names = {"-c", "--count"}, paramLabel = "N", description = "End after so many looks.")
    private Integer count;

    @Option(names = "--plain", description = "Lines instead of a live picture, also on a terminal.")
    private boolean isPlain;

    @Option(names = "--ascii", description = "No characters beyond ASCII. Default: what the locale says.")
    private boolean isAscii;

    @Override
    public Integer call() throws InterruptedException
    {
        if (!(interval >= TopOptions.MIN_INTERVAL && interval <= TopOptions.MAX_INTERVAL))
        {
            throw new ConfigException("--interval=" + interval, "not 0.1 to 3600 seconds", "give for example 1");
        }
        final long looks = null == count ? Long.MAX_VALUE :
            Values.number("--count", Integer.toString(count), 1, Integer.MAX_VALUE);
        final boolean isTerminal = Terminal.isTerminal(Terminal.INPUT) && Terminal.isTerminal(Terminal.OUTPUT);
        final boolean isUnicode = Terminal.isUnicode(
            System.getenv("LC_ALL"), System.getenv("LC_CTYPE"), System.getenv("LANG"));
        final AtomicReference<Runnable> restore = new AtomicReference<>(() -> {});
        // The screen goes at once, also while we wait for an answer that does not come.
        final Termination termination = Termination.install(() -> restore.get().run());
        Top.run(control::connect, control::request, control.path(),
            new TopOptions(interval, looks, isPlain || !isTerminal || control.isJson(), isAscii || !isUnicode),
            termination::isSignalled, restore::set);
        return Program.DONE;
    }
}
