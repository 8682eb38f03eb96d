package io.ringtap.vhost.virtio;

import io.ringtap.flow.Offloads;
import io.ringtap.port.PacketPort;

import java.util.ArrayList;
import java.util.List;

/**
 * Feature bits of a virtio network device (virtio 1.x, 5.1.3 and 6) as far as a vhost-user word carries them: what we
 * offer, and what the acknowledged ones mean for frames.
 * <p>
 * Offered on demand only: RING_RESET, since a front-end that passes it through without stopping our ring would pull the
 * ring from under us, and the control queue with what hangs on it, since most front-ends answer it themselves.
 */
public final class NetFeatures
{
    public static final int CSUM = 0;
    public static final int GUEST_CSUM = 1;
    /** Of the control queue, as the other bits with CTRL in their names. */
    public static final int CTRL_GUEST_OFFLOADS = 2;
    public static final int MTU = 3;
    /** Of the config space, as {@link #STATUS} and {@link #SPEED_DUPLEX}: offered to front-ends that leave it to us. */
    public static final int MAC = 5;
    public static final int GUEST_TSO4 = 7;
    public static final int GUEST_TSO6 = 8;
    public static final int GUEST_ECN = 9;
    public static final int GUEST_UFO = 10;
    public static final int HOST_TSO4 = 11;
    public static final int HOST_TSO6 = 12;
    public static final int HOST_ECN = 13;
    public static final int HOST_UFO = 14;
    public static final int MRG_RXBUF = 15;
    public static final int STATUS = 16;
    public static final int CTRL_VQ = 17;
    public static final int CTRL_RX = 18;
    public static final int CTRL_VLAN = 19;
    public static final int CTRL_RX_EXTRA = 20;
    public static final int GUEST_ANNOUNCE = 21;
    public static final int MQ = 22;
    public static final int CTRL_MAC_ADDR = 23;
    /** Of devices before virtio 1.0: notify when all that was available is used, whatever the driver suppressed. */
    public static final int NOTIFY_ON_EMPTY = 24;
    /** VHOST_F_LOG_ALL: the session offers it when it can log what is written. */
    public static final int LOG_ALL = 26;
    public static final int ANY_LAYOUT = 27;
    public static final int INDIRECT_DESC = 28;
    public static final int EVENT_IDX = 29;
    /** VHOST_USER_F_PROTOCOL_FEATURES. */
    public static final int PROTOCOL_FEATURES = 30;
    public static final int VERSION_1 = 32;
    /** The session offers it when it can translate through the front-end's IOTLB. */
    public static final int ACCESS_PLATFORM = 33;
    public static final int RING_PACKED = 34;
    public static final int IN_ORDER = 35;
    public static final int RING_RESET = 40;
    public static final int GUEST_USO4 = 54;
    public static final int GUEST_USO6 = 55;
    public static final int HOST_USO = 56;
    public static final int HASH_REPORT = 57;
    /** Receive queues by hash, which the driver chooses by the control queue. */
    public static final int RSS = 60;
    public static final int SPEED_DUPLEX = 63;

    /** What a driver takes instead of plain frames, and may turn off and on by the control queue. */
    public static final long GUEST_OFFLOADS = bit(GUEST_CSUM) | bit(GUEST_TSO4) | bit(GUEST_TSO6) | bit(GUEST_ECN) |
        bit(GUEST_UFO) | bit(GUEST_USO4) | bit(GUEST_USO6);

    /** The control queue, with all that it can do but steer frames. */
    public static final long CONTROL = bit(CTRL_VQ) | bit(CTRL_RX) | bit(CTRL_VLAN) | bit(CTRL_RX_EXTRA) |
        bit(CTRL_MAC_ADDR) | bit(CTRL_GUEST_OFFLOADS);

    private static final String[] NAMES = new String[64];

    private static final long ALWAYS = bit(MTU) | bit(MRG_RXBUF) | bit(GUEST_ANNOUNCE) | bit(MQ) |
        bit(NOTIFY_ON_EMPTY) | bit(ANY_LAYOUT) | bit(INDIRECT_DESC) | bit(EVENT_IDX) | bit(PROTOCOL_FEATURES) |
        bit(VERSION_1) | bit(RING_PACKED) | bit(IN_ORDER) | bit(HASH_REPORT);

