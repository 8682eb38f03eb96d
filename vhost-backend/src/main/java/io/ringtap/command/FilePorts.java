package io.ringtap.command;

import io.ringtap.Backend;
import io.ringtap.BackendConfig;
import io.ringtap.BackendConfigBuilder;
import io.ringtap.ConfigException;
import io.ringtap.FleetConfig;
import io.ringtap.command.FileSection.Given;
import io.ringtap.yaml.YamlNode;
import io.ringtap.yaml.YamlPlace;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes a configuration of each port of a file, and checks the ports against each other. */
final class FilePorts
{
    private static final Pattern OPTION = Pattern.compile("--([a-z][a-z0-9-]*)");

    private final FileFaults faults;
    private final boolean hasSharedWorkers;
    private final Map<String, YamlPlace> taken = new HashMap<>();
    private Map<ServeOption, Given> defaults = Map.of();

    FilePorts(final FileFaults faults, final boolean hasSharedWorkers)
    {
        this.faults = faults;
        this.hasSharedWorkers = hasSharedWorkers;
    }

    void defaults(final YamlNode.Entry entry)
    {
        defaults = FileSection.read(entry.key(), entry.value(), FileSection.Kind.DEFAULTS, faults);
        checkPorts(defaults);
    }

    /** By name; those with faults are missing. */
    Map<String, BackendConfig> ports(final YamlNode.Entry entry)
    {
        final Map<String, BackendConfig> ports = new LinkedHashMap<>();
        if (!(entry.value() instanceof YamlNode.Mapping))
        {
            faults.add(entry.value().place(), entry.key(),
                "it has " + entry.value().kind() + " where ports are expected",
                "write a name and a colon below it for each NIC, and its options below that");
            return ports;
        }
        final List<YamlNode.Entry> all = ((YamlNode.Mapping)entry.value()).entries();
        if (all.isEmpty() || all.size() > FleetConfig.MAX_PORTS)
        {
            faults.add(entry.place(), all.size() + " ports", "a process serves 1 to " + FleetConfig.MAX_PORTS,
                all.isEmpty() ? "write a name and options for each NIC" : "spread them over several processes");
        }
        for (final YamlNode.Entry port : all)
        {
            final BackendConfig config = port(port);
            if (null != config)
            {
                ports.put(port.key(), config);
            }
        }
        return ports;
    }

    private BackendConfig port(final YamlNode.Entry port)
    {
        final int before = faults.count();
        if (!FleetConfig.isName(port.key()))
        {
            faults.add(port.place(), "port " + port.key(),
                "a name is 1 to " + FleetConfig.MAX_NAME + " letters, digits, dots, dashes and underscores",
                "rename the port");
        }
        final Map<ServeOption, Given> own =
            FileSection.read("port " + port.key(), port.value(), FileSection.Kind.PORT, faults);
        checkPorts(own);
        final boolean isWhole = before == faults.count();
        final Map<ServeOption, Given> merged = merge(own);
        final BackendConfigBuilder builder = BackendConfig.builder();
        merged.forEach((option, given) ->
        {
            if (null != given.text())
            {
                option.apply(builder, given.text());
            }
        });
        for (final ConfigException refusal : builder.faults())
        {
            report(port, merged, refusal, isWhole);
        }
        checkAgainstOthers(port.key(), merged);
        return before == faults.count() ? concluded(port, builder, merged) : null;
    }

    /** What needs the host's files to be known, last. */
    private BackendConfig concluded(
        final YamlNode.Entry port, final BackendConfigBuilder builder, final Map<ServeOption, Given> merged)
    {
        final BackendConfig config = builder.conclude();
        try
        {
            Backend.check(config);
            return config;
        }
        catch (final ConfigException ex)
        {
            report(port, merged, ex, true);
        }
        catch (final RuntimeException ex)
        {
            final Given filter = merged.get(ServeOption.FILTER);
            faults.add(null == filter ? port.place() : filter.place(), "port " + port.key(),
                String.valueOf(ex.getMessage()), "correct what it names");
        }
        return null;
    }

    /** A port of its own replaces the one of the defaults. */
    private Map<ServeOption, Given> merge(final Map<ServeOption, Given> own)
    {
        final Map<ServeOption, Given> merged = new EnumMap<>(ServeOption.class);
        final boolean hasPort = own.keySet().stream().anyMatch(ServeOption::isPort);
        defaults.forEach((option, given) ->
        {
            if (!hasPort || !option.isPort())
            {
                merged.put(option, given);
            }
        });
        merged.putAll(own);
        return merged;
    }

    /** Where the option that a refusal names stands; that nothing was given is no news when something was wrong. */
    private void report(
        final YamlNode.Entry port, final Map<ServeOption, Given> given, final ConfigException refusal,
        final boolean isWhole)
    {
        final Matcher option = OPTION.matcher(refusal.value());
        boolean isNamed = false;
        while (option.find())
        {
            final ServeOption named = ServeOption.ofKey(option.group(1));
            isNamed = true;
            if (given.containsKey(named))
            {
                faults.add(given.get(named).place(), "port " + port.key() + ": ", refusal);
                return;
            }
        }
        if (isNamed || isWhole)
        {
            faults.add(port.place(), "port " + port.key() + ": ", refusal);
        }
    }

    private void checkPorts(final Map<ServeOption, Given> given)
    {
        ServeOption first = null;
        for (final Map.Entry<ServeOption, Given> each : new ArrayList<>(given.entrySet()))
        {
            if (!each.getKey().isPort() || null == each.getValue().text())
            {
                continue;
            }
            if (null != first)
            {
                final Given former = given.get(first);
                final boolean isLater = each.getValue().place().compareTo(former.place()) > 0;
                faults.add(isLater ? each.getValue().place() : former.place(),
                    first.key() + " and " + each.getKey().key(), "a NIC leads to one port", "keep one of them");
            }
            first = each.getKey();
        }
        final Given cpus = given.get(ServeOption.CPUS);
        if (hasSharedWorkers && null != cpus)
        {
            faults.add(cpus.place(), "cpus", "the threads are common to all ports",
                "write worker-cpus at the left margin instead");
        }
    }

    private void checkAgainstOthers(final String name, final Map<ServeOption, Given> given)
    {
        given.forEach((option, value) ->
        {
            final boolean isPattern = null == value.text() || value.text().contains("%d");
            if (!option.isUnique() || isPattern)
            {
                return;
            }
            // TAP names and descriptors are one space each, whatever option names them.
            final String space = ServeOption.TAP_FD == option || ServeOption.FD == option ? "fd" :
                ServeOption.SOCKET_PATH == option ? "socket" : "interface";
            final String[] all =
                ServeOption.TAP_FD == option ? value.text().split(",") : new String[]{value.text()};
            for (final String each : all)
            {
                final YamlPlace before = taken.putIfAbsent(space + ' ' + each, value.place());
                if (null != before)
                {
                    faults.add(value.place(), "port " + name + ": " + option.key() + ": " + each,
                        "another port has it in line " + before.line(), "give each port its own");
                }
            }
        });
    }
}
