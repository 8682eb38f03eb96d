package io.ringtap.command;

import io.ringtap.ConfigException;
import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.PktgenConfig;
import io.ringtap.sys.Fd;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

import java.net.Inet4Address;
import java.net.InetAddress;

/** The options of {@code ringtap guest}, and what they make of the built-in guest's configurations. */
final class GuestOptions
{
    private static final int MAX_NUMBER = Integer.MAX_VALUE;

    @ArgGroup(validate = false, order = 1, heading = "%nConnection%n")
    private final Connection connection = new Connection();

    @ArgGroup(validate = false, order = 11, heading = "%nWhat it does%n")
    private final Role role = new Role();

    @ArgGroup(validate = false, order = 21, heading = "%nWho it is%n")
    private final Identity identity = new Identity();

    @ArgGroup(validate = false, order = 31, heading = "%nRings and threads%n")
    private final Rings rings = new Rings();

    @ArgGroup(validate = false, order = 41, heading = "%nGenerator%n")
    private final Generator generator = new Generator();

    @ArgGroup(validate = false, order = 61, heading = "%nProgram%n")
    private final Run program = new Run();

    FrontendConfig frontend()
    {
        if ((null == connection.socketPath) == (null == connection.fd))
        {
            throw new ConfigException("--socket-path, --fd", "exactly one is needed", "give one of them");
        }
        final FrontendConfig config = new FrontendConfig()
            .socketPath(connection.socketPath)
            .isServer(connection.isServer)
            .queuePairs(Values.number("--queues", rings.queues, 1, 128))
            .ringSize(Values.number("--ring-size", rings.ringSize, 2, 32768))
            .mtu(Values.number("--mtu", rings.mtu, 0, 65521));
        if (null != rings.features)
        {
            config.features(GuestValues.features(rings.features));
        }
        if (null != connection.fd)
        {
            config.socket(Fd.of(Values.number("--fd", connection.fd, 3, MAX_NUMBER), "socket of --fd"));
        }
        return GuestValues.checked("guest", config::conclude);
    }

    GuestConfig guest()
    {
        if (role.isPktgen && role.isSink)
        {
            throw new ConfigException("--pktgen, --sink", "one guest does not both", "start two guests");
        }
        InetAddress ipv4 = null;
        InetAddress ipv6 = null;
        for (final String each : identity.ip.split(",", -1))
        {
            final InetAddress address = GuestValues.address("--ip", each);
            if (address instanceof Inet4Address)
            {
                ipv4 = address;
            }
            else
            {
                ipv6 = address;
            }
        }
        final InetAddress four = ipv4;
        final InetAddress six = ipv6;
        final GuestConfig config = new GuestConfig()
            .addresses(GuestValues.checked("--mac", () -> new GuestAddresses(mac(), four, six)))
            .sinkFlows(role.isSink ? Math.max(1024, flowCount()) : 0)
            .spinNs(rings.isBusy ? -1 : GuestConfig.DEFAULT_SPIN_NS);
        if (null != identity.echoPort)
        {
            config.echoPort(Values.number("--echo-port", identity.echoPort, 1, 65535));
        }
        if (null != rings.cpus)
        {
            config.cpus(Values.cpus(rings.cpus).stream().mapToInt(Integer::intValue).toArray());
        }
        return config;
    }

    /** Refuses what would be refused later. */
    void check()
    {
        seconds();
        count();
        if (role.isPktgen)
        {
            final MacAddress given = nextHop();
            pktgen(null == given ? MacAddress.BROADCAST : given, true);
        }
    }

    /** @param nextHop MAC that was found out. */
    PktgenConfig pktgen(final MacAddress nextHop, final boolean hasChecksumOffload)
    {
        final InetAddress destination = destination();
        InetAddress source = null;
        for (final String each : identity.ip.split(",", -1))
        {
            final InetAddress address = GuestValues.address("--ip", each);
            if (address.getClass() == destination.getClass())
            {
                source = address;
            }
        }
        if (null == source)
        {
            throw new ConfigException("--to=" + generator.to, "no --ip of its family", "give one with --ip");
        }
        final InetAddress from = source;
        return GuestValues.checked("--pktgen", () -> new PktgenConfig()
            .spec(new FrameSpec(
                mac(), nextHop, from, destination, generator.isTcp,
                Values.number("--from-port", generator.fromPort, 1, 65535),
                Values.number("--to-port", generator.toPort, 1, 65535),
                Values.constant("--checksum", ChecksumMode.class, generator.checksum)))
            .sizes(Values.numbers("--size", generator.size).stream().mapToInt(Integer::intValue).toArray())
            .flows(flowCount())
            .run(Values.number("--run", generator.run, 1, MAX_NUMBER))
            .burst(Values.number("--burst", generator.burst, 1, MAX_NUMBER))
            .segments(Values.number("--segments", generator.segments, 1, 128))
            .count(count())
            .rate(null == generator.rate ? 0 : GuestValues.scaled("--rate", generator.rate))
            .conclude(hasChecksumOffload));
    }

