package io.ringtap.command;

import io.ringtap.ConfigException;
import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpVerdict;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.ProgramCode;
import io.ringtap.xdp.bpf.elf.BtfPrinter;
import io.ringtap.xdp.bpf.elf.LoadedObject;
import io.ringtap.xdp.bpf.elf.Variable;
import io.ringtap.xdp.bpf.helper.StandardHelpers;
import io.ringtap.xdp.bpf.map.MapAccess;
import io.ringtap.xdp.trial.CaptureReader;
import io.ringtap.xdp.trial.CaptureWriter;
import io.ringtap.xdp.trial.CapturedFrame;
import io.ringtap.xdp.trial.ProgramTrial;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code ringtap xdp run}: shows captured frames to a program and tells what it does with each. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "",
        "Show the frames of a capture file to a program, one by one and in their order, and print its verdict on " +
            "each. Runs exactly what would run on a guest's frames; needs no rights, no kernel and no guest."},
    footer = {
        "",
        "Example:",
        "  tcpdump -i eth0 -w frames.pcap -c 100",
        "  ringtap xdp run filter.o:xdp_drop frames.pcap -w passed.pcap"})
final class XdpRunCommand implements Callable<Integer>
{
    /** Entries of a map that are printed. */
    private static final int MAX_ENTRIES = 10_000;

    @Mixin
    private final XdpObjectOptions options = new XdpObjectOptions();

    @Parameters(index = "1", paramLabel = "FILE",
        description = "Frames: pcap or pcapng of Ethernet.")
    private Path file;

    @Option(names = {"-w", "--write"}, paramLabel = "FILE", order = 1,
        description = "Write the frames that are not dropped, as the program leaves them, to a pcap file.")
    private Path out;

    @Option(names = "--direction", paramLabel = "guest|host", order = 2, defaultValue = "guest",
        description = "Where the frames come from: the guest, or the host (${DEFAULT-VALUE}).")
    private String direction;

    @Option(names = "--queue", paramLabel = "N", order = 3, defaultValue = "0",
        description = "The queue they are said to come by: rx_queue_index (${DEFAULT-VALUE}).")
    private String queue;

    @Option(names = "--ifindex", paramLabel = "N", order = 4, defaultValue = "0",
        description = "The port they are said to come from: ingress_ifindex (${DEFAULT-VALUE}).")
    private String ifindex;

    @Option(names = "--maps", order = 5,
        description = "Print what the maps hold in the end, without entries that are 0.")
    private boolean isMaps;

