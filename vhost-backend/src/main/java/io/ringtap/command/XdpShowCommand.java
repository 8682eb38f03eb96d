package io.ringtap.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.Callable;

/** {@code ringtap xdp show}: what judges the frames of a running backend. */
@Command(name = "show", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Show hooks in the order in which frames meet them, their verdicts, faults and maps.")
final class XdpShowCommand implements Callable<Integer>
{
    @Mixin
    private final ControlOptions control = new ControlOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        final Map<String, Object> answer = control.ask(control.request("xdp.show"));
        final PrintWriter out = spec.commandLine().getOut();
        if (control.printedJson(out, answer))
        {
            return Program.DONE;
        }
        final TextTable table = new TextTable("PORT", "FROM", "ID", "HOOK", "FORM", "PASS", "DROP", "TX", "REDIRECT",
            "ABORTED", "FAULTS", "FRAMES", "MAPS");
        for (final Object each : (List<?>)answer.get("ports"))
        {
            final Map<?, ?> port = (Map<?, ?>)each;
            for (final String direction : List.of("guest", "host"))
            {
                for (final Object hook : (List<?>)port.get(direction))
                {
                    row(table, port, direction, (Map<?, ?>)hook);
                }
            }
        }
        if (table.isEmpty())
        {
            out.println("no hooks: every frame passes unseen");
        }
        else
        {
            table.print(out);
        }
        return Program.DONE;
    }

    private static void row(
        final TextTable table, final Map<?, ?> port, final String direction, final Map<?, ?> hook)
    {
        final StringJoiner maps = new StringJoiner(" ");
        if (hook.get("maps") instanceof List<?> list)
        {
            list.forEach((map) -> maps.add(String.valueOf(((Map<?, ?>)map).get("map"))));
        }
        final Object changes = hook.get("changesFrames");
        table.row(port.get("port"), direction, hook.get("id"), hook.get("hook"),
            null == hook.get("form") ? "java" : hook.get("form"), hook.get("pass"), hook.get("drop"), hook.get("tx"),
            hook.get("redirect"), hook.get("aborted"), hook.get("faults"),
            null == changes ? "" : Boolean.TRUE.equals(changes) ? "changes" : "looks", maps);
    }
}
