package io.ringtap.command;

import io.ringtap.ConfigLimits;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

    @Command(name = "mtu", mixinStandardHelpOptions = true,
        description = "Set the MTU of a port. The guest's own is another matter: it learns one when its driver starts.")
    int mtu(
        @Mixin final ControlOptions control,
        @Parameters(paramLabel = "BYTES", description = "68 to 65521.") final int bytes)
    {
        final Map<String, Object> request = control.request("port.mtu");
        request.put("mtu", Values.number("mtu", Integer.toString(bytes), ConfigLimits.MIN_MTU, ConfigLimits.MAX_MTU));
        return lines(control, request);
    }

    @Command(name = "rate", mixinStandardHelpOptions = true,
        description = "Limit how fast frames of a port may go, in bits a second such as 100M or 1.5G; none takes a " +
            "limit away. Without an option it shows the limits.")
    int rate(
        @Mixin final ControlOptions control,
        @Option(names = "--guest", paramLabel = "BITS", description = "Frames from the guest.") final String guest,
        @Option(names = "--host", paramLabel = "BITS", description = "Frames to the guest.") final String host)
    {
        final Map<String, Object> request = control.request("port.rate");
        put(request, "guest", guest);
        put(request, "host", host);
        return lines(control, request);
    }

    private static void put(final Map<String, Object> request, final String name, final String text)
    {
        if (null != text)
        {
            request.put(name, "none".equals(text) ? 0 : Values.bits("--" + name, text));
        }
    }

    @Command(name = "features", mixinStandardHelpOptions = true,
        description = "Show what was offered to the guest and what its driver took.")
    int features(@Mixin final ControlOptions control)
    {
        return lines(control, control.request("port.features"));
    }

    private int lines(final ControlOptions control, final Map<String, Object> request)
    {
        final Map<String, Object> answer = control.ask(request);
        final PrintWriter out = spec.commandLine().getOut();
        if (!control.printedJson(out, answer))
        {
            answer.forEach((name, value) -> out.println(name + ": " + (value instanceof List<?> words ?
                String.join(" ", words.stream().map(String::valueOf).toList()) : value)));
        }
        return Program.DONE;
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
