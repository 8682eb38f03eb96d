package io.ringtap.sys;

/** Packet sockets: linux/if_packet.h and linux/if_ether.h. */
public final class Packet
{
    public static final int ETH_P_ALL = 0x0003;
    public static final int SOL_PACKET = 263;

    public static final int PACKET_ADD_MEMBERSHIP = 1;
    public static final int PACKET_RX_RING = 5;
    public static final int PACKET_STATISTICS = 6;
    public static final int PACKET_COPY_THRESH = 7;
    public static final int PACKET_AUXDATA = 8;
    public static final int PACKET_VERSION = 10;
    public static final int PACKET_HDRLEN = 11;
    public static final int PACKET_RESERVE = 12;
    public static final int PACKET_TX_RING = 13;
    public static final int PACKET_LOSS = 14;
    public static final int PACKET_VNET_HDR = 15;
    public static final int PACKET_TX_TIMESTAMP = 16;
    public static final int PACKET_FANOUT = 18;
    public static final int PACKET_TX_HAS_OFF = 19;
    public static final int PACKET_QDISC_BYPASS = 20;
    public static final int PACKET_IGNORE_OUTGOING = 23;
    public static final int PACKET_VNET_HDR_SZ = 24;

    public static final int PACKET_MR_PROMISC = 1;

    /** Bytes of struct packet_mreq: interface, type, length of the address, address. */
    public static final int MREQ_LENGTH = 16;
    public static final int MREQ_TYPE = 4;

    /** Bytes of struct sockaddr_ll: family, protocol, interface, hardware type, packet type, address. */
    public static final int ADDRESS_LENGTH = 20;
    public static final int ADDRESS_PROTOCOL = 2;
    public static final int ADDRESS_INTERFACE = 4;
    public static final int ADDRESS_PACKET_TYPE = 10;

    /** sll_pkttype of a frame that this host sends. */
    public static final int PACKET_OUTGOING = 4;

    public static final int PACKET_FANOUT_HASH = 0;
    /** The kernel chooses an identifier that nobody has. */
    public static final int PACKET_FANOUT_FLAG_UNIQUEID = 0x2000;

    /** Bytes of struct tpacket_stats: packets, drops. */
    public static final int STATS_LENGTH = 8;
    public static final int STATS_DROPS = 4;

    public static final int TPACKET_V1 = 0;
    public static final int TPACKET_V2 = 1;
    public static final int TPACKET_V3 = 2;

    public static final int TP_STATUS_KERNEL = 0;
    public static final int TP_STATUS_USER = 1;
    public static final int TP_STATUS_COPY = 1 << 1;
    public static final int TP_STATUS_LOSING = 1 << 2;
    public static final int TP_STATUS_CSUMNOTREADY = 1 << 3;
    public static final int TP_STATUS_VLAN_VALID = 1 << 4;
    public static final int TP_STATUS_BLK_TMO = 1 << 5;
    public static final int TP_STATUS_VLAN_TPID_VALID = 1 << 6;
    public static final int TP_STATUS_CSUM_VALID = 1 << 7;
    public static final int TP_STATUS_GSO_TCP = 1 << 8;

    public static final int TP_STATUS_AVAILABLE = 0;
    public static final int TP_STATUS_SEND_REQUEST = 1;
    public static final int TP_STATUS_SENDING = 1 << 1;
    public static final int TP_STATUS_WRONG_FORMAT = 1 << 2;

    private Packet()
    {
    }
}
