package io.ringtap;

import io.ringtap.capture.CaptureOptions;
import io.ringtap.port.MacvtapMode;
import io.ringtap.port.XskMode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** The limits and defaults of a configuration, each with its reason. */
public final class ConfigLimits
{
    /** The kernel's struct sockaddr_un has room for 108 bytes with the closing NUL (linux/un.h). */
    public static final int MAX_SOCKET_PATH = 107;
    /** IFNAMSIZ of linux/if.h is 16 with the closing NUL. */
    public static final int MAX_INTERFACE_NAME = 15;
    /** Pairs beyond the CPUs of any host that this is made for; the kernel's TAP takes 256. */
    public static final int MAX_QUEUES = 64;
    /** The least IPv4 asks of a link (RFC 791). */
    public static final int MIN_MTU = 68;
    /** The most a TAP takes: 64 KiB less the Ethernet header. */
    public static final int MAX_MTU = 65521;
    /** A batch never holds more frames. */
    public static final int MAX_FLUSH_THRESHOLD = 1024;
    /** A whole batch: a TAP takes frames while they are submitted, so nothing is gained by starting earlier. */
    public static final int DEFAULT_FLUSH_THRESHOLD = 64;
    /** Beyond ten milliseconds a sleep and a wake-up are nothing. */
    public static final int MAX_DOORBELL_LINGER_US = 10_000;
    /** A second of spinning is a busy loop by another name. */
    public static final int MAX_BUSY_POLL_US = 1_000_000;
    /** About the cost of one sleep and wake-up: spinning longer than that cannot win. */
    public static final int DEFAULT_BUSY_POLL_US = 50;
    /** CPU_SETSIZE of sched.h. */
    public static final int MAX_CPU = 1023;
    /** Permission bits of a file. */
    public static final int MAX_SOCKET_MODE = 0777;
    /** The control socket is its owner's unless said otherwise. */
    public static final int DEFAULT_CONTROL_MODE = 0600;
    /** A millisecond is what a session costs at the least. */
    public static final int MAX_SESSION_RATE = 1000;
    /** As often as QEMU tries with reconnect-ms=100, and too little to be felt next door. */
    public static final int DEFAULT_SESSION_RATE = 10;
    /** Descriptors 0 to 2 are the standard streams. */
    public static final int MIN_FD = 3;

    /** Each looks at what belongs together. */
    private static final List<Consumer<BackendConfigBuilder>> RULES = List.of(
        ConfigLimits::socket,
        (config) -> range("--session-rate", config.sessionRate, 0, MAX_SESSION_RATE),
        ConfigLimits::port,
        (config) -> range("--queues", config.queues, 1, MAX_QUEUES),
        (config) -> range("--mtu", config.mtu, MIN_MTU, MAX_MTU),
        (config) -> range("--flush-threshold", config.flushThreshold, 1, MAX_FLUSH_THRESHOLD),
        ConfigLimits::doorbell,
        (config) -> range("--busy-poll-us", config.busyPollUs, 0, MAX_BUSY_POLL_US),
        ConfigLimits::cpus,
        (config) -> mac(config.mac),
        ConfigLimits::control,
        ConfigLimits::capture);

    private ConfigLimits()
    {
    }

    /** Throws the first fault. */
    static void check(final BackendConfigBuilder config)
    {
        RULES.forEach((rule) -> rule.accept(config));
    }

    /** Every fault, at most one of each rule. */
    static List<ConfigException> faults(final BackendConfigBuilder config)
    {
        final List<ConfigException> faults = new ArrayList<>();
        for (final Consumer<BackendConfigBuilder> rule : RULES)
        {
            try
            {
                rule.accept(config);
            }
            catch (final ConfigException ex)
            {
                faults.add(ex);
            }
        }
        return faults;
    }

    private static void cpus(final BackendConfigBuilder config)
    {
        for (final int cpu : config.cpus)
        {
            range("--cpus", cpu, 0, MAX_CPU);
        }
    }