    boolean isPktgen()
    {
        return role.isPktgen;
    }

    boolean isSink()
    {
        return role.isSink;
    }

    InetAddress destination()
    {
        return GuestValues.address("--to", generator.to);
    }

    /** What was given for the next hop; null to ask. */
    MacAddress nextHop()
    {
        return null == generator.toMac ?
            null : GuestValues.checked("--to-mac", () -> MacAddress.parse(generator.toMac));
    }

    /** {@link Long#MAX_VALUE} for no end. */
    long count()
    {
        return null == generator.count ?
            Long.MAX_VALUE : (long)GuestValues.scaled("--count", generator.count);
    }

    double seconds()
    {
        return null == program.seconds ? Double.MAX_VALUE : GuestValues.scaled("--seconds", program.seconds);
    }

    boolean isLive()
    {
        return switch (program.live)
        {
            case "on" -> true;
            case "off" -> false;
            case "auto" -> GuestValues.isTerminal();
            default -> throw new ConfigException("--live=" + program.live, "no such choice", "give auto, on or off");
        };
    }

    boolean isStrict()
    {
        return program.isStrict;
    }

    boolean reconnects()
    {
        return !program.hasNoReconnect && null == connection.fd;
    }

    private MacAddress mac()
    {
        return MacAddress.parse(identity.mac);
    }

    private int flowCount()
    {
        return Values.number("--flows", generator.flows, 1, PktgenConfig.MAX_FLOWS);
    }

    /** Connection. */
    static final class Connection
    {
        @Option(names = "--socket-path", paramLabel = "PATH", order = 1,
            description = "Socket where the back-end listens.")
        private String socketPath;

        @Option(names = "--fd", paramLabel = "N", order = 2,
            description = "Connected socket that a parent process left open, instead of a path.")
        private String fd;

        @Option(names = "--server", order = 3, description = "Listen at the path; the back-end connects.")
        private boolean isServer;
    }

    /** What it does. */
    static final class Role
    {
        @Option(names = "--respond", order = 10, description = "Answer ARP, neighbour discovery and ping. The default.")
        private boolean isResponder;

        @Option(names = "--pktgen", order = 11, description = "Generate numbered frames to --to, and answer as well.")
        private boolean isPktgen;

        @Option(names = "--sink", order = 12,
            description = "Check a generator's frames: loss, order, duplicates, changed bytes; and answer as well.")
        private boolean isSink;
    }

    /** Who it is. */
    static final class Identity
    {
        @Option(names = "--ip", paramLabel = "ADDR[,ADDR]", defaultValue = "10.0.0.2", order = 20,
            description = "The guest's addresses, IPv4 or IPv6 or both. Default: ${DEFAULT-VALUE}. The link-local " +
                "one that follows from the MAC is always there.")
        private String ip = "10.0.0.2";

        @Option(names = "--mac", paramLabel = "MAC", defaultValue = "52:54:00:12:34:56", order = 21,
            description = "The guest's MAC. Default: ${DEFAULT-VALUE}.")
        private String mac = "52:54:00:12:34:56";

        @Option(names = "--echo-port", paramLabel = "PORT", order = 22, description = "Send UDP back from this port.")
        private String echoPort;
    }

    /** Rings and threads. */
    static final class Rings
    {
        @Option(names = "--queues", paramLabel = "N", defaultValue = "1", order = 30,
            description = "Queue pairs, each with a thread; a sink has one thread for all. Default: ${DEFAULT-VALUE}.")
        private String queues = "1";

        @Option(names = "--ring-size", paramLabel = "N", defaultValue = "256", order = 31,
            description = "Descriptors of each ring. Default: ${DEFAULT-VALUE}, as QEMU.")
        private String ringSize = "256";

