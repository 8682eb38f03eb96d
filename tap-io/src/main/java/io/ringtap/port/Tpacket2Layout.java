package io.ringtap.port;

import io.ringtap.sys.Packet;

/**
 * A frame in a ring of TPACKET_V2 (linux/if_packet.h, struct tpacket2_hdr), in the host's byte order.
 * <pre>
 *  0         4        8         12    14    16   20    24        26         28       32
 *  +---------+--------+---------+-----+-----+----+-----+---------+----------+--------+-------------------
 *  | status  | len    | snaplen | mac | net | sec| nsec| vlan_tci| vlan_tpid| padding| sent: net header, frame
 *  +---------+--------+---------+-----+-----+----+-----+---------+----------+--------+-------------------
 *                                                                  received: sockaddr_ll, ..., net header, frame at mac
 * </pre>
 */
final class Tpacket2Layout
{
    static final int STATUS = 0;
    static final int LENGTH = 4;
    static final int SNAP_LENGTH = 8;
    static final int MAC = 12;
    static final int VLAN_TCI = 24;
    static final int VLAN_TPID = 26;

    /** Where the net header of a frame to send begins: TPACKET2_HDRLEN less struct sockaddr_ll. */
    static final int SENT_DATA = 32;

    /** Type of a received packet, in the address behind the header. */
    static final int PACKET_TYPE = 32 + Packet.ADDRESS_PACKET_TYPE;

    /** The most that lies before a received frame: header, address, room that keeps the IP header aligned. */
    static final int RECEIVED_HEAD = 80;

    private Tpacket2Layout()
    {
    }
}
