package io.ringtap.vhost.control;

import java.util.List;

import io.ringtap.vhost.virtio.NetFeatures;

/**
 * The commands of the control queue: class and number, the feature that brings each, and how long what follows the two
 * bytes may be. A payload outside its limits is never looked at.
 */
public enum ControlCommand
{
    /** Every frame is wanted. */
    PROMISCUOUS(0, 0, NetFeatures.CTRL_RX, 1, 1),
    /** Every frame to a group is wanted. */
    ALL_MULTICAST(0, 1, NetFeatures.CTRL_RX, 1, 1),
    /** Every frame to a single station is wanted. */
    ALL_UNICAST(0, 2, NetFeatures.CTRL_RX_EXTRA, 1, 1),
    /** No frame to a group is wanted. */
    NO_MULTICAST(0, 3, NetFeatures.CTRL_RX_EXTRA, 1, 1),
    /** No frame to a single station is wanted. */
    NO_UNICAST(0, 4, NetFeatures.CTRL_RX_EXTRA, 1, 1),
    /** No frame to everybody is wanted. */
    NO_BROADCAST(0, 5, NetFeatures.CTRL_RX_EXTRA, 1, 1),
    /** Two tables of addresses, each behind its count. */
    MAC_TABLE_SET(1, 0, NetFeatures.CTRL_RX, 8, ControlQueue.MAX_PAYLOAD),
    /** The device's own address. */
    MAC_ADDRESS_SET(1, 1, NetFeatures.CTRL_MAC_ADDR, 6, 6),
    /** Frames of this VLAN are wanted. */
    VLAN_ADD(2, 0, NetFeatures.CTRL_VLAN, 2, 2),
    /** Frames of this VLAN are wanted no more. */
    VLAN_DELETE(2, 1, NetFeatures.CTRL_VLAN, 2, 2),
    /** The guest has announced itself. */
    ANNOUNCE_ACK(3, 0, NetFeatures.GUEST_ANNOUNCE, 0, 0),
    /** How many queue pairs the guest uses; the device spreads flows over them as it likes. */
    PAIRS_SET(4, 0, NetFeatures.MQ, 2, 2),
    /** Receive queues by hash: kinds of frames, table, pairs, key. */
    RSS_SET(4, 1, NetFeatures.RSS, RssTable.MIN_PAYLOAD, RssTable.MAX_PAYLOAD),
    /** What hash is reported. */
    HASH_SET(4, 2, NetFeatures.HASH_REPORT, ReceiveHash.MIN_PAYLOAD, ReceiveHash.MAX_PAYLOAD),
    /** Which of the negotiated offloads the guest takes from now on. */
    OFFLOADS_SET(5, 0, NetFeatures.CTRL_GUEST_OFFLOADS, 8, 8);

    static final List<ControlCommand> ALL = List.of(values());

    private final int group;
    private final int number;
    private final int feature;
    private final int minLength;
    private final int maxLength;

    ControlCommand(final int group, final int number, final int feature, final int minLength, final int maxLength)
    {
        this.group = group;
        this.number = number;
        this.feature = feature;
        this.minLength = minLength;
        this.maxLength = maxLength;
    }

    /** The command, or null when there is none of these numbers. */
    public static ControlCommand of(final int group, final int number)
    {
        for (final ControlCommand each : ALL)
        {
            if (each.group == group && each.number == number)
            {
                return each;
            }
        }
        return null;
    }

    /** Its class, which Java has another word for. */
    public int group()
    {
        return group;
    }

    public int number()
    {
        return number;
    }

    /** What has to be negotiated, beside CTRL_VQ. */
    public int feature()
    {
        return feature;
    }

    public int minLength()
    {
        return minLength;
    }

    public int maxLength()
    {
        return maxLength;
    }

    boolean accepts(final int length)
    {
        return minLength <= length && length <= maxLength;
    }
}
