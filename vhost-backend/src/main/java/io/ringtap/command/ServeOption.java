package io.ringtap.command;

import io.ringtap.BackendConfigBuilder;
import io.ringtap.BridgeAcl;
import io.ringtap.ConfigLimits;
import io.ringtap.FragMode;
import io.ringtap.IoMode;
import io.ringtap.PortKind;
import io.ringtap.Switch;
import io.ringtap.capture.CaptureOptions;

import java.util.List;
import java.util.function.BiConsumer;

/**
 * Every option of serving, once: its name, its value, what it is for, why its default is what it is, and what it does
 * to a configuration. Help, completion and both parsers read this table ({@link ServeWords}, {@link CommandTree}).
 */
enum ServeOption
{
    SOCKET_PATH(Group.SOCKET, "--socket-path", "PATH", "vhost-user socket to listen on, at most 107 bytes. The dead " +
        "socket file of a killed run is replaced, a live one is left alone.",
        (config, text) -> config.socketPath(text)),
    FD(Group.SOCKET, "--fd", "N", "Inherited vhost-user socket instead of a path, connected or listening.",
        (config, text) -> config.fd(Values.number("--fd", text, ConfigLimits.MIN_FD, Integer.MAX_VALUE))),
    CLIENT(Group.SOCKET, "--client", null, "Connect to PATH instead of listening, and again whenever the connection " +
        "is lost: for a front-end that is the server. Off by default, because most front-ends connect.",
        (config, text) -> config.client(true)),
    SOCKET_MODE(Group.SOCKET, "--socket-mode", "OCTAL", "Permission bits of the socket file, such as 660. By default " +
        "the umask decides.",
        (config, text) -> config.socketMode(Values.mode("--socket-mode", text, "660"))),
    SOCKET_OWNER(Group.SOCKET, "--socket-owner", "USER", "Owner of the socket file, by name or number.",
        (config, text) -> config.socketOwner(text)),
    SOCKET_GROUP(Group.SOCKET, "--socket-group", "GROUP", "Group of the socket file, by name or number, such as the " +
        "VMM's.",
        (config, text) -> config.socketGroup(text)),
    SESSION_RATE(Group.SOCKET, "--session-rate", "N", "Front-ends a second that the listening socket takes, as many " +
        "at once: 0 to 1000. 10 by default, as often as QEMU tries to come back; the next one waits, so that one " +
        "that comes and goes without end costs other NICs little. 0 for no limit.",
        (config, text) -> config.sessionRate(
            Values.number("--session-rate", text, 0, ConfigLimits.MAX_SESSION_RATE))),

