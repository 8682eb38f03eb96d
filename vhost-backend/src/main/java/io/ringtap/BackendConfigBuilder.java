package io.ringtap;

import io.ringtap.capture.CaptureOptions;
import io.ringtap.flow.Offloads;

import java.nio.file.Path;
import java.util.List;

/** Collects a configuration, default by default, and checks it when it is {@link #conclude() concluded}. */
public final class BackendConfigBuilder
{
    private static final int MIB_SHIFT = 20;

    String socketPath;
    int fd = BackendConfig.NONE;
    int listener = BackendConfig.NONE;
    boolean client;
    int socketMode = BackendConfig.NONE;
    String socketOwner;
    String socketGroup;
    int sessionRate = ConfigLimits.DEFAULT_SESSION_RATE;
    PortKind portKind;
    String portName;
    String portMode;
    List<Integer> tapFds = List.of();
    String bridge;
    String bridgeAcl;
    int queues = BackendConfig.NONE;
    int mtu = BackendConfig.NONE;
    long mac = BackendConfig.NONE;
    int offloads = Offloads.ALL;
    long refusedFeatures;
    long extraFeatures;
    IoMode io = IoMode.AUTO;
    FragMode frag = FragMode.SHARED;
    boolean flowSort = true;
    Switch coalesce = Switch.AUTO;
    int flushThreshold = ConfigLimits.DEFAULT_FLUSH_THRESHOLD;
    boolean doorbell;
    int doorbellLingerUs = BackendConfig.NONE;
    int busyPollUs = ConfigLimits.DEFAULT_BUSY_POLL_US;
    List<Integer> cpus = List.of();
    List<String> filters = List.of();
    List<String> xdpGuest = List.of();
    List<String> xdpHost = List.of();
    boolean xdpOracle;
    String controlPath;
    int controlMode = BackendConfig.NONE;
    String captureFile;
    int captureSnapLength = BackendConfig.NONE;
    int captureFileMib = BackendConfig.NONE;
    int captureFiles = BackendConfig.NONE;
    long rateFromGuest;
    long rateToGuest;
    String metrics;
    Switch sandbox = Switch.AUTO;
    String runAs;
    boolean verbose;

    BackendConfigBuilder()
    {
    }

    /**
     * Checks every value and the values against each other.
     *
     * @throws ConfigException for the first that cannot be.
     */
    public BackendConfig conclude()
    {
        ConfigLimits.check(this);
        final int pairs = BackendConfig.NONE != queues ? queues : Math.max(1, tapFds.size());
        return new BackendConfig(
            socketPath, fd, listener, client, socketMode, socketOwner, socketGroup, sessionRate,
            portKind, portName, portMode, tapFds, bridge, bridgeAcl, pairs, mtu, mac, offloads, refusedFeatures,
            extraFeatures, io, frag, flowSort, coalesce, flushThreshold, doorbell, doorbellLingerUs, busyPollUs, cpus,
            filters, xdpGuest, xdpHost, xdpOracle, controlPath, controlMode(), capture(), rateFromGuest, rateToGuest,
            metrics, new Isolation(sandbox, runAs), verbose);
    }

    private int controlMode()
    {
        return BackendConfig.NONE == controlMode ? ConfigLimits.DEFAULT_CONTROL_MODE : controlMode;
    }

    /** Everything that keeps {@link #conclude()} from concluding; empty when nothing does. */
    public List<ConfigException> faults()
    {
        return ConfigLimits.faults(this);
    }

    /**
     * What was said about the process, for one that serves many NICs.
     *
     * @throws ConfigException for the first that cannot be.
     */
    public ProcessConfig process(final WorkerMode workers, final int threads, final List<Integer> threadCpus)
    {
        ConfigLimits.control(this);
        return new ProcessConfig(workers, threads, threadCpus, controlPath, controlMode(), metrics,
            new Isolation(sandbox, runAs), verbose);
    }

    public BackendConfigBuilder socketPath(final String path)
    {
        socketPath = path;
        return this;
    }

    public BackendConfigBuilder fd(final int number)
    {
        fd = number;
        return this;
    }

    /** What listens on the path already. */
    public BackendConfigBuilder listener(final int number)
    {
        listener = number;
        return this;
    }

    public BackendConfigBuilder client(final boolean connect)
    {
        client = connect;
        return this;
    }

    public BackendConfigBuilder socketMode(final int permissionBits)
    {
        socketMode = permissionBits;
        return this;
    }

    public BackendConfigBuilder socketOwner(final String user)
    {
        socketOwner = user;
        return this;
    }

    public BackendConfigBuilder socketGroup(final String group)
    {
        socketGroup = group;
        return this;
    }

    public BackendConfigBuilder sessionRate(final int perSecond)
    {
        sessionRate = perSecond;
        return this;
    }

    /** The TAP of this name, made when it does not exist. */
    public BackendConfigBuilder tap(final String name)
    {
        return port(PortKind.TAP, name);
    }

    /** TAP descriptors opened by somebody else, one a queue pair. */
    public BackendConfigBuilder tapFds(final List<Integer> numbers)
    {
        tapFds = List.copyOf(numbers);
        return port(PortKind.TAP, null);
    }

    public BackendConfigBuilder port(final PortKind kind, final String name)
    {
        portKind = kind;
        portName = name;
        return this;
    }

