package io.ringtap.vhost.control;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.DirectBuffer;

/**
 * Judges commands of the driver and makes them so. A command is wholly done or refused and without effect; nothing that
 * a driver sends does anything else. Used by one thread.
 */
public final class ControlQueue
{
    /** VIRTIO_NET_OK. */
    public static final int OK = 0;
    /** VIRTIO_NET_ERR. */
    public static final int ERROR = 1;

    /** Class and number in front of each command. */
    public static final int HEADER_LENGTH = 2;

    /** Two tables with 20 times as many addresses as are looked at one by one. */
    static final int MAX_PAYLOAD = 16 * 1024;

    /** Longest command; of a longer one nothing is looked at. */
    public static final int MAX_LENGTH = HEADER_LENGTH + MAX_PAYLOAD;

    private static final long GROUP = 1;
    private static final int COUNT = 4;

    private final int maxPairs;
    private final long pinned;
    private final ControlEffects effects;
    private ReceiveState state = new ReceiveState(0);
    private long features;

    /**
     * @param maxPairs queue pairs of the device.
     * @param pinned   the only address that the operator lets the guest have; 0 for any.
     * @param effects  of what is asked for.
     */
    public ControlQueue(final int maxPairs, final long pinned, final ControlEffects effects)
    {
        this.maxPairs = maxPairs;
        this.pinned = pinned;
        this.effects = effects;
    }

    /**
     * The device starts anew with these features: what the driver said before is forgotten.
     *
     * @param mac its address; 0 for unknown.
     */
    public void negotiated(final long acknowledged, final long mac)
    {
        features = acknowledged;
        state = new ReceiveState(mac);
        effects.receive(isOurs() ? state.rules() : ReceiveRules.ALL);
    }

    /** Whether there is a control queue. */
    public boolean isOurs()
    {
        return NetFeatures.has(features, NetFeatures.CTRL_VQ);
    }

    /** What was asked for so far. */
    public ReceiveState state()
    {
        return state;
    }

    /**
     * Does what a command says.
     *
     * @param length of all of it, at most {@link #MAX_LENGTH}.
     * @return {@link #OK} or {@link #ERROR}.
     */
    public int handle(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < HEADER_LENGTH || MAX_LENGTH < length || !isOurs())
        {
            return ERROR;
        }
        final ControlCommand command =
            ControlCommand.of(buffer.getByte(offset) & 0xFF, buffer.getByte(offset + 1) & 0xFF);
        final int payload = length - HEADER_LENGTH;
        if (null == command || !NetFeatures.has(features, command.feature()) || !command.accepts(payload))
        {
            return ERROR;
        }
        return isDone(command, buffer, offset + HEADER_LENGTH, payload) ? OK : ERROR;
    }

    /** Whether {@link ReceiveState#save} may have written this. */
    public static boolean isSaved(final DirectBuffer from, final int offset, final int length)
    {
        final int end = offset + length;
        int at = offset;
        while (at + Short.BYTES <= end)
        {
            final int command = from.getShort(at, LITTLE_ENDIAN) & 0xFFFF;
            if (command < HEADER_LENGTH)
            {
                return false;
            }
            at += Short.BYTES + command;
        }
        return at == end;
    }

    /**
     * Does what another device was told. Commands of which the features in force know nothing were not said by this
     * driver and are passed over.
     *
     * @param length of what {@link #isSaved} found to be whole.
     */
    public void restore(final DirectBuffer from, final int offset, final int length)
    {
        int at = offset;
        while (at < offset + length)
        {
            final int command = from.getShort(at, LITTLE_ENDIAN) & 0xFFFF;
            handle(from, at + Short.BYTES, command);
            at += Short.BYTES + command;
        }
    }

    private boolean isDone(
        final ControlCommand command, final DirectBuffer buffer, final int at, final int length)
    {
        return switch (command)
        {
            case PROMISCUOUS, ALL_MULTICAST, ALL_UNICAST, NO_MULTICAST, NO_UNICAST, NO_BROADCAST ->
                isModeSet(command, buffer.getByte(at));
            case MAC_TABLE_SET -> areTablesSet(buffer, at, length);
            case MAC_ADDRESS_SET -> isAddressSet(AddressTable.address(buffer, at));
            case VLAN_ADD -> isVlanSet(buffer.getShort(at, LITTLE_ENDIAN) & 0xFFFF, true);
            case VLAN_DELETE -> isVlanSet(buffer.getShort(at, LITTLE_ENDIAN) & 0xFFFF, false);
            case ANNOUNCE_ACK -> effects.announced();
            case PAIRS_SET -> arePairsSet(buffer.getShort(at, LITTLE_ENDIAN) & 0xFFFF);
            case RSS_SET -> isRssSet(RssTable.of(buffer, at, length, maxPairs));
            case HASH_SET -> isHashSet(ReceiveHash.read(buffer, at, length));
            case OFFLOADS_SET -> areOffloadsSet(buffer.getLong(at, LITTLE_ENDIAN));
        };
    }

    private boolean isModeSet(final ControlCommand mode, final int value)
    {
        return (0 == value || 1 == value) && isInForce(state.mode(mode, 1 == value));
    }

    private boolean areTablesSet(final DirectBuffer buffer, final int at, final int length)
    {
        final long stations = buffer.getInt(at, LITTLE_ENDIAN) & 0xFFFF_FFFFL;
        final long second = COUNT + stations * AddressTable.ADDRESS;
        if (length < second + COUNT)
        {
            return false;
        }
        final int groupsAt = at + (int)second;
        final long groups = buffer.getInt(groupsAt, LITTLE_ENDIAN) & 0xFFFF_FFFFL;
        return length == second + COUNT + groups * AddressTable.ADDRESS && isInForce(state.tables(
            AddressTable.of(buffer, at + COUNT, (int)stations),
            AddressTable.of(buffer, groupsAt + COUNT, (int)groups)));
    }

    private boolean isAddressSet(final long mac)
    {
        final boolean isAllowed = 0 != mac && (mac & GROUP) == 0 && (0 == pinned || pinned == mac);
        if (isAllowed)
        {
            isInForce(state.address(mac));
            effects.address(mac);
        }
        return isAllowed;
    }

    private boolean isVlanSet(final int vlan, final boolean isWanted)
    {
        return vlan < VlanSet.MAX_VLANS && isInForce(state.vlan(vlan, isWanted));
    }

    private boolean arePairsSet(final int pairs)
    {
        return 1 <= pairs && pairs <= maxPairs && isInForce(state.pairs(pairs));
    }

    private boolean isRssSet(final RssTable table)
    {
        return null != table && isInForce(state.rss(table));
    }

    private boolean isHashSet(final ReceiveHash hash)
    {
        return null != hash && isInForce(state.hash(hash));
    }

    /** Only what was negotiated can be turned off and on again. */
    private boolean areOffloadsSet(final long wanted)
    {
        if ((wanted & ~(features & NetFeatures.GUEST_OFFLOADS)) != 0)
        {
            return false;
        }
        effects.offloads(NetFeatures.receiveOffloads(wanted));
        state.offloads(wanted);
        return true;
    }

    private boolean isInForce(final ReceiveState changed)
    {
        effects.receive(changed.rules());
        return true;
    }
}