    /** What concerns the process. */
    static void control(final BackendConfigBuilder config)
    {
        range("--control-mode", config.controlMode, 0, MAX_SOCKET_MODE);
        if (null != config.controlPath)
        {
            socketPath("--control", config.controlPath);
            if (config.controlPath.equals(config.socketPath))
            {
                throw new ConfigException("--control=" + config.controlPath, "that is the front-end's socket",
                    "choose another path");
            }
        }
        else if (BackendConfig.NONE != config.controlMode)
        {
            throw new ConfigException("--control-mode", "there is no control socket", "give --control=PATH too");
        }
    }

    private static void capture(final BackendConfigBuilder config)
    {
        range("--capture-snap-length", config.captureSnapLength,
            CaptureOptions.MIN_SNAP_LENGTH, CaptureOptions.MAX_SNAP_LENGTH);
        range("--capture-file-mib", config.captureFileMib, CaptureOptions.MIN_FILE_MIB, CaptureOptions.MAX_FILE_MIB);
        range("--capture-files", config.captureFiles, 1, CaptureOptions.MAX_FILES);
        final boolean isShaped = BackendConfig.NONE != config.captureSnapLength ||
            BackendConfig.NONE != config.captureFileMib || BackendConfig.NONE != config.captureFiles;
        if (isShaped && null == config.captureFile)
        {
            throw new ConfigException("--capture-snap-length, --capture-file-mib or --capture-files",
                "nothing is recorded", "give --capture=FILE too");
        }
        if (BackendConfig.NONE != config.captureFiles && BackendConfig.NONE == config.captureFileMib)
        {
            throw new ConfigException("--capture-files=" + config.captureFiles,
                "a file that may grow without end has no successor", "give --capture-file-mib=MIB too");
        }
    }

    private static void socket(final BackendConfigBuilder config)
    {
        final boolean byPath = null != config.socketPath;
        final boolean byFd = BackendConfig.NONE != config.fd;
        if (!byPath && !byFd)
        {
            throw new ConfigException(
                "no socket", "the front-end has nowhere to connect", "give --socket-path=PATH or --fd=N");
        }
        if (byPath && byFd)
        {
            throw new ConfigException(
                "--socket-path=" + config.socketPath + " and --fd=" + config.fd, "they exclude each other", "give one");
        }
        range("--fd", config.fd, MIN_FD, Integer.MAX_VALUE);
        if (byPath)
        {
            socketPath("--socket-path", config.socketPath);
        }
        if (config.client && byFd)
        {
            throw new ConfigException(
                "--client and --fd=" + config.fd, "a descriptor is connected already", "leave --client out");
        }
        range("--socket-mode", config.socketMode, 0, MAX_SOCKET_MODE);
        final boolean touchesFile =
            BackendConfig.NONE != config.socketMode || null != config.socketOwner || null != config.socketGroup;
        if (touchesFile && (config.client || byFd))
        {
            throw new ConfigException(
                "--socket-mode, --socket-owner or --socket-group", "they are for a socket that this program makes",
                "use them with --socket-path and without --client");
        }
    }

    private static void doorbell(final BackendConfigBuilder config)
    {
        range("--doorbell-linger-us", config.doorbellLingerUs, 0, MAX_DOORBELL_LINGER_US);
        if (config.doorbell && PortKind.PACKET != config.portKind)
        {
            throw new ConfigException(
                "--doorbell", "only packet rings have one", "use it with --packet=IFACE, or leave it out");
        }
        if (BackendConfig.NONE != config.doorbellLingerUs && !config.doorbell)
        {
            throw new ConfigException("--doorbell-linger-us=" + config.doorbellLingerUs,
                "there is no doorbell", "use it with --doorbell");
        }
    }

    private static void socketPath(final String option, final String path)
    {
        final int length = path.getBytes(StandardCharsets.UTF_8).length;
        if (path.isEmpty() || length > MAX_SOCKET_PATH)
        {
            throw new ConfigException(
                option + "=" + path, length + " bytes, but a socket's path takes 1 to " + MAX_SOCKET_PATH,
                "use a shorter path, such as one below /run");
        }
    }