    static
    {
        name(CSUM, "CSUM");
        name(GUEST_CSUM, "GUEST_CSUM");
        name(CTRL_GUEST_OFFLOADS, "CTRL_GUEST_OFFLOADS");
        name(CTRL_VQ, "CTRL_VQ");
        name(CTRL_RX, "CTRL_RX");
        name(CTRL_VLAN, "CTRL_VLAN");
        name(CTRL_RX_EXTRA, "CTRL_RX_EXTRA");
        name(CTRL_MAC_ADDR, "CTRL_MAC_ADDR");
        name(RSS, "RSS");
        name(MTU, "MTU");
        name(MAC, "MAC");
        name(STATUS, "STATUS");
        name(SPEED_DUPLEX, "SPEED_DUPLEX");
        name(GUEST_TSO4, "GUEST_TSO4");
        name(GUEST_TSO6, "GUEST_TSO6");
        name(GUEST_ECN, "GUEST_ECN");
        name(GUEST_UFO, "GUEST_UFO");
        name(HOST_TSO4, "HOST_TSO4");
        name(HOST_TSO6, "HOST_TSO6");
        name(HOST_ECN, "HOST_ECN");
        name(HOST_UFO, "HOST_UFO");
        name(MRG_RXBUF, "MRG_RXBUF");
        name(GUEST_ANNOUNCE, "GUEST_ANNOUNCE");
        name(MQ, "MQ");
        name(NOTIFY_ON_EMPTY, "NOTIFY_ON_EMPTY");
        name(LOG_ALL, "LOG_ALL");
        name(ANY_LAYOUT, "ANY_LAYOUT");
        name(INDIRECT_DESC, "INDIRECT_DESC");
        name(EVENT_IDX, "EVENT_IDX");
        name(PROTOCOL_FEATURES, "PROTOCOL_FEATURES");
        name(VERSION_1, "VERSION_1");
        name(ACCESS_PLATFORM, "ACCESS_PLATFORM");
        name(RING_PACKED, "RING_PACKED");
        name(IN_ORDER, "IN_ORDER");
        name(RING_RESET, "RING_RESET");
        name(GUEST_USO4, "GUEST_USO4");
        name(GUEST_USO6, "GUEST_USO6");
        name(HOST_USO, "HOST_USO");
        name(HASH_REPORT, "HASH_REPORT");
    }

    private NetFeatures()
    {
    }

    public static long bit(final int feature)
    {
        return 1L << feature;
    }

    public static boolean has(final long features, final int feature)
    {
        return (features & bit(feature)) != 0;
    }

    /** Name of a bit without prefix; {@code bit 41} for one that we do not speak of. */
    public static String name(final int feature)
    {
        return NAMES[feature] != null ? NAMES[feature] : "bit " + feature;
    }

    /** Names of all bits that are set, for people. */
    public static List<String> names(final long features)
    {
        final List<String> names = new ArrayList<>();
        for (int i = 0; i < Long.SIZE; i++)
        {
            if (has(features, i))
            {
                names.add(name(i));
            }
        }
        return names;
    }

    /**
     * The number of the control queue: behind the pairs that the driver knows of (virtio 1.x, 5.1.2).
     *
     * @param pairs that the device has.
     * @return -1 when there is none.
     */
    public static int controlQueue(final long acknowledged, final int pairs)
    {
        final boolean hasMany = has(acknowledged, MQ) || has(acknowledged, RSS);
        return has(acknowledged, CTRL_VQ) ? 2 * (hasMany ? pairs : 1) : -1;
    }

    /** What a device over this port offers. */
    public static long offered(final PacketPort port)
    {
        return offered(port.transmitOffloads(), port.supportedReceiveOffloads());
    }