    @Option(names = "--json", order = 6,
        description = "Print JSON, one object a line: each frame, then the summary.")
    private boolean isJson;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        final int from = switch (direction)
        {
            case "guest" -> FrameView.FROM_GUEST;
            case "host" -> FrameView.TO_GUEST;
            default -> throw new ConfigException("--direction=" + direction, "no such choice", "give guest or host");
        };
        final int onQueue = Values.number("--queue", queue, 0, options.queues() - 1);
        final int port = Values.number("--ifindex", ifindex, 0, Integer.MAX_VALUE);
        final PrintWriter err = spec.commandLine().getErr();
        final LoadedObject loaded = options.read().load(options.processors(), StandardHelpers.all(),
            (warning) -> err.println("ringtap: " + warning));
        try (CaptureReader reader = CaptureReader.open(file);
            CaptureWriter writer = null == out ? null : new CaptureWriter(out))
        {
            final ProgramCode code = loaded.program(options.reference().program());
            final ProgramTrial trial = new ProgramTrial(code, from, onQueue, 2 * onQueue + from);
            trial.interfaces(port, 0);
            final int count = run(trial, reader, writer);
            if (isMaps)
            {
                maps(loaded);
            }
            summary(trial, code, loaded, count);
        }
        return Program.DONE;
    }

    private int run(final ProgramTrial trial, final CaptureReader reader, final CaptureWriter writer)
    {
        int count = 0;
        for (CapturedFrame frame = reader.next(); null != frame; frame = reader.next())
        {
            final ProgramTrial.Outcome outcome = trial.judge(frame);
            count++;
            final Map<String, Object> tree = tree(count, frame, outcome);
            spec.commandLine().getOut().println(isJson ? BtfPrinter.json(tree) : line(count, frame, outcome));
            if (null != writer && outcome.verdict() >= XdpVerdict.PASS)
            {
                writer.write(outcome.frame());
            }
        }
        return count;
    }

    private static Map<String, Object> tree(
        final int number, final CapturedFrame frame, final ProgramTrial.Outcome outcome)
    {
        final Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("frame", number);
        tree.put("verdict", XdpVerdict.nameOf(outcome.verdict()));
        tree.put("length", frame.bytes().length);
        if (outcome.target() >= 0)
        {
            tree.put("port", outcome.target());
        }
        if (!outcome.isSame())
        {
            tree.put("rewritten", true);
            tree.put("new_length", outcome.frame().bytes().length);
        }
        if (null != outcome.fault())
        {
            tree.put("fault", outcome.fault());
        }
        if (!frame.isWhole())
        {
            tree.put("original_length", frame.originalLength());
        }
        return tree;
    }

    private static String line(final int number, final CapturedFrame frame, final ProgramTrial.Outcome outcome)
    {
        final StringBuilder line = new StringBuilder(String.format("%6d  %-8s  %5d bytes", number,
            XdpVerdict.nameOf(outcome.verdict()), frame.bytes().length));
        if (!frame.isWhole())
        {
            line.append(" of ").append(frame.originalLength()).append(", the rest was not captured");
        }
        if (outcome.target() >= 0)
        {
            line.append(", to port ").append(outcome.target());
        }
        if (!outcome.isSame())
        {
            line.append(", rewritten");
            if (outcome.frame().bytes().length != frame.bytes().length)
            {
                line.append(" to ").append(outcome.frame().bytes().length).append(" bytes");
            }
        }
        return line.append(null == outcome.fault() ? "" : ": " + outcome.fault()).toString();
    }

    private void maps(final LoadedObject loaded)
    {
        final PrintWriter print = spec.commandLine().getOut();
        for (final BpfMap map : loaded.maps())
        {
            if (!MapAccess.isFor(map) || loaded.isGlobal(map))
            {
                continue;
            }
            for (final Map<String, Object> entry : loaded.view(map.name()).entries(MAX_ENTRIES, true))
            {
                final Map<String, Object> tree = new LinkedHashMap<>();
                tree.put("map", map.name());
                tree.putAll(entry);
                final Object value = entry.containsKey("value") ? entry.get("value") : entry.get("values");
                print.println(isJson ? BtfPrinter.json(tree) : map.name() + "[" + BtfPrinter.text(entry.get("key")) +
                    "] = " + BtfPrinter.text(value));
            }
        }
        for (final Variable variable : loaded.object().variables())
        {
            if (!loaded.map(variable.map()).isReadOnly())
            {
                final Object value = loaded.get(variable.name());
                print.println(isJson ? BtfPrinter.json(Map.of("variable", variable.name(), "value", value)) :
                    variable.name() + " = " + BtfPrinter.text(value));
            }
        }
    }

    private void summary(
        final ProgramTrial trial, final ProgramCode code, final LoadedObject loaded, final int count)
    {
        final PrintWriter print = spec.commandLine().getOut();
        final Map<String, Object> verdicts = new LinkedHashMap<>();
        for (int verdict = XdpVerdict.ABORTED; verdict <= XdpVerdict.REDIRECT; verdict++)
        {
            if (isJson || trial.count(verdict) > 0)
            {
                verdicts.put(XdpVerdict.nameOf(verdict), trial.count(verdict));
            }
        }
        if (isJson)
        {
            final Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("object", loaded.object().name());
            tree.put("program", code.program().name());
            tree.put("form", code.form());
            tree.put("frames", count);
            tree.put("verdicts", verdicts);
            print.println(BtfPrinter.json(tree));
            return;
        }
        final StringBuilder words = new StringBuilder();
        verdicts.forEach((verdict, frames) ->
            words.append(words.isEmpty() ? ": " : ", ").append(frames).append(' ').append(verdict));
        print.println(count + (1 == count ? " frame" : " frames") + words + " by " + code.program().name() + " of " +
            loaded.object().name() + ", " + code.form());
    }
}
