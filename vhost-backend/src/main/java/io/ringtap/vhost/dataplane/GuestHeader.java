package io.ringtap.vhost.dataplane;

import io.ringtap.flow.FrameLayout;
import org.agrona.concurrent.UnsafeBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** The net header as the guest negotiated it, 10 to 24 bytes, made from the arena's 12 (virtio 5.1.6). */
final class GuestHeader
{
    /** The longest header there is: with hash report and UDP tunnel fields. */
    static final int MAX = 24;

    /** A header of this length or more has a hash. */
    static final int WITH_HASH = 20;

    private static final int HASH_OFFSET = 12;
    private static final int REPORT_OFFSET = 16;

    private GuestHeader()
    {
    }

    /** Cuts to 10 bytes or pads with zeroes: no hash reported yet, no tunnel. */
    static void encode(final UnsafeBuffer arena, final int netHeader, final UnsafeBuffer to, final int length)
    {
        to.setMemory(0, MAX, (byte)0);
        to.putBytes(0, arena, netHeader, Math.min(length, FrameLayout.NET_HEADER));
    }

    /** Writes what a frame hashes to into a header that was encoded. */
    static void report(final long hash, final UnsafeBuffer to)
    {
        to.putInt(HASH_OFFSET, (int)hash, LITTLE_ENDIAN);
        to.putShort(REPORT_OFFSET, (short)(hash >>> 32), LITTLE_ENDIAN);
    }
}
