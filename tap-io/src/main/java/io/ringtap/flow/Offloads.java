package io.ringtap.flow;

/**
 * What a receiver of frames can take instead of plain ones, as a bit set; the bits are TUN_F_* of linux/if_tun.h,
 * so that a TAP is told by the same word.
 */
public final class Offloads
{
    /** Frames whose L4 checksum is only begun (NEEDS_CSUM). Required by every other bit. */
    public static final int CSUM = 0x01;
    /** TCP over IPv4 super-frames. */
    public static final int TSO4 = 0x02;
    /** TCP over IPv6 super-frames. */
    public static final int TSO6 = 0x04;
    /** TCP super-frames with the CWR flag. */
    public static final int ECN = 0x08;
    /** UDP super-frames that become IP fragments (legacy). */
    public static final int UFO = 0x10;
    /** UDP super-frames that become datagrams, over IPv4. */
    public static final int USO4 = 0x20;
    /** UDP super-frames that become datagrams, over IPv6. The kernel takes USO4 and USO6 together or neither. */
    public static final int USO6 = 0x40;
    /** Nothing but plain frames with complete checksums. */
    public static final int NONE = 0;
    /** Everything. */
    public static final int ALL = CSUM | TSO4 | TSO6 | ECN | UFO | USO4 | USO6;

    private Offloads()
    {
    }
}
