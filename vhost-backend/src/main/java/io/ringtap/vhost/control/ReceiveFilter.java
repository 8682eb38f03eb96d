package io.ringtap.vhost.control;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.ringtap.flow.FrameLayout;
import org.agrona.DirectBuffer;

/**
 * Which frames the guest wants, by destination and VLAN (virtio 1.x, 5.1.6.5.1 to 5.1.6.5.3). Immutable. The order of
 * the rules is that of QEMU's device, which guests know.
 *
 * @param mac             the device's address; 0 when nobody told us, and then every station is it.
 * @param unicast         further addresses of stations.
 * @param multicast       groups.
 * @param vlans           a bit a VLAN; null while the driver has not spoken of any, and then all are wanted.
 * @param isAllMulticast  every group.
 * @param isAllUnicast    every station.
 * @param isNoMulticast   no group.
 * @param isNoUnicast     no station.
 * @param isNoBroadcast   not what is for everybody.
 */
public record ReceiveFilter(
    long mac,
    AddressTable unicast,
    AddressTable multicast,
    VlanSet vlans,
    boolean isAllMulticast,
    boolean isAllUnicast,
    boolean isNoMulticast,
    boolean isNoUnicast,
    boolean isNoBroadcast)
{
    private static final long BROADCAST = 0xFFFF_FFFF_FFFFL;
    private static final int GROUP = 1;
    private static final int TYPE_OFFSET = 12;
    private static final int TAG_OFFSET = 14;
    /** 0x8100 as it is read. */
    private static final short VLAN = 0x0081;

    /**
     * Whether a frame is to be given to the guest.
     *
     * @param frame  offset of the Ethernet header.
     * @param length bytes that may be read from there, at least {@link FrameLayout#MIN_FRAME}.
     */
    public boolean accepts(final DirectBuffer buffer, final int frame, final int length)
    {
        if (null != vlans && TAG_OFFSET + 2 <= length && VLAN == buffer.getShort(frame + TYPE_OFFSET, LITTLE_ENDIAN) &&
            !vlans.holds(Short.reverseBytes(buffer.getShort(frame + TAG_OFFSET, LITTLE_ENDIAN))))
        {
            return false;
        }
        final long destination = AddressTable.address(buffer, frame);
        if (BROADCAST == destination)
        {
            return !isNoBroadcast;
        }
        if ((destination & GROUP) != 0)
        {
            return !isNoMulticast && (isAllMulticast || multicast.holds(destination));
        }
        return !isNoUnicast && (isAllUnicast || 0 == mac || mac == destination || unicast.holds(destination));
    }
}