    /**
     * What a device offers.
     *
     * @param transmitOffloads what may be sent to the port: {@link Offloads} bits.
     * @param receiveOffloads  what the port could give; {@link Offloads#NONE} for both switches offloads off.
     */
    public static long offered(final int transmitOffloads, final int receiveOffloads)
    {
        long offered = ALWAYS;
        if ((transmitOffloads & Offloads.CSUM) != 0)
        {
            offered |= bit(CSUM) |
                when(transmitOffloads, Offloads.TSO4, HOST_TSO4) |
                when(transmitOffloads, Offloads.TSO6, HOST_TSO6) |
                when(transmitOffloads, Offloads.ECN, HOST_ECN) |
                when(transmitOffloads, Offloads.UFO, HOST_UFO) |
                when(transmitOffloads, Offloads.USO4 | Offloads.USO6, HOST_USO);
        }
        if ((receiveOffloads & Offloads.CSUM) != 0)
        {
            offered |= bit(GUEST_CSUM) |
                when(receiveOffloads, Offloads.TSO4, GUEST_TSO4) |
                when(receiveOffloads, Offloads.TSO6, GUEST_TSO6) |
                when(receiveOffloads, Offloads.ECN, GUEST_ECN) |
                when(receiveOffloads, Offloads.UFO, GUEST_UFO) |
                when(receiveOffloads, Offloads.USO4, GUEST_USO4) |
                when(receiveOffloads, Offloads.USO6, GUEST_USO6);
        }
        return offered;
    }

    /**
     * What the guest takes instead of plain frames, as {@link Offloads} bits. A bit whose requirement is missing counts
     * for nothing (virtio 1.x, 5.1.3.1).
     */
    public static int receiveOffloads(final long acknowledged)
    {
        if (!has(acknowledged, GUEST_CSUM))
        {
            return Offloads.NONE;
        }
        return withoutLoneEcn(Offloads.CSUM |
            when(acknowledged, GUEST_TSO4, Offloads.TSO4) |
            when(acknowledged, GUEST_TSO6, Offloads.TSO6) |
            when(acknowledged, GUEST_ECN, Offloads.ECN) |
            when(acknowledged, GUEST_UFO, Offloads.UFO) |
            when(acknowledged, GUEST_USO4, Offloads.USO4) |
            when(acknowledged, GUEST_USO6, Offloads.USO6));
    }

    /** What the guest may send instead of plain frames, as {@link Offloads} bits. */
    public static int transmitOffloads(final long acknowledged)
    {
        if (!has(acknowledged, CSUM))
        {
            return Offloads.NONE;
        }
        return withoutLoneEcn(Offloads.CSUM |
            when(acknowledged, HOST_TSO4, Offloads.TSO4) |
            when(acknowledged, HOST_TSO6, Offloads.TSO6) |
            when(acknowledged, HOST_ECN, Offloads.ECN) |
            when(acknowledged, HOST_UFO, Offloads.UFO) |
            when(acknowledged, HOST_USO, Offloads.USO4 | Offloads.USO6));
    }

    /** Bytes of the net header in front of each frame (virtio 1.x, 5.1.6): 10, 12 or 20. */
    public static int headerLength(final long acknowledged)
    {
        if (has(acknowledged, HASH_REPORT))
        {
            return 20;
        }
        return has(acknowledged, MRG_RXBUF) || has(acknowledged, VERSION_1) ? 12 : 10;
    }

    public static boolean hasMergeableBuffers(final long acknowledged)
    {
        return has(acknowledged, MRG_RXBUF);
    }

    private static int withoutLoneEcn(final int offloads)
    {
        return (offloads & (Offloads.TSO4 | Offloads.TSO6)) == 0 ? offloads & ~Offloads.ECN : offloads;
    }

    /** The feature's bit when every one of the offloads is there. */
    private static long when(final int offloads, final int required, final int feature)
    {
        return (offloads & required) == required ? bit(feature) : 0;
    }

    private static int when(final long features, final int feature, final int offloads)
    {
        return has(features, feature) ? offloads : 0;
    }

    private static void name(final int feature, final String name)
    {
        NAMES[feature] = name;
    }
}