    TAP(Group.PORT, "--tap", "NAME", "TAP device: attached when it exists, made when it does not.",
        (config, text) -> config.tap(text)),
    TAP_FD(Group.PORT, "--tap-fd", "N[,N...]", "TAP descriptors opened by a privileged parent, one a queue pair, so " +
        "that this process needs no privilege.",
        (config, text) -> config.tapFds(Values.numbers("--tap-fd", text))),
    MACVTAP(Group.PORT, "--macvtap", "IFACE[:MODE]", "macvtap device: IFACE itself when it is one, else one is made " +
        "over IFACE, in the mode bridge (the default), vepa, private or passthru, and removed at the end. It carries " +
        "the frames of one address, which is set to --mac.",
        (config, text) -> config.port(PortKind.MACVTAP, Values.first(text)).portMode(Values.second(text))),
    PACKET(Group.PORT, "--packet", "IFACE", "Interface of the host that is used through packet sockets with mapped " +
        "rings: the guest's frames leave by it and what it receives goes to the guest. The host's own traffic on it " +
        "and the guest's do not see each other.",
        (config, text) -> config.port(PortKind.PACKET, text)),
    XSK(Group.PORT, "--xsk", "IFACE[:MODE]", "Network device taken over by AF_XDP sockets: its queues lead to the " +
        "guest, past the host's network stack, until the end. MODE is zerocopy, native, generic or auto (the " +
        "default): the fastest that its driver can do. Plain frames only, so it is for packets, not for streams.",
        (config, text) -> config.port(PortKind.XSK, Values.first(text)).portMode(Values.second(text))),
    NULL(Group.PORT, "--null", null, "No port: swallow what the guest sends. For trying out and for benchmarks.",
        (config, text) -> config.port(PortKind.NULL, null)),
    BRIDGE(Group.PORT, "--bridge", "NAME", "Bridge that the TAP joins; it leaves at the end when it stays.",
        (config, text) -> config.bridge(text)),
    BRIDGE_ACL(Group.PORT, "--bridge-acl", "FILE", "Which bridges may be joined: lines 'allow NAME', 'deny NAME', " +
        "'include FILE', NAME may be all; a name beats all, deny beats allow, and what no line names is denied. " +
        "Judged beside " + BridgeAcl.DEFAULT + ", which always counts where it exists.",
        (config, text) -> config.bridgeAcl(text)),
    QUEUES(Group.PORT, "--queues", "N", "Queue pairs, each with a worker thread: 1 to 64. 1 by default, because a " +
        "pair that the guest does not use costs memory; give as many as the guest has vCPUs that talk.",
        (config, text) -> config.queues(Values.number("--queues", text, 1, ConfigLimits.MAX_QUEUES))),
    MTU(Group.PORT, "--mtu", "BYTES", "MTU to set on the port and to offer to the guest: 68 to 65521. By default the " +
        "port keeps its own.",
        (config, text) -> config.mtu(Values.number("--mtu", text, ConfigLimits.MIN_MTU, ConfigLimits.MAX_MTU))),
    RATE(Group.PORT, "--rate", "WHICH:BITS[,WHICH:BITS]", "Bits a second that frames may have: guest:BITS for those " +
        "from the guest, host:BITS for those to it, such as guest:100M,host:1G; 1M to 1000G. Beyond it they wait in " +
        "the guest's ring or the host's queue. By default no limit; ringtap port rate changes it.",
        (config, text) ->
        {
            final long[] rates = Values.rates(text);
            config.rates(rates[0], rates[1]);
        }),

    MAC(Group.GUEST, "--mac", "MAC", "The only source address the guest may use; frames from another are dropped and " +
        "counted. By default any, because front-ends keep the address to themselves.",
        (config, text) -> config.mac(Values.mac(text))),
    NO_OFFLOAD(Group.GUEST, "--no-offload", "WHAT[,WHAT...]", "Offloads that neither the guest nor the port may use: " +
        "csum (which takes all others with it), tso, ecn, ufo, uso, or all. By default everything that both sides " +
        "can do, because it costs least.",
        (config, text) -> config.offloads(Values.offloads(text))),
    NO_FEATURE(Group.GUEST, "--no-feature", "NAME[,NAME...]", "virtio features that are not offered although they " +
        "work, such as ring-packed, mrg-rxbuf or event-idx (--print-capabilities lists them). By default none.",
        (config, text) -> config.refusedFeatures(Values.features(text))),
    OFFER(Group.GUEST, "--offer", "NAME[,NAME...]", "What is offered on demand only, because it is right for some " +
        "front-ends only: ring-reset, for one that stops a ring before its guest resets it (QEMU does not, and the " +
        "guest's memory would be written to after it was given up); config, for one that leaves the device's config " +
        "space to the backend, such as crosvm (QEMU keeps it, and warns); ctrl-vq, for one that passes on the " +
        "control queue (address filters, queue pairs, offloads at run time), and rss, the same with receive queues " +
        "chosen by hash (QEMU answers it itself and takes neither). By default none.",
        (config, text) -> config.extraFeatures(Values.onDemand(text))),
    FILTER(Group.GUEST, "--filter", "CLASS[:ARGS]", "Java class that judges every frame (io.ringtap.xdp.XdpHook): a " +
        "ready-made one by its simple name, such as UdpPortFilter:53, or one on the class path. May be repeated; " +
        "frames meet the filters in that order.",
        (config, text) -> config.filters(List.of(text.split(ServeOption.REPEATED)))),
    XDP_GUEST(Group.GUEST, "--xdp-guest", "OBJ[:PROG]", "eBPF program for frames from the guest: an object as clang " +
        "compiles it for the kernel's XDP, and a function in it where there are several. May be repeated; frames " +
        "meet programs in that order, after the filters. ringtap xdp load attaches more while we run.",
        (config, text) -> config.xdpGuest(List.of(text.split(ServeOption.REPEATED)))),
    XDP_HOST(Group.GUEST, "--xdp-host", "OBJ[:PROG]", "The same for frames to the guest. An object that is attached " +
        "in both directions has its maps in common.",
        (config, text) -> config.xdpHost(List.of(text.split(ServeOption.REPEATED)))),
    XDP_ORACLE(Group.GUEST, "--xdp-oracle", null, "Ask the kernel's verifier about the programs too and log what it " +
        "says; needs root and changes nothing. Off by default: a program is safe here without it.",
        (config, text) -> config.xdpOracle(true)),

