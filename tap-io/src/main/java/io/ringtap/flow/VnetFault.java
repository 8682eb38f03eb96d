package io.ringtap.flow;

/**
 * Why {@link VnetHeader#validate} refused a net header: small integers, so that the hot path can count by them.
 */
public final class VnetFault
{
    /** Nothing wrong. */
    public static final int OK = 0;
    /** The frame is shorter than an Ethernet header. */
    public static final int FRAME_TOO_SHORT = 1;
    /** The frame is longer than any ring or TAP carries. */
    public static final int FRAME_TOO_LONG = 2;
    /** NEEDS_CSUM although checksum offload was not negotiated. */
    public static final int CHECKSUM_NOT_NEGOTIATED = 3;
    /** The checksum field does not lie inside the frame, or the transport header begins inside the network header. */
    public static final int CHECKSUM_OUT_OF_RANGE = 4;
    /** A GSO type that no specification knows. */
    public static final int GSO_UNKNOWN = 5;
    /** A GSO type that was not negotiated. */
    public static final int GSO_NOT_NEGOTIATED = 6;
    /** A super-frame whose checksum is not left to us (virtio 1.x, 5.1.6.2: GSO needs NEEDS_CSUM). */
    public static final int GSO_WITHOUT_CHECKSUM = 7;
    /** gso_size is 0, or 0xFFFF which Linux keeps for itself (GSO_BY_FRAGS). */
    public static final int GSO_SIZE = 8;
    /** The checksum offset is not that of the transport which the GSO type names. */
    public static final int GSO_CHECKSUM_OFFSET = 9;
    /** The frame ends inside the headers that every segment would need. */
    public static final int GSO_HEADERS = 10;
    /** More segments than the receiver's kernel takes in one super-frame. */
    public static final int GSO_SEGMENTS = 11;
    /** How many codes there are. */
    public static final int COUNT = 12;

    private static final String[] WORDS =
    {
        "ok", "frame too short", "frame too long", "checksum offload not negotiated", "checksum field out of range",
        "unknown GSO type", "GSO type not negotiated", "GSO without NEEDS_CSUM", "GSO size",
        "checksum offset is not that of the GSO type", "GSO frame ends in its headers", "too many GSO segments",
    };

    private VnetFault()
    {
    }

    /** The code in words, for logs and counters. */
    public static String words(final int code)
    {
        return WORDS[code];
    }
}
