package io.ringtap.command;

import io.ringtap.capture.CaptureOptions;
import io.ringtap.vhost.ops.CommandException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/** {@code ringtap capture}: records a running backend's frames until the user has seen enough. */
@Command(name = "capture", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Record the frames of a running backend to a pcapng file, as they arrived and with the verdict of " +
        "filters and XDP programs, until Ctrl-C, --frames or --seconds. The backend writes the file, which can be " +
        "opened while it grows.")
final class CaptureCommand implements Callable<Integer>
{
    private static final int LOOK_MS = 200;
    private static final int MS = 1000;
    /** No expression ends so: in those, a name that ends in .o has a word before it. */
    private static final Pattern OBJECT = Pattern.compile("\\S+\\.o(:\\w+)?");

    @Mixin
    private final ControlOptions control = new ControlOptions();

    @Option(names = {"-w", "--write"}, paramLabel = "FILE", required = true,
        description = "pcapng file to write, seen from the backend.")
    private Path file;

    @Option(names = "--direction", paramLabel = "WHICH", defaultValue = "BOTH",
        description = "Frames to record: ${COMPLETION-CANDIDATES}, that is from where they come. Default: both.")
    private Direction direction;

    @Option(names = {"-s", "--snap-length"}, paramLabel = "BYTES",
        description = "Most bytes of a frame that are kept: 14 to 65550, all by default.")
    private Integer snapLength;

    @Option(names = {"-f", "--filter"}, paramLabel = "EXPR|PROG.o[:NAME]", description = "Record only what this " +
        "expression of pcap-filter(7) fits, such as 'udp port 53' (tcpdump has to be here to compile it), or what " +
        "this XDP program passes: an object as clang writes it, seen from the backend.")
    private String filter;

    @Option(names = {"-C", "--file-mib"}, paramLabel = "MIB", description = "Begin the next file at this length.")
    private Integer fileMib;

    @Option(names = {"-W", "--files"}, paramLabel = "N",
        description = "Keep so many files: the oldest makes room. Needs --file-mib.")
    private Integer files;

    @Option(names = {"-c", "--frames"}, paramLabel = "N", description = "End after about so many frames.")
    private Integer frames;

    @Option(names = "--seconds", paramLabel = "S", description = "End after so many seconds.")
    private Integer seconds;

    @Spec
    private CommandSpec spec;

    /** Where frames come from. */
    enum Direction
    {
        BOTH,
        GUEST,
        HOST
    }

    @Override
    public Integer call() throws InterruptedException
    {
        final Termination termination = Termination.install();
        final Object begun = control.ask(start()).get("file");
        if (!control.isJson())
        {
            spec.commandLine().getErr().println("recording to " + begun + "; Ctrl-C ends it");
        }
        final Map<String, Object> last;
        try
        {
            watch(termination);
        }
        finally
        {
            last = control.ask(control.request("capture.stop"));
        }
        return report(last);
    }

    private Map<String, Object> start()
    {
        final Map<String, Object> request = control.request("capture.start");
        request.put("file", file.toAbsolutePath().toString());
        request.put("direction", direction.name().toLowerCase(Locale.ROOT));
        if (null != snapLength)
        {
            request.put("snapLength", within("--snap-length", snapLength,
                CaptureOptions.MIN_SNAP_LENGTH, CaptureOptions.MAX_SNAP_LENGTH));
        }
        if (null != filter && OBJECT.matcher(filter).matches())
        {
            request.put("object", Path.of(filter).toAbsolutePath().toString());
        }
        else if (null != filter)
        {
            request.put("filter", FilterExpression.compile(filter));
        }
        if (null != fileMib)
        {
            request.put("fileMib", within("--file-mib", fileMib,
                CaptureOptions.MIN_FILE_MIB, CaptureOptions.MAX_FILE_MIB));
        }
        if (null != files)
        {
            request.put("files", within("--files", files, 1, CaptureOptions.MAX_FILES));
        }
        if (null != frames)
        {
            within("--frames", frames, 1, Integer.MAX_VALUE);
        }
        if (null != seconds)
        {
            within("--seconds", seconds, 1, Integer.MAX_VALUE);
        }
        return request;
    }

    private static int within(final String option, final int value, final int least, final int most)
    {
        return Values.number(option, Integer.toString(value), least, most);
    }

    private void watch(final Termination termination) throws InterruptedException
    {
        final PrintWriter err = spec.commandLine().getErr();
        final boolean isShown = null != System.console() && !control.isJson();
        final long end = null == seconds ? Long.MAX_VALUE : System.nanoTime() / 1_000_000 + (long)seconds * MS;
        boolean isOn = true;
        while (isOn && !termination.await(LOOK_MS))
        {
            final Map<String, Object> now = control.ask(control.request("capture.show"));
            final Map<?, ?> recording = (Map<?, ?>)((List<?>)now.get("ports")).get(0);
            final long written = recording.get("frames") instanceof Number number ? number.longValue() : 0;
            if (isShown)
            {
                err.printf("\r%,d frames, %s missed ", written, recording.get("missed"));
                err.flush();
            }
            isOn = "recording".equals(recording.get("state")) && (null == frames || written < frames) &&
                System.nanoTime() / 1_000_000 < end;
        }
        if (isShown)
        {
            err.print("\r\033[K");
            err.flush();
        }
    }

    private int report(final Map<String, Object> last)
    {
        final PrintWriter out = spec.commandLine().getOut();
        if (!control.printedJson(out, last))
        {
            out.printf("%s: %s frames, %s missed%n", last.get("file"), last.get("frames"), last.get("missed"));
        }
        if (null != last.get("failure"))
        {
            throw new CommandException(String.valueOf(last.get("file")), "the recording ended by itself: " +
                last.get("failure"), "see what the message says");
        }
        return Program.DONE;
    }
}
