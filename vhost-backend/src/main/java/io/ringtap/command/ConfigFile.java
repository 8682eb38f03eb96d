package io.ringtap.command;

import io.ringtap.BackendConfig;
import io.ringtap.BackendConfigBuilder;
import io.ringtap.ConfigException;
import io.ringtap.ConfigLimits;
import io.ringtap.FleetConfig;
import io.ringtap.ProcessConfig;
import io.ringtap.WorkerMode;
import io.ringtap.yaml.YamlException;
import io.ringtap.yaml.YamlNode;
import io.ringtap.yaml.YamlPlace;
import io.ringtap.yaml.YamlReader;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Reads a configuration file: {@code ports:} with a block of options each, {@code defaults:} for all of them, and what
 * concerns the process at the left margin. Everything that is wrong with it is found, not only the first.
 */
final class ConfigFile
{
    private static final String PORTS = "ports";
    private static final String DEFAULTS = "defaults";
    private static final String WORKERS = "workers";
    private static final String THREADS = "worker-threads";
    private static final String THREAD_CPUS = "worker-cpus";
    private static final int DEFAULT_THREADS = 2;

    private final FileFaults faults = new FileFaults();
    private final BackendConfigBuilder process = BackendConfig.builder();
    private YamlNode.Entry ports;
    private YamlNode.Entry defaults;
    private WorkerMode workers = WorkerMode.DEDICATED;
    private YamlPlace threadsPlace;
    private YamlPlace controlPlace = YamlPlace.START;
    private int threads = DEFAULT_THREADS;
    private List<Integer> threadCpus = List.of();

    private ConfigFile()
    {
    }

    /**
     * Reads and checks a file.
     *
     * @param said what the command line says about the process; it wins over the file.
     * @throws ConfigException     when there is no such file.
     * @throws ConfigFileException with a line for each fault.
     */
    static FleetConfig read(final String file, final Map<ServeOption, String> said)
    {
        return parse(file, bytes(file), said);
    }

    static FleetConfig parse(final String name, final byte[] bytes, final Map<ServeOption, String> said)
    {
        final ConfigFile file = new ConfigFile();
        FleetConfig config = null;
        try
        {
            final YamlReader.Document document = YamlReader.read(bytes);
            document.faults().forEach(file.faults::add);
            config = file.fleet(document.root(), said);
        }
        catch (final YamlException ex)
        {
            file.faults.add(ex.fault());
        }
        file.faults.throwIfAny(name);
        return config;
    }

    private static byte[] bytes(final String file)
    {
        try (InputStream in = Files.newInputStream(Path.of(file)))
        {
            // One more than may be, so that a file that grows is refused and not cut.
            return in.readNBytes(YamlReader.MAX_BYTES + 1);
        }
        catch (final NoSuchFileException ex)
        {
            throw new ConfigException("--config=" + file, "there is no such file", "give the path of a YAML file");
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new ConfigException(
                "--config=" + file, "it cannot be read: " + ex.getMessage(), "give a file that this user may read");
        }
    }

    private FleetConfig fleet(final YamlNode root, final Map<ServeOption, String> said)
    {
        if (!(root instanceof YamlNode.Mapping))
        {
            faults.add(root.place(), root.kind(), "a file begins with keys", "write ports: and the ports below it");
            return null;
        }
        ((YamlNode.Mapping)root).entries().forEach(this::take);
        said.forEach((option, text) -> option.apply(process, text));
        final FilePorts filePorts = new FilePorts(faults, WorkerMode.SHARED == workers);
        if (null != defaults)
        {
            filePorts.defaults(defaults);
        }
        if (null == ports)
        {
            faults.add(YamlPlace.START, "no " + PORTS, "there is nothing to serve",
                "write " + PORTS + ": and below it a name and options for each NIC");
            return null;
        }
        final Map<String, BackendConfig> nics = filePorts.ports(ports);
        if (WorkerMode.DEDICATED == workers && null != threadsPlace)
        {
            faults.add(threadsPlace, "threads of the process", "each worker has one of its own",
                "write " + WORKERS + ": shared, or leave " + THREADS + " and " + THREAD_CPUS + " out");
        }
        final ProcessConfig all = process();
        for (final BackendConfig nic : nics.values())
        {
            if (null != all && null != all.controlPath() && all.controlPath().equals(nic.socketPath()))
            {
                faults.add(controlPlace, "control: " + all.controlPath(), "that is the front-end's socket of a port",
                    "choose another path");
            }
        }
        return new FleetConfig(all, nics);
    }

    private ProcessConfig process()
    {
        try
        {
            return process.process(workers, threads, threadCpus);
        }
        catch (final ConfigException ex)
        {
            faults.add(controlPlace, "", ex);
            return null;
        }
    }

    private void take(final YamlNode.Entry entry)
    {
        try
        {
            switch (entry.key())
            {
                case PORTS -> ports = entry;
                case DEFAULTS -> defaults = entry;
                case WORKERS -> workers = workers(entry);
                case THREADS ->
                {
                    threadsPlace = entry.place();
                    final String text = FileSection.scalar(entry, entry.value(), faults);
                    threads = null == text ? threads : Values.number("--" + THREADS, text, 1, ConfigLimits.MAX_QUEUES);
                }
                case THREAD_CPUS ->
                {
                    threadsPlace = entry.place();
                    final String text = FileSection.text(ServeOption.CPUS, entry, faults);
                    threadCpus = null == text ? threadCpus : Values.cpus(text);
                }
                default -> option(entry);
            }
        }
        catch (final ConfigException ex)
        {
            // The list of CPUs is read as that of a port, which has another name.
            faults.add(entry.value().place(), "", new ConfigException(
                ex.value().replace("--cpus", "--" + THREAD_CPUS), ex.limit(), ex.remedy()));
        }
    }

    private WorkerMode workers(final YamlNode.Entry entry)
    {
        final String text = FileSection.scalar(entry, entry.value(), faults);
        return null == text ? workers : Values.constant("--" + WORKERS, WorkerMode.class, text);
    }

    private void option(final YamlNode.Entry entry)
    {
        final ServeOption option = ServeOption.ofKey(entry.key());
        if (null == option)
        {
            final TreeSet<String> known = new TreeSet<>(List.of(PORTS, DEFAULTS, WORKERS, THREADS, THREAD_CPUS));
            for (final ServeOption each : ServeOption.values())
            {
                if (each.isKey() && each.isOfProcess())
                {
                    known.add(each.key());
                }
            }
            faults.add(entry.place(), entry.key(), "no such key here",
                Spelling.remedy(entry.key(), known, "give some of " + String.join(", ", known)));
            return;
        }
        if (!option.isOfProcess())
        {
            faults.add(entry.place(), entry.key(), "it concerns one NIC",
                "move it below a port, or below " + DEFAULTS + ": for all");
            return;
        }
        controlPlace = ServeOption.VERBOSE == option ? controlPlace : entry.value().place();
        if (option.takesValue())
        {
            final String text = FileSection.text(option, entry, faults);
            if (null != text)
            {
                option.apply(process, text);
            }
            return;
        }
        final FileSection.Given given = FileSection.onOff(entry, faults);
        if (null != given && null != given.text())
        {
            option.apply(process, given.text());
        }
    }
}
