package io.ringtap.frontend;

import io.ringtap.sys.Fd;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.virtio.NetFeatures;

/**
 * How a {@link Frontend} is to be: where its socket is, what it negotiates, how large everything is. Setters return
 * this; {@link #conclude} checks.
 */
public final class FrontendConfig
{
    /** What a Linux guest on QEMU takes, with USO on top. */
    public static final long DEFAULT_FEATURES =
        NetFeatures.bit(NetFeatures.CSUM) | NetFeatures.bit(NetFeatures.GUEST_CSUM) |
        NetFeatures.bit(NetFeatures.GUEST_TSO4) | NetFeatures.bit(NetFeatures.GUEST_TSO6) |
        NetFeatures.bit(NetFeatures.GUEST_ECN) | NetFeatures.bit(NetFeatures.HOST_TSO4) |
        NetFeatures.bit(NetFeatures.HOST_TSO6) | NetFeatures.bit(NetFeatures.HOST_ECN) |
        NetFeatures.bit(NetFeatures.GUEST_USO4) | NetFeatures.bit(NetFeatures.GUEST_USO6) |
        NetFeatures.bit(NetFeatures.HOST_USO) | NetFeatures.bit(NetFeatures.MRG_RXBUF) |
        NetFeatures.bit(NetFeatures.GUEST_ANNOUNCE) | NetFeatures.bit(NetFeatures.MQ) |
        NetFeatures.bit(NetFeatures.INDIRECT_DESC) | NetFeatures.bit(NetFeatures.EVENT_IDX) |
        NetFeatures.bit(NetFeatures.PROTOCOL_FEATURES) | NetFeatures.bit(NetFeatures.VERSION_1);

    /** What QEMU takes for a network device. */
    public static final long DEFAULT_PROTOCOL_FEATURES = ProtocolFeature.mask(
        ProtocolFeature.MQ,
        ProtocolFeature.LOG_SHMFD,
        ProtocolFeature.RARP,
        ProtocolFeature.REPLY_ACK,
        ProtocolFeature.NET_MTU,
        ProtocolFeature.BACKEND_REQ,
        ProtocolFeature.STATUS);

    private static final int MAX_PAIRS = 128;
    private static final int MAX_RING = 32768;

    private String socketPath;
    private boolean isServer;
    private Fd socket;
    private int timeoutMs = 5000;
    private int queuePairs = 1;
    private int ringSize = 256;
    private long features = DEFAULT_FEATURES;
    private long protocolFeatures = DEFAULT_PROTOCOL_FEATURES;
    private boolean acksEverything;
    private boolean hasNotifications = true;
    private int regions = 1;
    private long regionGap;
    private int mtu;
    private int receiveBuffer = 2048;
    private int transmitBytes = 256 * 1024;
    private int descriptorsPerFrame = 1;
    private boolean usesIndirect;
    private Fd memoryFile;

    /** Path of the socket; the back-end listens there unless {@link #isServer}. */
    public FrontendConfig socketPath(final String path)
    {
        socketPath = path;
        return this;
    }

    /** Whether the front-end listens and the back-end connects. */
    public FrontendConfig isServer(final boolean listens)
    {
        isServer = listens;
        return this;
    }

    /** A connected socket instead of a path; it is then owned by the front-end, and there is no reconnecting. */
    public FrontendConfig socket(final Fd connected)
    {
        socket = connected;
        return this;
    }

    /** The longest wait for a reply or a connection. */
    public FrontendConfig timeoutMs(final int wait)
    {
        timeoutMs = wait;
        return this;
    }

    public FrontendConfig queuePairs(final int pairs)
    {
        queuePairs = pairs;
        return this;
    }

    /** Descriptors of each ring. */
    public FrontendConfig ringSize(final int descriptors)
    {
        ringSize = descriptors;
        return this;
    }

    /** The virtio features that are taken when they are offered. */
    public FrontendConfig features(final long wanted)
    {
        features = wanted;
        return this;
    }

    /** The protocol features that are taken when they are offered. */
    public FrontendConfig protocolFeatures(final long wanted)
    {
        protocolFeatures = wanted;
        return this;
    }

    /** Whether every message asks for an ack, as Cloud Hypervisor does, not only those of QEMU. */
    public FrontendConfig acksEverything(final boolean everything)
    {
        acksEverything = everything;
        return this;
    }