    IO(Group.SPEED, "--io", "MODE", "How frames cross to the kernel: uring (a batch costs one system call), syscall " +
        "(one a frame), or auto (the default): uring where the kernel grants it.",
        (config, text) -> config.io(Values.constant("--io", IoMode.class, text))),
    FRAG(Group.SPEED, "--frag", "MODE", "Pages that small frames are copied into: shared by all queues under a spin " +
        "lock (the default, because it touches the least memory), per-queue, or full-page a frame.",
        (config, text) -> config.frag(Values.constant("--frag", FragMode.class, text))),
    FLOW_SORT(Group.SPEED, "--flow-sort", "on|off", "Group each batch by flow, so that the kernel finds its caches " +
        "warm and runs can be merged; the order inside a flow never changes. On by default.",
        (config, text) -> config.flowSort(Values.onOff("--flow-sort", text))),
    COALESCE(Group.SPEED, "--coalesce", "MODE", "Merge runs of a flow into super-frames where the other side can " +
        "take them: auto (the default) what can be taken apart again bit for bit; on also datagrams without a " +
        "checksum or with a fixed IP identification, which packet generators send and which then get one; or off.",
        (config, text) -> config.coalesce(Values.constant("--coalesce", Switch.class, text))),
    FLUSH_THRESHOLD(Group.SPEED, "--flush-threshold", "FRAMES", "Flush deferred work after so many frames, at the " +
        "latest at the end of a batch: 1 to 1024. 64 by default, a whole batch, because a TAP takes frames while " +
        "they are submitted, a packet ring while it is flushed, and neither gains by an earlier start.",
        (config, text) -> config.flushThreshold(
            Values.number("--flush-threshold", text, 1, ConfigLimits.MAX_FLUSH_THRESHOLD))),
    DOORBELL(Group.SPEED, "--doorbell", null, "With --packet: frames are written into the ring without a system " +
        "call, and a thread of its own tells the kernel. Off by default, because it needs a CPU beside the worker's; " +
        "with a single CPU it stays off.",
        (config, text) -> config.doorbell(true)),
    DOORBELL_LINGER_US(Group.SPEED, "--doorbell-linger-us", "US", "Microseconds that the doorbell's thread looks for " +
        "more frames before it sleeps: 0 to 10000. By default it finds out whether 50 pay.",
        (config, text) -> config.doorbellLingerUs(
            Values.number("--doorbell-linger-us", text, 0, ConfigLimits.MAX_DOORBELL_LINGER_US))),
    BUSY_POLL_US(Group.SPEED, "--busy-poll-us", "US", "Microseconds a worker looks for more work before it sleeps: 0 " +
        "to 1000000. 50 by default, about what a sleep and a wake-up cost. An idle worker sleeps whatever this is.",
        (config, text) -> config.busyPollUs(
            Values.number("--busy-poll-us", text, 0, ConfigLimits.MAX_BUSY_POLL_US))),
    CPUS(Group.SPEED, "--cpus", "LIST", "CPUs that the workers are pinned to in turn, such as 2,3 or 4-7. By default " +
        "the scheduler places them.",
        (config, text) -> config.cpus(Values.cpus(text))),

