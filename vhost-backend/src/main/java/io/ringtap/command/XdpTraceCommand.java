package io.ringtap.command;

import io.ringtap.vhost.ops.ControlClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code ringtap xdp trace}: what programs print, and what they are aborted for. */
@Command(name = "trace", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Follow the lines that programs print (bpf_trace_printk, bpf_printk) and the faults that abort them.")
final class XdpTraceCommand implements Callable<Integer>
{
    /** Quick enough for people; the backend keeps more lines than come in that time. */
    private static final long PERIOD_MS = 250;

    @Mixin
    private final ControlOptions control = new ControlOptions();

    @Option(names = "--once", description = "Print what is there and end.")
    private boolean isOnce;

    @Spec
    private CommandSpec spec;

    private final Map<Object, Object> faultsSeen = new HashMap<>();
    private long next;

    @Override
    public Integer call() throws Exception
    {
        final Termination termination = Termination.install();
        try (ControlClient client = control.connect())
        {
            do
            {
                follow(client);
            }
            while (!isOnce && !stops(termination));
        }
        return Program.DONE;
    }

    private static boolean stops(final Termination termination) throws InterruptedException
    {
        termination.await(PERIOD_MS);
        return termination.isSignalled();
    }

    private void follow(final ControlClient client)
    {
        final Map<String, Object> request = control.request("xdp.trace");
        request.put("after", next);
        final Map<String, Object> answer = client.ask(request);
        final PrintWriter out = spec.commandLine().getOut();
        if (!control.printedJson(out, answer))
        {
            for (final Object each : (List<?>)answer.get("lines"))
            {
                final Map<?, ?> line = (Map<?, ?>)each;
                if ((Long)line.get("number") > next)
                {
                    out.println("... " + ((Long)line.get("number") - next) + " lines came and went");
                }
                next = (Long)line.get("number") + 1;
                out.printf("%.6f [%s] %s%n", (Long)line.get("timeNs") / 1e9, line.get("processor"), line.get("text"));
            }
            for (final Object each : (List<?>)answer.get("faults"))
            {
                fault(out, (Map<?, ?>)each);
            }
        }
        next = (Long)answer.get("next");
        out.flush();
    }

    private void fault(final PrintWriter out, final Map<?, ?> fault)
    {
        final Object key = List.of(fault.get("port"), fault.get("id"), fault.get("queue"));
        if (!fault.get("count").equals(faultsSeen.put(key, fault.get("count"))))
        {
            out.println("fault " + fault.get("count") + " of queue " + fault.get("queue") + ": " + fault.get("last"));
        }
    }
}
