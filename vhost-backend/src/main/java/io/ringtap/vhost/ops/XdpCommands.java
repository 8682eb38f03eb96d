package io.ringtap.vhost.ops;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.bpf.elf.ObjectException;
import io.ringtap.xdp.bpf.helper.TraceLog;
import io.ringtap.xdp.bpf.map.MapException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** eBPF programs on the way of frames: {@code xdp.load}, {@code xdp.unload}, {@code xdp.show}, {@code xdp.trace}. */
final class XdpCommands
{
    private static final Logger LOG = LoggerFactory.getLogger(XdpCommands.class);
    private static final List<String> DIRECTIONS = List.of("guest", "host", "both");
    private static final List<List<Integer>> MEANT = List.of(List.of(FrameView.FROM_GUEST),
        List.of(FrameView.TO_GUEST), List.of(FrameView.FROM_GUEST, FrameView.TO_GUEST));
    private static final int MAX_ID = Integer.MAX_VALUE;

    private final NicDirectory nics;

    XdpCommands(final NicDirectory nics)
    {
        this.nics = nics;
    }

    void register(final ControlCommands commands)
    {
        commands.register("xdp.load", "attaches a program; object=OBJ[:PROG], direction=guest|host|both, position=N, " +
            "replace=ID, set={variable:value}, entries={map:number}, oracle=true", guarded(this::load));
        commands.register("xdp.unload", "takes a program off; id=ID, or all=true", guarded(this::unload));
        commands.register("xdp.show", "shows hooks, verdicts, faults and maps", guarded(this::show));
        commands.register("xdp.trace", "shows lines that programs printed from number after on, and their last faults",
            guarded(this::trace));
        new XdpMapCommands(nics).register(commands);
    }

    /** What a loader or a map says becomes an answer. */
    static ControlCommand guarded(final ControlCommand command)
    {
        return (request) ->
        {
            try
            {
                return command.run(request);
            }
            catch (final ObjectException | MapException | InvalidPathException ex)
            {
                throw new CommandException("the eBPF object", Request.shortened(String.valueOf(ex.getMessage())),
                    "ringtap xdp check OBJ tells more");
            }
        };
    }

    private Object load(final Request request)
    {
        final Nic nic = nics.one(request);
        final String direction = request.has("replace") ? "both" : request.choice("direction", null, DIRECTIONS);
        final int position = request.number("position", 0, MAX_ID, MAX_ID);
        final int replaced = request.number("replace", 1, MAX_ID, 0);
        final boolean isOracle = request.flag("oracle");
        final ProgramFile named = ProgramFile.of(request.text("object"));
        final ProgramFile file = new ProgramFile(named.path(), named.program(), texts(request.any("set")),
            numbers(request.any("entries")));
        request.has("direction");
        request.refuseRest();
        final List<String> warnings = new ArrayList<>();
        final List<AttachedProgram> attached =
            nic.hooks().attach(file, MEANT.get(DIRECTIONS.indexOf(direction)), position, replaced, warnings::add);
        warnings.forEach(LOG::warn);
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("attached", attached.stream().map(XdpView::program).toList());
        result.put("warnings", warnings);
        if (isOracle)
        {
            result.put("kernel", KernelOracle.ask(attached.get(0).code().program()));
        }
        attached.forEach((program) -> LOG.info("{}: program {} attached, id {}", nic.name(), program.name(),
            program.id()));
        return result;
    }

    private Object unload(final Request request)
    {
        final Nic nic = nics.one(request);
        final boolean isAll = request.flag("all");
        final int id = request.number("id", 1, MAX_ID, 0);
        request.refuseRest();
        if (isAll == (0 != id))
        {
            throw new CommandException("id and all", "one of them says what to take off", "give id=ID or all=true");
        }
        final List<Object> detached = new ArrayList<>();
        for (final AttachedProgram program : nic.hooks().programs())
        {
            if (isAll || id == program.id())
            {
                detached.add(XdpView.program(nic.hooks().detach(program.id())));
            }
        }
        if (detached.isEmpty() && !isAll)
        {
            nic.hooks().program(id);
        }
        return Map.of("detached", detached);
    }

    private Object show(final Request request)
    {
        final List<Object> ports = new ArrayList<>();
        for (final Nic nic : nics.named(request))
        {
            ports.add(XdpView.nic(nic));
        }
        return Map.of("ports", ports);
    }

    private Object trace(final Request request)
    {
        final long after = request.count("after", 0);
        final List<Object> lines = new ArrayList<>();
        for (final TraceLog.Line line : TraceLog.shared().lines(after))
        {
            final Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("number", line.number());
            shown.put("timeNs", line.timeNs());
            shown.put("processor", line.queue());
            shown.put("text", line.text());
            lines.add(shown);
        }
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("lines", lines);
        result.put("next", TraceLog.shared().written());
        result.put("dropped", TraceLog.shared().dropped());
        final List<Object> faults = new ArrayList<>();
        for (final Nic nic : nics.named(request))
        {
            for (final AttachedProgram program : nic.hooks().programs())
            {
                faults.addAll(XdpView.faults(nic, program));
            }
        }
        result.put("faults", faults);
        return result;
    }

    private static Map<String, String> texts(final Object value)
    {
        final Map<String, String> texts = new LinkedHashMap<>();
        for (final Map.Entry<?, ?> entry : map("set", value).entrySet())
        {
            texts.put((String)entry.getKey(), String.valueOf(entry.getValue()));
        }
        return texts;
    }

    private static Map<String, Integer> numbers(final Object value)
    {
        final Map<String, Integer> numbers = new LinkedHashMap<>();
        for (final Map.Entry<?, ?> entry : map("entries", value).entrySet())
        {
            if (!(entry.getValue() instanceof Long number) || number < 1 || number > Integer.MAX_VALUE)
            {
                throw new CommandException("entries of " + Request.shortened(String.valueOf(entry.getKey())),
                    "not a number from 1 up", "give a number");
            }
            numbers.put((String)entry.getKey(), (int)(long)number);
        }
        return numbers;
    }

    private static Map<?, ?> map(final String name, final Object value)
    {
        if (null == value)
        {
            return Map.of();
        }
        if (value instanceof Map<?, ?> map)
        {
            return map;
        }
        throw new CommandException(name, "not an object of names and values", "give {\"name\": value}");
    }
}