    /** Whether there are kick and call descriptors; without them both sides poll. */
    public FrontendConfig hasNotifications(final boolean notifies)
    {
        hasNotifications = notifies;
        return this;
    }

    /** How the memory is cut: see {@link FrontendMemory#create}. */
    public FrontendConfig regions(final int count, final long gap)
    {
        regions = count;
        regionGap = gap;
        return this;
    }

    /** Tells the back-end this MTU and makes room for it; 0 for neither. */
    public FrontendConfig mtu(final int bytes)
    {
        mtu = bytes;
        return this;
    }

    /** Bytes of each receive buffer with mergeable buffers; without, it is what the largest frame needs. */
    public FrontendConfig receiveBuffer(final int bytes)
    {
        receiveBuffer = bytes;
        return this;
    }

    /** Memory of each transmit queue; a power of two. Small stays in the caches, large holds many long frames. */
    public FrontendConfig transmitBytes(final int bytes)
    {
        transmitBytes = bytes;
        return this;
    }

    /**
     * How frames are laid out in the ring.
     *
     * @param perFrame 1 for all in one descriptor; more: the net header apart and the frame in the others.
     * @param indirect whether they lie in an indirect table, where that was negotiated.
     */
    public FrontendConfig descriptorsPerFrame(final int perFrame, final boolean indirect)
    {
        descriptorsPerFrame = perFrame;
        usesIndirect = indirect;
        return this;
    }

    /**
     * Where the guest's memory lies, instead of in a sealed file of its own: on huge pages, or in a file that whoever
     * made it may cut short. Long enough, and owned by the front-end once it is connected.
     */
    public FrontendConfig memoryFile(final Fd file)
    {
        memoryFile = file;
        return this;
    }

    public String socketPath()
    {
        return socketPath;
    }

    public boolean isServer()
    {
        return isServer;
    }

    public Fd socket()
    {
        return socket;
    }

    public int timeoutMs()
    {
        return timeoutMs;
    }

    public int queuePairs()
    {
        return queuePairs;
    }

    public int ringSize()
    {
        return ringSize;
    }

    public long features()
    {
        return features;
    }

    public long protocolFeatures()
    {
        return protocolFeatures;
    }

    public boolean acksEverything()
    {
        return acksEverything;
    }

    public boolean hasNotifications()
    {
        return hasNotifications;
    }

    public int regions()
    {
        return regions;
    }

    public long regionGap()
    {
        return regionGap;
    }

    public int mtu()
    {
        return mtu;
    }

    public int receiveBuffer()
    {
        return receiveBuffer;
    }

    public int transmitBytes()
    {
        return transmitBytes;
    }

    public int descriptorsPerFrame()
    {
        return descriptorsPerFrame;
    }

    public boolean usesIndirect()
    {
        return usesIndirect;
    }

    /** Null for memory of the front-end's own. */
    public Fd memoryFile()
    {
        return memoryFile;
    }

    /** Checks everything once; @throws IllegalArgumentException saying value and limit. */
    public FrontendConfig conclude()
    {
        require(null != socketPath || null != socket, "no socket: give a path or a descriptor");
        require(queuePairs >= 1 && queuePairs <= MAX_PAIRS, "queue pairs " + queuePairs + ", limit is " + MAX_PAIRS);
        final boolean isPacked = NetFeatures.has(features, NetFeatures.RING_PACKED);
        require(ringSize >= 2 && ringSize <= MAX_RING && (isPacked || Integer.bitCount(ringSize) == 1),
            "ring size " + ringSize + " is not a power of two of 2 to " + MAX_RING);
        require(transmitBytes >= 1 << 12 && Integer.bitCount(transmitBytes) == 1,
            "transmit memory of " + transmitBytes + " bytes is not a power of two from 4096");
        require(receiveBuffer >= 128 && receiveBuffer <= 1 << 17,
            "receive buffer of " + receiveBuffer + " bytes is not one of 128 to 131072");
        require(descriptorsPerFrame >= 1 && descriptorsPerFrame <= Math.min(ringSize, 64),
            descriptorsPerFrame + " descriptors a frame, limit is " + Math.min(ringSize, 64));
        require(0 == mtu || mtu >= 68 && mtu <= 65521, "MTU " + mtu + " is not one of 68 to 65521");
        return this;
    }

    private static void require(final boolean isTrue, final String message)
    {
        if (!isTrue)
        {
            throw new IllegalArgumentException(message);
        }
    }
}
