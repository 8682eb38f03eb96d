package io.ringtap.frontend;

/** Offsets and numbers of the headers that the built-in guest speaks; offsets count from the start of each header. */
final class Wire
{
    static final int ETHER_SOURCE = 6;
    static final int ETHER_TYPE = 12;
    static final int ETHER_LENGTH = 14;
    static final int MAC_LENGTH = 6;
    /** The shortest frame of a real wire, without its check sequence. */
    static final int MIN_WIRE_FRAME = 60;

    static final int TYPE_IPV4 = 0x0800;
    static final int TYPE_ARP = 0x0806;
    static final int TYPE_IPV6 = 0x86DD;

    static final int ARP_OPERATION = 6;
    static final int ARP_SENDER_MAC = 8;
    static final int ARP_SENDER_IP = 14;
    static final int ARP_TARGET_MAC = 18;
    static final int ARP_TARGET_IP = 24;
    static final int ARP_LENGTH = 28;
    static final int ARP_REQUEST = 1;
    static final int ARP_REPLY = 2;

    static final int IPV4_TOTAL = 2;
    static final int IPV4_FRAGMENT = 6;
    static final int IPV4_TTL = 8;
    static final int IPV4_PROTOCOL = 9;
    static final int IPV4_CHECKSUM = 10;
    static final int IPV4_SOURCE = 12;
    static final int IPV4_DESTINATION = 16;
    static final int IPV4_LENGTH = 20;
    static final int IPV4_DONT_FRAGMENT = 0x4000;
    /** More-fragments flag and fragment offset: zero in a packet that is whole. */
    static final int IPV4_FRAGMENT_MASK = 0x3FFF;

    static final int IPV6_PAYLOAD = 4;
    static final int IPV6_NEXT = 6;
    static final int IPV6_HOPS = 7;
    static final int IPV6_SOURCE = 8;
    static final int IPV6_DESTINATION = 24;
    static final int IPV6_LENGTH = 40;

    static final int PROTOCOL_ICMP = 1;
    static final int PROTOCOL_TCP = 6;
    static final int PROTOCOL_UDP = 17;
    static final int PROTOCOL_ICMPV6 = 58;

    static final int UDP_DESTINATION = 2;
    static final int UDP_SIZE = 4;
    static final int UDP_CHECKSUM = 6;
    static final int UDP_LENGTH = 8;

    static final int TCP_SEQUENCE = 4;
    static final int TCP_OFFSET = 12;
    static final int TCP_FLAGS = 13;
    static final int TCP_WINDOW = 14;
    static final int TCP_CHECKSUM = 16;
    static final int TCP_LENGTH = 20;

    static final int ICMP_CHECKSUM = 2;
    static final int ICMP_LENGTH = 8;
    static final int ICMP_ECHO_REQUEST = 8;
    static final int ICMP_ECHO_REPLY = 0;
    static final int ICMPV6_ECHO_REQUEST = 128;
    static final int ICMPV6_ECHO_REPLY = 129;
    static final int ICMPV6_NEIGHBOUR_SOLICITATION = 135;
    static final int ICMPV6_NEIGHBOUR_ADVERTISEMENT = 136;

    private Wire()
    {
    }
}
