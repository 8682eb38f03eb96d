package io.ringtap;

/** What stands on the host's side of the NIC. */
public enum PortKind
{
    /** A TAP device, made when it does not exist, or TAP descriptors inherited from a parent. */
    TAP,
    /** A macvtap, or one of our own over the interface that is named. */
    MACVTAP,
    /** An interface of the host, used through packet sockets with mapped rings. */
    PACKET,
    /** A network device taken over by AF_XDP sockets. */
    XSK,
    /** Swallows what the guest sends and can generate frames for it. */
    NULL
}
