package io.ringtap.command;

import io.ringtap.vhost.ops.ControlClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code ringtap trace}: single frames on their way through a running backend, with the time of each step. */
@Command(name = "trace", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Follow single frames through a running backend and show how long each step took: admitted (copied " +
        "and checked), judged (by filters and programs), sorted (and merged), sent (to the host, or into the guest's " +
        "ring), done. Until Ctrl-C or --frames; costs nothing afterwards.")
final class TraceCommand implements Callable<Integer>
{
    private static final int LOOK_MS = 200;
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

    @Mixin
    private final ControlOptions control = new ControlOptions();

    @Option(names = {"-e", "--every"}, paramLabel = "N", defaultValue = "1000",
        description = "One of so many frames of each queue. Default: ${DEFAULT-VALUE}.")
    private int every;

    @Option(names = {"-f", "--filter"}, paramLabel = "EXPR", description = "Of those that this expression of " +
        "pcap-filter(7) fits; tcpdump has to be here to compile it.")
    private String expression;

    @Option(names = "--direction", paramLabel = "WHICH", defaultValue = "BOTH",
        description = "Frames by where they come from: ${COMPLETION-CANDIDATES}. Default: both.")
    private CaptureCommand.Direction direction;

    @Option(names = {"-c", "--frames"}, paramLabel = "N", description = "End after so many frames.")
    private Integer frames;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException
    {
        final Map<String, Object> start = control.request("trace.start");
        start.put("every", Values.number("--every", Integer.toString(every), 1, 1_000_000_000));
        start.put("direction", direction.name().toLowerCase(Locale.ROOT));
        final long most = null == frames ? Long.MAX_VALUE :
            Values.number("--frames", Integer.toString(frames), 1, Integer.MAX_VALUE);
        if (null != expression)
        {
            start.put("filter", FilterExpression.compile(expression));
        }
        final Termination termination = Termination.install();
        try (ControlClient client = control.connect())
        {
            client.ask(start);
            try
            {
                long shown = 0;
                while (shown < most && !termination.await(LOOK_MS))
                {
                    shown += show(client.ask(control.request("trace.read")), most - shown);
                }
            }
            finally
            {
                client.ask(control.request("trace.stop"));
            }
        }
        return Program.DONE;
    }

    private long show(final Map<String, Object> answer, final long most)
    {
        final PrintWriter out = spec.commandLine().getOut();
        final List<?> all = (List<?>)answer.get("frames");
        if (!all.isEmpty() && !control.printedJson(out, answer))
        {
            all.stream().limit(most).forEach((frame) -> out.println(line((Map<?, ?>)frame)));
            out.flush();
        }
        return all.size();
    }

    private static String line(final Map<?, ?> frame)
    {
        final LocalTime time = LocalTime.ofInstant(Instant.EPOCH.plus(
            ((Number)frame.get("timeMs")).longValue(), ChronoUnit.MILLIS), ZoneId.systemDefault());
        final StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%s queue %s %s %s B %s",
            CLOCK.format(time), frame.get("queue"), "guest".equals(frame.get("direction")) ? "from guest" : "to guest",
            frame.get("length"), FrameText.of(String.valueOf(frame.get("head")))));
        final long packets = ((Number)frame.get("packets")).longValue();
        line.append(1 < packets ? " (" + packets + " packets)" : "");
        long before = 0;
        for (final Map.Entry<?, ?> step : ((Map<?, ?>)frame.get("stepsNs")).entrySet())
        {
            final long ns = ((Number)step.getValue()).longValue();
            if (!"taken".equals(step.getKey()))
            {
                line.append(String.format(Locale.ROOT, "  %s +%.1f", step.getKey(), (ns - before) / 1e3));
            }
            before = ns;
        }
        return line.append(" us  ").append(frame.get("fate")).toString();
    }
}