    CONTROL(Group.CONTROL, "--control", "PATH", "Control socket to listen on, for ringtap stats, port and xdp, and " +
        "for programs: JSON lines, see docs/control.md. By default none.",
        (config, text) -> config.controlPath(text)),
    CONTROL_MODE(Group.CONTROL, "--control-mode", "OCTAL", "Permission bits of the control socket's file. 600 by " +
        "default, because who may connect may also take frames away.",
        (config, text) -> config.controlMode(Values.mode("--control-mode", text, "600"))),
    METRICS(Group.CONTROL, "--metrics", "[HOST:]PORT", "Serve counters and histograms at http://HOST:PORT/metrics " +
        "for Prometheus; HOST is 127.0.0.1 unless given, because metrics tell who talks how much. By default nowhere.",
        (config, text) -> config.metrics(Values.endpoint("--metrics", text))),
    TAKEOVER(Group.CONTROL, "--takeover", null, "Go on with the NIC of the backend that runs on --control=PATH: it " +
        "stops, hands over TAP and front-end socket, and ends; its interface stays. Started with the same options, " +
        "for a new version. Where none runs we start as usual. See docs/takeover.md.",
        (config, text) -> {}),
    CAPTURE(Group.CAPTURE, "--capture", "FILE", "Record every frame of both directions to this pcapng file, as it " +
        "arrived and with the verdict of the filters. A guest never waits for the disk: what the recorder misses is " +
        "counted. By default nothing is recorded.",
        (config, text) -> config.captureFile(text)),
    CAPTURE_SNAP_LENGTH(Group.CAPTURE, "--capture-snap-length", "BYTES", "Bytes of a frame that are kept: 14 to " +
        "65550. All by default, because a cut frame cannot be reassembled.",
        (config, text) -> config.captureSnapLength(Values.number("--capture-snap-length", text,
            CaptureOptions.MIN_SNAP_LENGTH, CaptureOptions.MAX_SNAP_LENGTH))),
    CAPTURE_FILE_MIB(Group.CAPTURE, "--capture-file-mib", "MIB", "Length after which the next file begins: 1 to " +
        "1048576; FILE.pcapng is followed by FILE.000001.pcapng. By default there is one, as long as it gets.",
        (config, text) -> config.captureFileMib(Values.number("--capture-file-mib", text,
            CaptureOptions.MIN_FILE_MIB, CaptureOptions.MAX_FILE_MIB))),
    CAPTURE_FILES(Group.CAPTURE, "--capture-files", "N", "Files to keep, 1 to 10000: the oldest makes room. By " +
        "default all are kept.",
        (config, text) -> config.captureFiles(Values.number("--capture-files", text, 1, CaptureOptions.MAX_FILES))),

    CONFIG(Group.MANY, "--config", "FILE", "YAML file with many NICs, each with these options as keys. SIGHUP reads " +
        "it again: NICs that did not change go on untouched.",
        (config, text) -> {}),
    CHECK(Group.MANY, "--check", null, "With --config: say what is wrong with the file and exit.",
        (config, text) -> {}),

