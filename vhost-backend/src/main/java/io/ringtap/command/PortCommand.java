package io.ringtap.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code ringtap port}: the ports of a running backend and their links. */
@Command(name = "port", mixinStandardHelpOptions = true, sortOptions = false,
    synopsisSubcommandLabel = "COMMAND",
    description = "Look at the ports of a running backend, and take their links up or down.")
final class PortCommand
{
    @Spec
    private CommandSpec spec;

    /** What an operator may want of a link. */
    enum Link
    {
        UP,
        DOWN
    }

    @Command(name = "show", mixinStandardHelpOptions = true, description = "Show the ports.")
    int show(@Mixin final ControlOptions control)
    {
        return print(control, control.request("port.show"));
    }

    @Command(name = "link", mixinStandardHelpOptions = true,
        description = "Take the link of a port up or down: what the host's side sees as carrier.")
    int link(
        @Mixin final ControlOptions control,
        @Parameters(paramLabel = "up|down", description = "What it shall be.") final Link state)
    {
        final Map<String, Object> request = control.request("port.link");
        request.put("state", state.name().toLowerCase(Locale.ROOT));
        return print(control, request);
    }

    @Command(name = "remove", mixinStandardHelpOptions = true,
        description = "Stop a port; the others go on. A file read again at SIGHUP brings it back if it names it.")
    int remove(
        @Mixin final ControlOptions control,
        @Parameters(paramLabel = "NAME", description = "Name of the port, as port show tells it.") final String name)
    {
        final Map<String, Object> request = control.request("port.remove");
        request.put("port", name);
        final Map<String, Object> answer = control.ask(request);
        final PrintWriter out = spec.commandLine().getOut();
        if (!control.printedJson(out, answer))
        {
            out.println("removed " + name);
        }
        return Program.DONE;
    }

    private int print(final ControlOptions control, final Map<String, Object> request)
    {
        final Map<String, Object> answer = control.ask(request);
        final PrintWriter out = spec.commandLine().getOut();
        if (!control.printedJson(out, answer))
        {
            final TextTable table = new TextTable(
                "PORT", "INTERFACE", "NUMBER", "QUEUES", "MTU", "GUEST", "LINK", "FROM-GUEST", "TO-GUEST");
            final Object ports = answer.get("ports");
            for (final Object each : ports instanceof List<?> list ? list : List.of(answer))
            {
                final Map<?, ?> port = (Map<?, ?>)each;
                table.row(port.get("port"), port.get("interface"), port.get("number"), port.get("queues"),
                    port.get("mtu"), Boolean.TRUE.equals(port.get("connected")) ? "connected" : "away",
                    port.get("link"), port.get("framesFromGuest"), port.get("framesToGuest"));
            }
            table.print(out);
        }
        return Program.DONE;
    }
}
