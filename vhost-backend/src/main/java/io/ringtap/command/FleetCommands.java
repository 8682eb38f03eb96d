package io.ringtap.command;

import io.ringtap.BackendConfig;
import io.ringtap.ConfigException;
import io.ringtap.Fleet;
import io.ringtap.FleetConfig;
import io.ringtap.FleetException;
import io.ringtap.Handover;
import io.ringtap.PortState;
import io.ringtap.PortStatus;
import io.ringtap.port.PortException;
import io.ringtap.sys.Fd;
import io.ringtap.vhost.ops.CommandException;
import io.ringtap.vhost.ops.ControlCommands;
import io.ringtap.vhost.ops.NicDirectory;
import io.ringtap.vhost.ops.Parcel;
import io.ringtap.vhost.ops.Request;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lets NICs come and go through the control socket: {@code port.add}, {@code port.remove}, {@code port.states}. */
final class FleetCommands
{
    private static final String WORDS = "words";
    private static final String YAML = "yaml";
    private static final String FILE = "file";

    private final Fleet fleet;
    private final Runnable onHandedOver;

    /** @param onHandedOver what to do when a successor has everything. */
    FleetCommands(final Fleet fleet, final Runnable onHandedOver)
    {
        this.fleet = fleet;
        this.onHandedOver = onHandedOver;
    }

    void register(final ControlCommands commands)
    {
        commands.register("port.add", "starts ports; port=NAME and words=OPTIONS, one a line as on the command line, " +
            "or yaml=TEXT of a configuration file and file=NAME of it", this::add);
        commands.register("port.remove", "stops a port; port=NAME", this::remove);
        commands.register("takeover", "stops, hands the TAP and the front-end's socket to the caller and ends: for a " +
            "successor that was started with --takeover", (request) -> handOver(request, commands));
        commands.register("port.states", "shows every port, those that do not serve too", this::states);
    }

    private Object add(final Request request)
    {
        final Map<String, BackendConfig> ports = ports(request);
        request.refuseRest();
        final List<String> added = new ArrayList<>();
        try
        {
            for (final Map.Entry<String, BackendConfig> each : ports.entrySet())
            {
                fleet.add(each.getKey(), each.getValue());
                added.add(each.getKey());
            }
        }
        catch (final RuntimeException ex)
        {
            added.forEach(fleet::remove);
            throw refusal(ex);
        }
        return Map.of("added", added);
    }

    private static Map<String, BackendConfig> ports(final Request request)
    {
        try
        {
            final String yaml = request.text(YAML, null);
            if (null != yaml)
            {
                final FleetConfig file = ConfigFile.parse(
                    request.text(FILE, YAML), yaml.getBytes(StandardCharsets.UTF_8), Map.of());
                return file.ports();
            }
            final Map<ServeOption, String> given = ServeWords.parse(request.text(WORDS).lines().toArray(String[]::new));
            if (null == given || given.keySet().stream().anyMatch((option) -> !option.isKey() || option.isOfProcess()))
            {
                throw new CommandException(WORDS, "they are not options of one NIC, each once and complete",
                    "give them as ringtap --help shows them");
            }
            return Map.of(request.text(NicDirectory.PORT), ServeWords.conclude(given));
        }
        catch (final ConfigException | ConfigFileException ex)
        {
            throw refusal(ex);
        }
    }

    private Object remove(final Request request)
    {
        final String name = request.text(NicDirectory.PORT);
        request.refuseRest();
        try
        {
            fleet.remove(name);
        }
        catch (final FleetException ex)
        {
            throw refusal(ex);
        }
        return Map.of("removed", name);
    }

    private Object handOver(final Request request, final ControlCommands commands)
    {
        request.refuseRest();
        final Handover handover;
        try
        {
            handover = fleet.handOver();
        }
        catch (final ConfigException | PortException ex)
        {
            throw new CommandException("takeover", ex.getMessage(), "nothing has changed");
        }
        final List<Fd> descriptors = new ArrayList<>(List.of(handover.listener()));
        descriptors.addAll(handover.taps());
        commands.attach(new Parcel(descriptors, onHandedOver));
        final Map<String, Object> answer = new LinkedHashMap<>();
        answer.put(Takeover.SOCKET, handover.socketPath());
        answer.put(Takeover.QUEUES, handover.queues());
        answer.put(Takeover.TAPS, handover.taps().size());
        return answer;
    }

    private Object states(final Request request)
    {
        request.refuseRest();
        final List<Object> ports = new ArrayList<>();
        for (final PortStatus each : fleet.status())
        {
            final Map<String, Object> port = new LinkedHashMap<>();
            port.put("port", each.name());
            port.put("state", each.state().name().toLowerCase(Locale.ROOT));
            port.put(Takeover.SOCKET, each.config().socketPath());
            port.put(Takeover.QUEUES, each.config().queues());
            port.put("device", PortState.SERVING == each.state() ? each.backend().port().name() :
                each.config().portText());
            if (null != each.failure())
            {
                port.put("failure", each.failure());
            }
            ports.add(port);
        }
        return Map.of("ports", ports);
    }

    /** What has lines of its own keeps them; the error of the socket has one for each part. */
    private static CommandException refusal(final RuntimeException ex)
    {
        if (ex instanceof ConfigException refused)
        {
            return new CommandException(refused.value(), refused.limit(), refused.remedy());
        }
        final String text = ex instanceof ConfigFileException file ? String.join(" / ", file.lines()) :
            ex instanceof FleetException change ? String.join(" / ", change.lines()) : Remedies.describe(ex);
        return new CommandException("port.add or port.remove", text, "nothing has changed");
    }
}
