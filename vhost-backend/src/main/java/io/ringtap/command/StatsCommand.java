package io.ringtap.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code ringtap stats}: the counters of a running backend. */
@Command(name = "stats", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Show the counters of a running backend: those that are not 0, or all of them.")
final class StatsCommand implements Callable<Integer>
{
    @Mixin
    private final ControlOptions control = new ControlOptions();

    @Option(names = "--all", description = "Show counters that are 0 too.")
    private boolean isAll;

    @Option(names = "--verbose", description = "Say what each counter means.")
    private boolean isVerbose;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        final Map<String, Object> request = control.request("stats");
        request.put("meanings", isVerbose);
        final Map<String, Object> answer = control.ask(request);
        final PrintWriter out = spec.commandLine().getOut();
        if (!control.printedJson(out, answer))
        {
            print(out, answer);
        }
        return Program.DONE;
    }

    private void print(final PrintWriter out, final Map<String, Object> answer)
    {
        final Map<?, ?> meanings = isVerbose ? (Map<?, ?>)answer.get("meanings") : Map.of();
        final TextTable table = new TextTable("PORT", "OF", "COUNTER", "VALUE", isVerbose ? "MEANING" : "");
        for (final Map.Entry<?, ?> port : ((Map<?, ?>)answer.get("ports")).entrySet())
        {
            for (final Object set : (List<?>)port.getValue())
            {
                final Map<?, ?> counters = (Map<?, ?>)((Map<?, ?>)set).get("counters");
                for (final Map.Entry<?, ?> counter : counters.entrySet())
                {
                    if (isAll || !Long.valueOf(0).equals(counter.getValue()))
                    {
                        table.row(port.getKey(), ((Map<?, ?>)set).get("scope"), counter.getKey(), counter.getValue(),
                            meanings.get(counter.getKey()));
                    }
                }
            }
        }
        table.print(out);
    }
}
