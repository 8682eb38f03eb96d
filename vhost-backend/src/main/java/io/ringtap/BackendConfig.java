package io.ringtap;

import io.ringtap.capture.CaptureOptions;

import java.util.List;

/**
 * Everything a backend for one NIC is built from; immutable and already checked. Made by {@link #builder()}.
 *
 * @param socketPath      vhost-user socket; null when {@code fd} is given.
 * @param fd              inherited vhost-user socket, connected or listening; {@link #NONE} when a path is given.
 * @param listener        descriptor that listens on {@code socketPath} already, from a process before this one;
 *                        {@link #NONE} to make one.
 * @param client          connect to the path (and again after a loss) instead of listening on it.
 * @param socketMode      permission bits of the listening socket's file; {@link #NONE} leaves them to the umask.
 * @param socketOwner     user name or number that owns the socket's file; null leaves it.
 * @param socketGroup     group name or number of the socket's file; null leaves it.
 * @param sessionRate     front-ends a second that the socket takes; 0 for no limit.
 * @param portKind        what the NIC is connected to.
 * @param portName        interface name; may hold %d for the kernel to number; null for TAP descriptors.
 * @param portMode        how the port is to be made, in the port's own words; null takes its default.
 * @param tapFds          inherited TAP descriptors, one a queue pair; empty when the TAP is opened by name.
 * @param bridge          bridge that the TAP joins; null for none.
 * @param bridgeAcl       file that says which bridges may be joined; null for the host's own only.
 * @param queues          queue pairs, each with a worker.
 * @param mtu             MTU to set on the port and to offer to the guest; {@link #NONE} takes the port's.
 * @param mac             the only source address the guest may use, first byte in the low bits; {@link #NONE}: any.
 * @param offloads        what the guest and the port may use at most, as {@link io.ringtap.flow.Offloads} bits.
 * @param refusedFeatures virtio features that are not offered although they work.
 * @param extraFeatures   virtio features that are offered although they work with some front-ends only.
 * @param io              how frames cross to the kernel.
 * @param frag            how queues share pages.
 * @param flowSort        group each batch by flow.
 * @param coalesce        merge runs of a flow into super-frames.
 * @param flushThreshold  frames after which deferred work is flushed, at the latest at the end of a batch.
 * @param doorbell        a thread of its own tells the kernel of frames to send; AF_PACKET only.
 * @param doorbellLingerUs microseconds that this thread looks for more before it sleeps; {@link #NONE}: adaptive.
 * @param busyPollUs      microseconds a worker looks for work before it parks.
 * @param cpus            CPUs that workers are pinned to in turn; empty leaves them to the scheduler.
 * @param filters         class names of {@link io.ringtap.xdp.XdpHook}s, in order.
 * @param xdpGuest        eBPF programs for frames from the guest, {@code OBJ[:PROG]} each, in order.
 * @param xdpHost         the same for frames to the guest.
 * @param xdpOracle       ask the kernel's verifier about them too.
 * @param controlPath     control socket; null for none.
 * @param controlMode     permission bits of its file.
 * @param capture         what is recorded from the start; null for nothing.
 * @param rateFromGuest   bits a second that the guest may send; 0 for no limit.
 * @param rateToGuest     bits a second that the host may send it; 0 for no limit.
 * @param metrics         HOST:PORT of the metrics endpoint; null for none.
 * @param isolation       what the process gives up after its start.
 * @param verbose         say more, and show traces of errors.
 */
public record BackendConfig(
    String socketPath,
    int fd,
    int listener,
    boolean client,
    int socketMode,
    String socketOwner,
    String socketGroup,
    int sessionRate,
    PortKind portKind,
    String portName,
    String portMode,
    List<Integer> tapFds,
    String bridge,
    String bridgeAcl,
    int queues,
    int mtu,
    long mac,
    int offloads,
    long refusedFeatures,
    long extraFeatures,
    IoMode io,
    FragMode frag,
    boolean flowSort,
    Switch coalesce,
    int flushThreshold,
    boolean doorbell,
    int doorbellLingerUs,
    int busyPollUs,
    List<Integer> cpus,
    List<String> filters,
    List<String> xdpGuest,
    List<String> xdpHost,
    boolean xdpOracle,
    String controlPath,
    int controlMode,
    CaptureOptions capture,
    long rateFromGuest,
    long rateToGuest,
    String metrics,
    Isolation isolation,
    boolean verbose)
{
    /** Stands for "not given" in numbers. */
    public static final int NONE = -1;

    /** Copies the lists, so that nobody changes them afterwards. */
    public BackendConfig
    {
        tapFds = List.copyOf(tapFds);
        cpus = List.copyOf(cpus);
        filters = List.copyOf(filters);
        xdpGuest = List.copyOf(xdpGuest);
        xdpHost = List.copyOf(xdpHost);
    }

    /** Starts with the defaults. */
    public static BackendConfigBuilder builder()
    {
        return new BackendConfigBuilder();
    }

    /** What the port is, for people: {@code tap0}, {@code TAP descriptors 5, 6} or {@code null}. */
    public String portText()
    {
        if (PortKind.NULL == portKind)
        {
            return "the null port";
        }
        return null != portName ? portName : "TAP descriptors " + tapFds;
    }
}