    SANDBOX(Group.PROGRAM, "--sandbox", "on|off|auto", "Once everything is open, leave the process only those system " +
        "calls that a running backend makes: no programs, processes, new rights, mounts, namespaces, and bpf(2) only " +
        "where a port or --xdp-oracle needs it. What is refused fails with EPERM and is in the audit log. auto (the " +
        "default): where the kernel can; on: or not at all.",
        (config, text) -> config.sandbox(Values.constant("--sandbox", Switch.class, text))),
    RUN_AS(Group.PROGRAM, "--run-as", "USER[:GROUP]", "User and group, by name or number, that the process becomes " +
        "once everything is open, without any capability. What is opened later, such as the ports of a file that is " +
        "read again, that user must be able to open; the directory of the socket should be that user's. By default " +
        "it stays who it is.",
        (config, text) -> config.runAs(text)),
    VERBOSE(Group.PROGRAM, "--verbose", null, "Say more, and show the trace of an error.",
        (config, text) -> config.verbose(true));

    /** Headings of the help, in order. */
    enum Group
    {
        SOCKET("Socket"),
        PORT("Port: one of --tap, --tap-fd, --macvtap, --packet, --xsk, --null"),
        GUEST("Guest"),
        SPEED("Speed: the defaults are the fast and safe choice"),
        CONTROL("Control of the running backend"),
        CAPTURE("Recording"),
        MANY("Many NICs in one process"),
        PROGRAM("Program");

        private final String heading;

        Group(final String heading)
        {
            this.heading = heading;
        }

        String heading()
        {
            return heading;
        }
    }

    /** Between the texts of an option that was given several times. */
    static final String REPEATED = "\n";

    private final Group group;
    private final String word;
    private final String label;
    private final String description;
    private final BiConsumer<BackendConfigBuilder, String> effect;

    ServeOption(
        final Group group,
        final String word,
        final String label,
        final String description,
        final BiConsumer<BackendConfigBuilder, String> effect)
    {
        this.group = group;
        this.word = word;
        this.label = label;
        this.description = description;
        this.effect = effect;
    }

    Group group()
    {
        return group;
    }

    /** As it is written on the command line, dashes included. */
    String word()
    {
        return word;
    }

    /** Name of the value in the help; null for a switch. */
    String label()
    {
        return label;
    }

    boolean takesValue()
    {
        return null != label;
    }

    String description()
    {
        return description;
    }

    /** May be given several times: its text is then all of them with {@link #REPEATED} in between. */
    boolean isRepeatable()
    {
        return FILTER == this || XDP_GUEST == this || XDP_HOST == this;
    }

    /** Names one of the ports, of which a NIC has one. */
    boolean isPort()
    {
        return TAP == this || TAP_FD == this || MACVTAP == this || PACKET == this || XSK == this || NULL == this;
    }

    /** May hold several values, in a file also as a list; its text is then all of them with {@link #separator()}. */
    boolean isList()
    {
        return isRepeatable() || null != label && (label.contains("[,") || "LIST".equals(label));
    }

    /** Between the values of a list. */
    String separator()
    {
        return isRepeatable() ? REPEATED : ",";
    }

    /** Concerns the process, not one of its NICs. */
    boolean isOfProcess()
    {
        return VERBOSE == this || SANDBOX == this || RUN_AS == this || CONTROL == this || CONTROL_MODE == this ||
            METRICS == this || TAKEOVER == this;
    }

    /** May stand in a configuration file. */
    boolean isKey()
    {
        return CONFIG != this && CHECK != this && TAKEOVER != this;
    }

    /** As it is written in a configuration file. */
    String key()
    {
        return word.substring(2);
    }

    /** The option that a key of a configuration file names; null when there is none. */
    static ServeOption ofKey(final String key)
    {
        for (final ServeOption option : values())
        {
            if (option.isKey() && option.key().equals(key))
            {
                return option;
            }
        }
        return null;
    }

    /** Can belong to one NIC only: its socket, and its TAP. */
    boolean isUnique()
    {
        return SOCKET_PATH == this || FD == this || TAP == this || TAP_FD == this || CAPTURE == this;
    }

    void apply(final BackendConfigBuilder config, final String text)
    {
        effect.accept(config, text);
    }
}