    /** How the port is to be made: a word that its kind knows. */
    public BackendConfigBuilder portMode(final String mode)
    {
        portMode = mode;
        return this;
    }

    public BackendConfigBuilder bridgeAcl(final String path)
    {
        bridgeAcl = path;
        return this;
    }

    public BackendConfigBuilder bridge(final String name)
    {
        bridge = name;
        return this;
    }

    public BackendConfigBuilder queues(final int pairs)
    {
        queues = pairs;
        return this;
    }

    public BackendConfigBuilder mtu(final int bytes)
    {
        mtu = bytes;
        return this;
    }

    /** The guest's address, first byte in the low bits. */
    public BackendConfigBuilder mac(final long address)
    {
        mac = address;
        return this;
    }

    public BackendConfigBuilder offloads(final int bits)
    {
        offloads = bits;
        return this;
    }

    public BackendConfigBuilder refusedFeatures(final long bits)
    {
        refusedFeatures = bits;
        return this;
    }

    /** Features to offer that work with some front-ends only. */
    public BackendConfigBuilder extraFeatures(final long bits)
    {
        extraFeatures = bits;
        return this;
    }

    public BackendConfigBuilder io(final IoMode mode)
    {
        io = mode;
        return this;
    }

    public BackendConfigBuilder frag(final FragMode mode)
    {
        frag = mode;
        return this;
    }

    public BackendConfigBuilder flowSort(final boolean on)
    {
        flowSort = on;
        return this;
    }

    public BackendConfigBuilder coalesce(final Switch mode)
    {
        coalesce = mode;
        return this;
    }

    public BackendConfigBuilder flushThreshold(final int frames)
    {
        flushThreshold = frames;
        return this;
    }

    public BackendConfigBuilder doorbell(final boolean on)
    {
        doorbell = on;
        return this;
    }

    public BackendConfigBuilder doorbellLingerUs(final int microseconds)
    {
        doorbellLingerUs = microseconds;
        return this;
    }

    public BackendConfigBuilder busyPollUs(final int microseconds)
    {
        busyPollUs = microseconds;
        return this;
    }

    public BackendConfigBuilder cpus(final List<Integer> numbers)
    {
        cpus = List.copyOf(numbers);
        return this;
    }

    public BackendConfigBuilder filters(final List<String> classNames)
    {
        filters = List.copyOf(classNames);
        return this;
    }

    /** eBPF programs for frames from the guest. */
    public BackendConfigBuilder xdpGuest(final List<String> programs)
    {
        xdpGuest = List.copyOf(programs);
        return this;
    }

    /** eBPF programs for frames to the guest. */
    public BackendConfigBuilder xdpHost(final List<String> programs)
    {
        xdpHost = List.copyOf(programs);
        return this;
    }

    /** Ask the kernel's verifier about them too. */
    public BackendConfigBuilder xdpOracle(final boolean on)
    {
        xdpOracle = on;
        return this;
    }

    public BackendConfigBuilder controlPath(final String path)
    {
        controlPath = path;
        return this;
    }

    /** Permission bits of the control socket's file. */
    public BackendConfigBuilder controlMode(final int permissionBits)
    {
        controlMode = permissionBits;
        return this;
    }

    /** pcapng file that frames are recorded to. */
    public BackendConfigBuilder captureFile(final String path)
    {
        captureFile = path;
        return this;
    }

    /** Most bytes of a frame that are recorded. */
    public BackendConfigBuilder captureSnapLength(final int bytes)
    {
        captureSnapLength = bytes;
        return this;
    }

    /** Length of a file after which the next begins. */
    public BackendConfigBuilder captureFileMib(final int mib)
    {
        captureFileMib = mib;
        return this;
    }

    /** Most files of a recording. */
    public BackendConfigBuilder captureFiles(final int count)
    {
        captureFiles = count;
        return this;
    }

    /** Bits a second from the guest and to it; 0 for no limit. */
    public BackendConfigBuilder rates(final long fromGuest, final long toGuest)
    {
        rateFromGuest = fromGuest;
        rateToGuest = toGuest;
        return this;
    }

    public BackendConfigBuilder metrics(final String hostAndPort)
    {
        metrics = hostAndPort;
        return this;
    }

    /** Filter the system calls of the process. */
    public BackendConfigBuilder sandbox(final Switch mode)
    {
        sandbox = mode;
        return this;
    }

    /** User and perhaps group that the process becomes. */
    public BackendConfigBuilder runAs(final String userAndGroup)
    {
        runAs = userAndGroup;
        return this;
    }

    public BackendConfigBuilder verbose(final boolean on)
    {
        verbose = on;
        return this;
    }

    private CaptureOptions capture()
    {
        if (null == captureFile)
        {
            return null;
        }
        return new CaptureOptions(
            Path.of(captureFile).toAbsolutePath(),
            BackendConfig.NONE == captureSnapLength ? CaptureOptions.MAX_SNAP_LENGTH : captureSnapLength,
            BackendConfig.NONE == captureFileMib ? CaptureOptions.UNLIMITED : (long)captureFileMib << MIB_SHIFT,
            BackendConfig.NONE == captureFiles ? CaptureOptions.UNLIMITED : captureFiles,
            CaptureOptions.FROM_GUEST | CaptureOptions.TO_GUEST);
    }
}
