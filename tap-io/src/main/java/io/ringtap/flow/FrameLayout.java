package io.ringtap.flow;

/**
 * Where the parts of a frame lie in its slot of the arena.
 * <pre>
 *  slot                       offset-12        offset                offset+length   slotEnd
 *   | headroom (XDP may grow    | virtio_net_hdr | frame: Ethernet ... | tailroom      |
 *   | the frame into it)        | 12 bytes, LE   |                     |               |
 * </pre>
 */
public final class FrameLayout
{
    /** Bytes in front of a fresh frame: XDP's own headroom, so that programs find what they find in the kernel. */
    public static final int HEADROOM = 256;

    /** The net header in front of each frame: virtio_net_hdr_v1 without hash, little endian (virtio 1.x, 5.1.6). */
    public static final int NET_HEADER = 12;

    /** The shortest frame anybody may send: an Ethernet header (CVE-2024-41090). */
    public static final int MIN_FRAME = 14;

    /** The longest frame that a ring or a TAP can carry: a GSO super-frame of 64 KiB with its headers. */
    public static final int MAX_FRAME = 65550;

    /** Slot of a small frame: five fit a cache-friendly 2 KiB stride with headroom for a VLAN-tagged 1500 byte MTU. */
    public static final int SMALL_SLOT = 2048;

    /** The longest frame that is copied whole into a small slot. */
    public static final int SMALL_FRAME = SMALL_SLOT - HEADROOM;

    private FrameLayout()
    {
    }
}
