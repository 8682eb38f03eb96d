package io.ringtap.vhost.dataplane;

import io.ringtap.flow.FrameLayout;
import org.agrona.concurrent.UnsafeBuffer;

/** The net header as the guest negotiated it, 10 to 24 bytes, made from the arena's 12 (virtio 5.1.6). */
final class GuestHeader
{
    /** The longest header there is: with hash report and UDP tunnel fields. */
    static final int MAX = 24;

    private GuestHeader()
    {
    }

    /** Cuts to 10 bytes or pads with zeroes: no hash reported, no tunnel. */
    static void encode(final UnsafeBuffer arena, final int netHeader, final UnsafeBuffer to, final int length)
    {
        to.setMemory(0, MAX, (byte)0);
        to.putBytes(0, arena, netHeader, Math.min(length, FrameLayout.NET_HEADER));
    }
}
