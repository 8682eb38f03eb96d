package io.ringtap.vhost.ops;

import io.ringtap.vhost.dataplane.FrameTrace;
import org.agrona.DirectBuffer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Follows single frames through the rooms: {@code trace.start}, {@code trace.read}, {@code trace.stop}. */
final class TraceCommands
{
    private static final List<String> DIRECTIONS = List.of("both", "guest", "host");
    private static final int MAX_EVERY = 1_000_000_000;
    /** Of each queue a request; others wait in its ring. */
    private static final int MAX_RECORDS = 256;

    private final NicDirectory nics;

    TraceCommands(final NicDirectory nics)
    {
        this.nics = nics;
    }

    void register(final ControlCommands commands)
    {
        commands.register("trace.start", "follows one of so many frames of each queue; port=NAME, every=N, " +
            "direction=both|guest|host, filter=TEXT of tcpdump -ddd", this::start);
        commands.register("trace.read", "shows frames that were followed since the last time; port=NAME", this::read);
        commands.register("trace.stop", "ends it; port=NAME", this::stop);
    }

    private Object start(final Request request)
    {
        final Nic nic = nics.one(request);
        final int every = request.number("every", 1, MAX_EVERY, 1);
        final String direction = request.choice("direction", DIRECTIONS.get(0), DIRECTIONS);
        final String filter = request.text("filter", null);
        request.refuseRest();
        try
        {
            nic.trace().start("guest".equals(direction) ? 1 : "host".equals(direction) ? 2 : 3, every, filter);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new CommandException("the filter", ex.getMessage(), "give what tcpdump -ddd EXPRESSION prints");
        }
        return Map.of(NicDirectory.PORT, nic.name(), "every", every, "direction", direction);
    }

    private Object stop(final Request request)
    {
        final Nic nic = nics.one(request);
        request.refuseRest();
        nic.trace().close();
        return Map.of(NicDirectory.PORT, nic.name());
    }

    private Object read(final Request request)
    {
        final Nic nic = nics.one(request);
        request.refuseRest();
        final List<FrameTrace> traces = nic.trace().traces();
        if (traces.isEmpty())
        {
            throw new CommandException("trace of " + nic.name(), "no frames are followed", "start it first");
        }
        final List<Object> frames = new ArrayList<>();
        long missed = 0;
        for (int i = 0; i < traces.size(); i++)
        {
            final int queue = i;
            traces.get(i).drain((type, buffer, at, length) -> frames.add(frame(queue, buffer, at)), MAX_RECORDS);
            missed += traces.get(i).missed();
        }
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put(NicDirectory.PORT, nic.name());
        result.put("missed", missed);
        result.put("frames", frames);
        return result;
    }

    private static Map<String, Object> frame(final int queue, final DirectBuffer record, final int at)
    {
        final Map<String, Object> frame = new LinkedHashMap<>();
        frame.put("queue", queue);
        frame.put("direction", DIRECTIONS.get(1 + record.getInt(at + FrameTrace.DIRECTION)));
        frame.put("timeMs", record.getLong(at + FrameTrace.TIME));
        frame.put("length", record.getInt(at + FrameTrace.LENGTH));
        frame.put("packets", record.getInt(at + FrameTrace.PACKETS));
        frame.put("fate", lower(FrameTrace.Fate.values()[record.getInt(at + FrameTrace.FATE)]));
        final Map<String, Object> steps = new LinkedHashMap<>();
        for (final FrameTrace.Step step : FrameTrace.Step.values())
        {
            final long ns = record.getLong(at + FrameTrace.STEPS + step.ordinal() * Long.BYTES);
            if (FrameTrace.NO_STEP != ns)
            {
                steps.put(lower(step), ns);
            }
        }
        frame.put("stepsNs", steps);
        final StringBuilder head = new StringBuilder();
        for (int i = 0, n = record.getInt(at + FrameTrace.HEAD_LENGTH); i < n; i++)
        {
            head.append(String.format("%02x", record.getByte(at + FrameTrace.HEAD + i)));
        }
        frame.put("head", head.toString());
        return frame;
    }

    private static String lower(final Enum<?> name)
    {
        return name.name().toLowerCase(Locale.ROOT);
    }
}
