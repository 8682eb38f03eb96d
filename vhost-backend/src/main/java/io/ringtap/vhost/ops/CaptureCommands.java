package io.ringtap.vhost.ops;

import io.ringtap.capture.Capture;
import io.ringtap.capture.CaptureException;
import io.ringtap.capture.CaptureOptions;
import io.ringtap.capture.FrameFilter;
import io.ringtap.capture.PacketFilter;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Records frames while they flow: {@code capture.start}, {@code capture.show}, {@code capture.stop}. */
final class CaptureCommands
{
    private static final List<String> DIRECTIONS = List.of("both", "guest", "host");
    private static final int MIB_SHIFT = 20;

    private final NicDirectory nics;

    CaptureCommands(final NicDirectory nics)
    {
        this.nics = nics;
    }

    void register(final ControlCommands commands)
    {
        commands.register("capture.start", "records a port's frames; port=NAME, file=PATH, " +
            "direction=both|guest|host, snapLength=BYTES, fileMib=MIB, files=N, filter=TEXT of tcpdump -ddd or " +
            "object=OBJ[:PROG], which passes what it wants", XdpCommands.guarded(this::start));
        commands.register("capture.show", "shows what is recorded; port=NAME for one port", this::show);
        commands.register("capture.stop", "ends a recording and completes its file; port=NAME", this::stop);
    }

    private Object start(final Request request)
    {
        final Nic nic = nics.one(request);
        final String file = request.text("file");
        final int mib = request.number(
            "fileMib", CaptureOptions.MIN_FILE_MIB, CaptureOptions.MAX_FILE_MIB, CaptureOptions.UNLIMITED);
        final CaptureOptions options = new CaptureOptions(
            path(file),
            request.number("snapLength", CaptureOptions.MIN_SNAP_LENGTH, CaptureOptions.MAX_SNAP_LENGTH,
                CaptureOptions.MAX_SNAP_LENGTH),
            (long)mib << MIB_SHIFT,
            request.number("files", 1, CaptureOptions.MAX_FILES, CaptureOptions.UNLIMITED),
            directions(request.choice("direction", DIRECTIONS.get(0), DIRECTIONS)),
            filter(nic, request.text("filter", null), request.text("object", null)));
        request.refuseRest();
        if (options.files() != CaptureOptions.UNLIMITED && mib == CaptureOptions.UNLIMITED)
        {
            throw new CommandException("files=" + options.files(),
                "a file that may grow without end has no successor", "give fileMib too");
        }
        try
        {
            nic.capture().start(options);
        }
        catch (final CaptureException ex)
        {
            throw new CommandException(ex.object(), ex.problem(), ex.remedy());
        }
        return describe(nic);
    }

    private Object show(final Request request)
    {
        final List<Object> recordings = new ArrayList<>();
        for (final Nic nic : nics.named(request))
        {
            recordings.add(describe(nic));
        }
        return Map.of("ports", recordings);
    }

    private Object stop(final Request request)
    {
        final Nic nic = nics.one(request);
        request.refuseRest();
        final Map<String, Object> last = describe(nic);
        final Capture running = nic.capture().running();
        nic.capture().close();
        if (running != null)
        {
            // What the rings still held was written meanwhile.
            last.put("frames", running.frames());
            last.put("state", running.failure() == null ? "ended" : "failed");
        }
        return last;
    }

    private static Map<String, Object> describe(final Nic nic)
    {
        final Capture running = nic.capture().running();
        final Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("port", nic.name());
        shown.put("state", running == null ? "off" : running.failure() == null ? "recording" : "failed");
        if (running != null)
        {
            shown.put("file", running.options().file().toString());
            shown.put("frames", running.frames());
            shown.put("missed", running.missed());
            shown.put("filtered", running.filtered());
            if (running.failure() != null)
            {
                shown.put("failure", running.failure());
            }
        }
        return shown;
    }

    /** An absolute one: the backend's directory is none that a client knows. */
    private static Path path(final String file)
    {
        final Path path = file.indexOf(0) >= 0 ? null : Path.of(file);
        if (path == null || !path.isAbsolute())
        {
            throw new CommandException(
                "file=" + Request.shortened(file), "not an absolute path", "begin it with a slash");
        }
        return path;
    }

    private static FrameFilter filter(final Nic nic, final String expression, final String object)
    {
        if (null != expression && null != object)
        {
            throw new CommandException("filter and object", "one of them says what is recorded", "give one");
        }
        if (null != object)
        {
            return ProgramFilter.load(ProgramFile.of(object), nic.number());
        }
        try
        {
            return null == expression ? null : PacketFilter.parse(expression);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new CommandException("the filter", ex.getMessage(), "give what tcpdump -ddd EXPRESSION prints");
        }
    }

    private static int directions(final String word)
    {
        return switch (word)
        {
            case "guest" -> CaptureOptions.FROM_GUEST;
            case "host" -> CaptureOptions.TO_GUEST;
            default -> CaptureOptions.FROM_GUEST | CaptureOptions.TO_GUEST;
        };
    }
}
