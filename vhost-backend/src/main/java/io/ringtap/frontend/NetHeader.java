package io.ringtap.frontend;

/**
 * The header in front of each frame in a ring: struct virtio_net_hdr_v1 (virtio 1.x, 5.1.6), little endian.
 * <pre>
 *  0       1          2         4          6            8             10            12 (20 with HASH_REPORT)
 *  | flags | gso_type | hdr_len | gso_size | csum_start | csum_offset | num_buffers |
 * </pre>
 */
public final class NetHeader
{
    public static final int FLAGS_OFFSET = 0;
    public static final int GSO_TYPE_OFFSET = 1;
    public static final int HEADER_LENGTH_OFFSET = 2;
    public static final int GSO_SIZE_OFFSET = 4;
    public static final int CHECKSUM_START_OFFSET = 6;
    public static final int CHECKSUM_OFFSET_OFFSET = 8;
    public static final int BUFFER_COUNT_OFFSET = 10;

    /** Without mergeable buffers and VERSION_1 there is no buffer count. */
    public static final int LEGACY_LENGTH = 10;
    /** With mergeable buffers or VERSION_1. */
    public static final int LENGTH = 12;
    /** With HASH_REPORT. */
    public static final int HASH_LENGTH = 20;

    /** The checksum holds the pseudo-header's sum only: the receiver completes it. */
    public static final int NEEDS_CHECKSUM = 1;
    /** The checksum was found right by the other side. */
    public static final int DATA_VALID = 2;

    public static final int GSO_NONE = 0;
    public static final int GSO_TCPV4 = 1;
    public static final int GSO_TCPV6 = 4;
    public static final int GSO_UDP_L4 = 5;
    /** Or-ed to the type when a TCP super-frame has CWR set. */
    public static final int GSO_ECN = 0x80;

    private NetHeader()
    {
    }
}
