package io.ringtap.command;

import io.ringtap.BackendConfig;
import io.ringtap.BackendConfigBuilder;
import io.ringtap.ConfigException;
import io.ringtap.Confinement;
import io.ringtap.Fleet;
import io.ringtap.FleetConfig;
import io.ringtap.FleetException;
import io.ringtap.PortKind;
import io.ringtap.PortState;
import io.ringtap.PortStatus;
import io.ringtap.ProcessConfig;
import io.ringtap.service.InheritedSockets;
import io.ringtap.service.Supervisor;
import io.ringtap.vhost.metrics.MetricsServer;
import io.ringtap.vhost.ops.Operations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Serves one NIC from options or many from a file: to configuration, to backends, then waits for the end. */
final class ServeCommand
{
    private ServeCommand()
    {
    }

    /**
     * Returns when the program is told to end or when the backend has nothing left to serve.
     *
     * @return the exit code.
     */
    static int run(final Map<ServeOption, String> given) throws Exception
    {
        final String file = given.get(ServeOption.CONFIG);
        if (null == file)
        {
            if (given.containsKey(ServeOption.CHECK))
            {
                throw new ConfigException("--check", "it checks a file", "give --config=FILE with it");
            }
            final BackendConfig nic = given.containsKey(ServeOption.TAKEOVER) ? takeOver(given) :
                ServeWords.conclude(given);
            return serve(new FleetConfig(ProcessConfig.of(nic), Map.of(FleetConfig.LONE, nic)), null, given);
        }
        final Map<ServeOption, String> ofProcess = new EnumMap<>(given);
        ofProcess.remove(ServeOption.CONFIG);
        ofProcess.remove(ServeOption.CHECK);
        for (final ServeOption option : ofProcess.keySet())
        {
            if (!option.isOfProcess())
            {
                throw new ConfigException("--config and " + option.word(), "the file says what a NIC is made of",
                    "write " + option.key() + " into the file");
            }
        }
        final FleetConfig config = ConfigFile.read(file, ofProcess);
        return given.containsKey(ServeOption.CHECK) ? Program.DONE : serve(config, file, ofProcess);
    }

    /** What the running backend hands over stands in the place of what the options say. */
    private static BackendConfig takeOver(final Map<ServeOption, String> given)
    {
        final BackendConfig asked = ServeWords.conclude(given);
        if (null == asked.controlPath() || null == asked.socketPath() || asked.client())
        {
            throw new ConfigException("--takeover", "the running backend is asked over its control socket",
                "give --control=PATH and --socket-path=PATH as it was started with");
        }
        if (PortKind.TAP != asked.portKind() && PortKind.NULL != asked.portKind())
        {
            throw new ConfigException("--takeover", "only TAPs can be handed over", "restart the backend instead");
        }
        final BackendConfigBuilder config = ServeWords.builder(given);
        Takeover.from(asked.controlPath(), asked.socketPath(), asked.queues(), config);
        return config.conclude();
    }

    /** @param file read again at SIGHUP; null for none. */
    private static int serve(final FleetConfig config, final String file, final Map<ServeOption, String> said)
        throws Exception
    {
        final ProcessConfig process = config.process();
        if (process.verbose())
        {
            Logging.level(Logging.VERBOSE);
        }
        final Confinement confinement = new Confinement(config);
        final Termination termination = Termination.install();
        try (Supervisor supervisor = Supervisor.ofProcess(); Operations operations = new Operations();
            Fleet fleet = Fleet.launch(config, operations.nics());
            MetricsServer metrics = null == process.metrics() ? null :
                MetricsServer.open(process.metrics(), operations.nics()))
        {
            if (null != metrics)
            {
                LoggerFactory.getLogger(ServeCommand.class).info("metrics on http://{}/metrics", metrics.address());
            }
            if (null != process.controlPath())
            {
                operations.listen(process.controlPath(), process.controlMode(), (commands) ->
                {
                    new FleetCommands(fleet, termination::signal).register(commands);
                    LogCommands.register(commands);
                });
            }
            fleet.onEnd(termination::signal);
            fleet.status().forEach(ServeCommand::tell);
            if (null != file)
            {
                Signals.handle("HUP", () ->
                {
                    supervisor.reloading();
                    reload(fleet, file, said);
                    supervisor.ready(summary(fleet));
                });
            }
            // Everything is open, and every thread that lives on is there.
            fleet.confined(confinement.enter(null != file || null != process.controlPath()));
            InheritedSockets.ofProcess().unused().forEach((path) -> LoggerFactory.getLogger(ServeCommand.class).warn(
                "{} was handed to us and no port has it as its socket-path: nobody answers there", path));
            supervisor.ready(summary(fleet));
            await(termination, supervisor, fleet);
            supervisor.stopping();
        }
        return Program.DONE;
    }

    /** Signs of life come from here, and only while every worker has answered. */
    private static void await(final Termination termination, final Supervisor supervisor, final Fleet fleet)
        throws InterruptedException
    {
        final long intervalMs = supervisor.aliveIntervalMs();
        if (0 == intervalMs)
        {
            termination.await();
            return;
        }
        while (!termination.await(intervalMs))
        {
            if (fleet.isResponsive())
            {
                supervisor.alive();
            }
        }
    }

    /** For {@code systemctl status}. */
    private static String summary(final Fleet fleet)
    {
        return String.join(", ", fleet.status().stream()
            .map((port) -> port.name() + ' ' + port.state().name().toLowerCase(Locale.ROOT)).toList());
    }

    /** Whatever is wrong with the file, what runs goes on. */
    private static void reload(final Fleet fleet, final String file, final Map<ServeOption, String> said)
    {
        final Logger log = LoggerFactory.getLogger(ServeCommand.class);
        try
        {
            log.warn("{} read again: {}", file, fleet.reload(ConfigFile.read(file, said)));
        }
        catch (final ConfigFileException ex)
        {
            refuse(log, file, ex.lines());
        }
        catch (final FleetException ex)
        {
            refuse(log, file, ex.lines());
        }
        catch (final RuntimeException ex)
        {
            refuse(log, file, List.of(String.valueOf(ex.getMessage())));
        }
    }

    private static void refuse(final Logger log, final String file, final List<String> lines)
    {
        lines.forEach((line) -> log.error("{}", line));
        log.error("{} is not taken: everything goes on as it was", file);
    }

    private static void tell(final PortStatus port)
    {
        if (PortState.SERVING == port.state())
        {
            final String device = port.backend().port().name();
            LoggerFactory.getLogger(ServeCommand.class).info(
                "{}{}: {}", port.name().equals(device) ? "" : port.name() + ", ", device, where(port.config()));
        }
    }

    private static String where(final BackendConfig config)
    {
        if (BackendConfig.NONE != config.fd())
        {
            return "serving the front-end on descriptor " + config.fd();
        }
        return (config.client() ? "connecting to" : "waiting for") + " a front-end on " + config.socketPath();
    }
}