        @Option(names = "--features", paramLabel = "LIST", order = 32,
            description = "Virtio features to take besides the usual ones, or with a dash not to take: " +
                "ring_packed,-mrg_rxbuf. Or all of them as one number in hexadecimal.")
        private String features;

        @Option(names = "--mtu", paramLabel = "BYTES", defaultValue = "0", order = 33,
            description = "Tell the back-end this MTU, and make room for it.")
        private String mtu = "0";

        @Option(names = "--busy", order = 34, description = "Never sleep: for benchmarks. Costs a processor a thread.")
        private boolean isBusy;

        @Option(names = "--cpus", paramLabel = "LIST", order = 35, description = "Processors for the threads, in turn.")
        private String cpus;
    }

    /** Generator. */
    static final class Generator
    {
        @Option(names = "--to", paramLabel = "ADDR", order = 40,
            description = "Where --pktgen sends to. Default: 10.0.0.1.")
        private String to = "10.0.0.1";

        @Option(names = "--to-mac", paramLabel = "MAC", order = 41,
            description = "MAC of the next hop. Default: ask for that of --to.")
        private String toMac;

        @Option(names = "--to-port", paramLabel = "PORT", defaultValue = "9", order = 42,
            description = "UDP or TCP port to send to. Default: ${DEFAULT-VALUE}, discard.")
        private String toPort = "9";

        @Option(names = "--from-port", paramLabel = "PORT", defaultValue = "10000", order = 43,
            description = "Port of the first flow; the others follow. Default: ${DEFAULT-VALUE}.")
        private String fromPort = "10000";

        @Option(names = "--size", paramLabel = "BYTES[,BYTES]", defaultValue = "64", order = 44,
            description = "Frame sizes without check sequence, taken in turn. Default: ${DEFAULT-VALUE}.")
        private String size = "64";

        @Option(names = "--flows", paramLabel = "N", defaultValue = "1", order = 45,
            description = "Flows to send; the most that --sink tells apart. Default: ${DEFAULT-VALUE}; --sink 1024.")
        private String flows = "1";

        @Option(names = "--run", paramLabel = "N", defaultValue = "1", order = 46,
            description = "Frames of a flow in a row. Default: ${DEFAULT-VALUE}.")
        private String run = "1";

        @Option(names = "--burst", paramLabel = "N", defaultValue = "64", order = 47,
            description = "Frames shown to the device together. Default: ${DEFAULT-VALUE}.")
        private String burst = "64";

        @Option(names = "--segments", paramLabel = "N", defaultValue = "1", order = 48,
            description = "More than 1: super-frames (USO, TSO) of that many segments of --size.")
        private String segments = "1";

        @Option(names = "--tcp", order = 49, description = "TCP segments instead of UDP datagrams.")
        private boolean isTcp;

        @Option(names = "--checksum", paramLabel = "full|partial|none", defaultValue = "full", order = 50,
            description = "How the transport checksum is left. Default: ${DEFAULT-VALUE}.")
        private String checksum = "full";

        @Option(names = "--count", paramLabel = "N", order = 51,
            description = "Packets to send or, with --sink, to take before it ends. With k, M or G for thousands " +
                "and more.")
        private String count;

        @Option(names = "--rate", paramLabel = "PPS", order = 52,
            description = "Packets a second, with k or M. Default: as many as the ring takes.")
        private String rate;
    }

    /** Program. */
    static final class Run
    {
        @Option(names = "--seconds", paramLabel = "N", order = 60, description = "End after this time.")
        private String seconds;

        @Option(names = "--live", paramLabel = "auto|on|off", defaultValue = "auto", order = 61,
            description = "A line of rates every second; auto: on a terminal.")
        private String live = "auto";

        @Option(names = "--strict", order = 62,
            description = "Exit 1 when the sink found anything but whole packets in their order.")
        private boolean isStrict;

        @Option(names = "--no-reconnect", order = 63, description = "Exit 1 when the back-end hangs up.")
        private boolean hasNoReconnect;

        @Option(names = "--verbose", order = 64, description = "Traces of exceptions.")
        private boolean isVerbose;

        @Option(names = {"-h", "--help"}, usageHelp = true, order = 65, description = "Show this help and exit.")
        private boolean isHelp;
    }
}