    private static void port(final BackendConfigBuilder config)
    {
        if (null == config.portKind)
        {
            throw new ConfigException(
                "no port", "the NIC leads nowhere",
                "give --tap=NAME, --macvtap=IFACE, --packet=IFACE, --xsk=IFACE, --tap-fd=N[,N] or --null");
        }
        final boolean named = null != config.portName;
        if (PortKind.TAP == config.portKind && named == !config.tapFds.isEmpty())
        {
            throw new ConfigException("the TAP", "it comes by name or by descriptors", "give --tap or --tap-fd");
        }
        if (named)
        {
            interfaceName("--" + config.portKind.name().toLowerCase(Locale.ROOT), config.portName);
        }
        portMode(config);
        tapFds(config);
        if (null != config.bridge)
        {
            interfaceName("--bridge", config.bridge);
            if (PortKind.TAP != config.portKind)
            {
                throw new ConfigException(
                    "--bridge=" + config.bridge, "only a TAP can join it", "use it with --tap=NAME or --tap-fd=N");
            }
        }
        else if (null != config.bridgeAcl)
        {
            throw new ConfigException(
                "--bridge-acl=" + config.bridgeAcl, "there is no bridge to judge", "use it with --bridge=NAME");
        }
    }

    private static void portMode(final BackendConfigBuilder config)
    {
        if (null == config.portMode)
        {
            return;
        }
        final List<String> known = switch (config.portKind)
        {
            case MACVTAP -> Arrays.stream(MacvtapMode.values()).map(MacvtapMode::word).toList();
            case XSK -> Arrays.stream(XskMode.values()).map(XskMode::word).toList();
            default -> List.of();
        };
        if (!known.contains(config.portMode))
        {
            throw new ConfigException("--" + config.portKind.name().toLowerCase(Locale.ROOT) + "=" + config.portName +
                ":" + config.portMode, "no such mode", "give one of " + String.join(", ", known));
        }
    }

    private static void tapFds(final BackendConfigBuilder config)
    {
        final List<Integer> fds = config.tapFds;
        for (final int fd : fds)
        {
            range("--tap-fd", fd, MIN_FD, Integer.MAX_VALUE);
        }
        if (new HashSet<>(fds).size() != fds.size())
        {
            throw new ConfigException(
                "--tap-fd=" + fds, "a descriptor is there twice", "give one descriptor a queue pair");
        }
        if (!fds.isEmpty() && BackendConfig.NONE != config.queues && fds.size() != config.queues)
        {
            throw new ConfigException(
                "--queues=" + config.queues, fds.size() + " descriptors in --tap-fd",
                "give one descriptor a queue pair, or leave --queues out");
        }
    }

    private static void interfaceName(final String option, final String name)
    {
        final int length = name.getBytes(StandardCharsets.UTF_8).length;
        final boolean clean = name.chars().noneMatch((c) -> c <= ' ' || '/' == c || ':' == c);
        if (0 == length || length > MAX_INTERFACE_NAME || !clean || ".".equals(name) || "..".equals(name))
        {
            throw new ConfigException(
                option + "=" + name, "an interface name is 1 to " + MAX_INTERFACE_NAME + " bytes without space, / or :",
                "choose another name");
        }
    }

    private static void mac(final long mac)
    {
        if (BackendConfig.NONE == mac)
        {
            return;
        }
        if (0 == mac || 0 != (mac & 1))
        {
            throw new ConfigException(
                "--mac", "it is all zero or a group address", "use a unicast address such as 52:54:00:12:34:56");
        }
    }

    private static void range(final String option, final int value, final int least, final int most)
    {
        if (BackendConfig.NONE != value && (value < least || value > most))
        {
            throw new ConfigException(
                option + "=" + value, "outside " + least + " to " + most, "choose a value in that range");
        }
    }
}
