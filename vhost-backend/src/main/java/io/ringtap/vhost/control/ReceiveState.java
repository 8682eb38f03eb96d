package io.ringtap.vhost.control;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;

/** What the driver has asked for so far, beginning with a device that lets everything through. */
public final class ReceiveState
{
    /**
     * Most bytes of {@link #save}: six modes, two tables, an address, every VLAN, pairs, a table of queues, a hash and
     * the offloads, each behind its length.
     */
    public static final int MAX_SAVED = 32 * 1024;

    private static final int MODES = ControlCommand.NO_BROADCAST.ordinal() + 1;
    private static final int LENGTH = 2;
    private static final int BEFORE = LENGTH + ControlQueue.HEADER_LENGTH;
    private static final long NEVER = -1;

    private final boolean[] modes = new boolean[MODES];
    private long mac;
    private boolean hasNewMac;
    private AddressTable stations = AddressTable.EMPTY;
    private AddressTable groups = AddressTable.EMPTY;
    private VlanSet vlans;
    private int pairs = 1;
    private RssTable rss;
    private ReceiveHash hash;
    private long offloads = NEVER;

    ReceiveState(final long mac)
    {
        this.mac = mac;
        // As QEMU's device: a driver that knows of no modes wants everything.
        modes[ControlCommand.PROMISCUOUS.ordinal()] = true;
    }

    ReceiveState mode(final ControlCommand mode, final boolean isOn)
    {
        modes[mode.ordinal()] = isOn;
        return this;
    }

    ReceiveState tables(final AddressTable ofStations, final AddressTable ofGroups)
    {
        stations = ofStations;
        groups = ofGroups;
        return this;
    }

    ReceiveState address(final long newMac)
    {
        mac = newMac;
        hasNewMac = true;
        return this;
    }

    ReceiveState vlan(final int vlan, final boolean isWanted)
    {
        vlans = VlanSet.with(vlans, vlan, isWanted);
        return this;
    }

    /** The port spreads flows over them again. */
    ReceiveState pairs(final int inUse)
    {
        pairs = inUse;
        rss = null;
        return this;
    }

    ReceiveState rss(final RssTable table)
    {
        rss = table;
        hash = table.hash();
        pairs = table.sendingPairs();
        return this;
    }

    ReceiveState hash(final ReceiveHash reported)
    {
        hash = reported;
        return this;
    }

    void offloads(final long wanted)
    {
        offloads = wanted;
    }

    ReceiveRules rules()
    {
        final ReceiveFilter filter = modes[ControlCommand.PROMISCUOUS.ordinal()] ? null : new ReceiveFilter(
            mac, stations, groups, vlans, is(ControlCommand.ALL_MULTICAST), is(ControlCommand.ALL_UNICAST),
            is(ControlCommand.NO_MULTICAST), is(ControlCommand.NO_UNICAST), is(ControlCommand.NO_BROADCAST));
        return new ReceiveRules(filter, hash, rss, pairs);
    }

    /**
     * Writes the commands that make another device what this one is, each behind its length in two bytes.
     *
     * @param to at least {@link #MAX_SAVED} bytes from the offset on.
     * @return bytes.
     */
    public int save(final MutableDirectBuffer to, final int offset)
    {
        int at = offset;
        for (int i = 0; i < MODES; i++)
        {
            to.putByte(at + BEFORE, (byte)(modes[i] ? 1 : 0));
            at = saved(to, at, ControlCommand.ALL.get(i), 1);
        }
        final int stationsLength = stations.save(to, at + BEFORE);
        at = saved(to, at, ControlCommand.MAC_TABLE_SET,
            stationsLength + groups.save(to, at + BEFORE + stationsLength));
        if (hasNewMac)
        {
            to.putInt(at + BEFORE, (int)mac, LITTLE_ENDIAN);
            to.putShort(at + BEFORE + Integer.BYTES, (short)(mac >>> Integer.SIZE), LITTLE_ENDIAN);
            at = saved(to, at, ControlCommand.MAC_ADDRESS_SET, AddressTable.ADDRESS);
        }
        at = null == vlans ? at : saveVlans(to, at);
        to.putShort(at + BEFORE, (short)pairs, LITTLE_ENDIAN);
        at = saved(to, at, ControlCommand.PAIRS_SET, Short.BYTES);
        at = null == rss ? at : saved(to, at, ControlCommand.RSS_SET, rss.save(to, at + BEFORE));
        at = null == hash ? at : saved(to, at, ControlCommand.HASH_SET, hash.save(to, at + BEFORE));
        if (NEVER != offloads)
        {
            to.putLong(at + BEFORE, offloads, LITTLE_ENDIAN);
            at = saved(to, at, ControlCommand.OFFLOADS_SET, Long.BYTES);
        }
        return at - offset;
    }

    private int saveVlans(final MutableDirectBuffer to, final int offset)
    {
        int at = offset;
        for (int vlan = 0; vlan < VlanSet.MAX_VLANS; vlan++)
        {
            // The first is in by its nature, and said in any case: a filter without VLANs is one.
            if (vlans.holds(vlan))
            {
                to.putShort(at + BEFORE, (short)vlan, LITTLE_ENDIAN);
                at = saved(to, at, ControlCommand.VLAN_ADD, Short.BYTES);
            }
        }
        return at;
    }

    /** Writes what is in front of a payload; @return where the next command begins. */
    private static int saved(
        final MutableDirectBuffer to, final int at, final ControlCommand command, final int payload)
    {
        to.putShort(at, (short)(ControlQueue.HEADER_LENGTH + payload), LITTLE_ENDIAN);
        to.putByte(at + LENGTH, (byte)command.group());
        to.putByte(at + LENGTH + 1, (byte)command.number());
        return at + BEFORE + payload;
    }

    private boolean is(final ControlCommand mode)
    {
        return modes[mode.ordinal()];
    }
}
