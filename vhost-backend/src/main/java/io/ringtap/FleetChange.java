package io.ringtap;

import io.ringtap.sandbox.Door;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What can and what cannot change while a process runs. */
final class FleetChange
{
    private FleetChange()
    {
    }

    /** @throws FleetException with a line for each thing that cannot change. */
    static void check(
        final ProcessConfig process, final Set<Door> open, final Map<String, BackendConfig> now, final FleetConfig next)
    {
        final List<String> lines = new ArrayList<>();
        fixed(lines, "workers", process.workers(), next.process().workers());
        fixed(lines, "worker-threads", process.threads(), next.process().threads());
        fixed(lines, "worker-cpus", process.cpus(), next.process().cpus());
        fixed(lines, "control", process.controlPath(), next.process().controlPath());
        fixed(lines, "control-mode", process.controlMode(), next.process().controlMode());
        fixed(lines, "metrics", process.metrics(), next.process().metrics());
        fixed(lines, "sandbox", process.isolation().sandbox(), next.process().isolation().sandbox());
        fixed(lines, "run-as", process.isolation().runAs(), next.process().isolation().runAs());
        fixed(lines, "verbose", process.verbose(), next.process().verbose());
        next.ports().forEach((name, config) ->
        {
            if (!config.equals(now.get(name)) && isInherited(config))
            {
                lines.add("port " + name + ": fd or tap-fd: descriptors are inherited at the start of the process; " +
                    "use socket-path and tap, or start the process again");
            }
            if (!config.equals(now.get(name)))
            {
                shut(lines, name, config, open);
            }
        });
        throwIfAny(lines);
    }

    /** @throws FleetException when another NIC has what this one would need. */
    static void checkNew(
        final String name, final BackendConfig config, final Set<Door> open, final Map<String, BackendConfig> now)
    {
        final List<String> lines = new ArrayList<>();
        if (!FleetConfig.isName(name))
        {
            lines.add("port " + name + ": a name is 1 to " + FleetConfig.MAX_NAME +
                " letters, digits, dots, dashes and underscores; choose another name");
        }
        if (now.containsKey(name))
        {
            lines.add("port " + name + ": there is one of that name; remove it first or choose another name");
        }
        if (now.size() >= FleetConfig.MAX_PORTS)
        {
            lines.add("port " + name + ": there are " + now.size() + " ports, as many as a process serves; " +
                "start another process");
        }
        if (isInherited(config))
        {
            lines.add("port " + name + ": fd or tap-fd: descriptors are inherited at the start of the process; " +
                "use socket-path and tap");
        }
        shut(lines, name, config, open);
        now.forEach((other, theirs) ->
        {
            for (final String shared : shared(config, theirs))
            {
                lines.add("port " + name + ": " + shared + ": port " + other + " has it; give each port its own");
            }
        });
        throwIfAny(lines);
    }

    static FleetException unknown(final String name, final Collection<String> known)
    {
        return new FleetException(List.of("port " + name + ": there is no such port; " +
            (known.isEmpty() ? "there is none at all" : "give one of " + String.join(", ", known))));
    }

    private static Set<String> shared(final BackendConfig config, final BackendConfig theirs)
    {
        final Set<String> shared = new HashSet<>();
        if (null != config.socketPath() && config.socketPath().equals(theirs.socketPath()))
        {
            shared.add("socket-path: " + config.socketPath());
        }
        if (PortKind.TAP == config.portKind() && null != config.portName() && !config.portName().contains("%d") &&
            config.portName().equals(theirs.portName()))
        {
            shared.add(config.portName());
        }
        return shared;
    }

    private static boolean isInherited(final BackendConfig config)
    {
        return BackendConfig.NONE != config.fd() || !config.tapFds().isEmpty();
    }

    /** What the sandbox does not leave a NIC. */
    private static void shut(
        final List<String> lines, final String name, final BackendConfig config, final Set<Door> open)
    {
        final Set<Door> missing = Confinement.doors(config);
        missing.removeAll(open);
        for (final Door door : missing)
        {
            lines.add("port " + name + ": it needs " + door.words() + ", which the sandbox has shut for a process " +
                "that began without; start the process again with this port, or with sandbox off");
        }
    }

    private static void fixed(final List<String> lines, final String key, final Object now, final Object next)
    {
        if (!Objects.equals(now, next))
        {
            lines.add(key + ": it was " + now + " at the start and cannot become " + next +
                " while the process runs; put it back, or start the process again");
        }
    }

    private static void throwIfAny(final List<String> lines)
    {
        if (!lines.isEmpty())
        {
            throw new FleetException(lines);
        }
    }
}
