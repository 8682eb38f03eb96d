package io.ringtap.port;

import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.VnetHeader;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * Puts a VLAN tag back into a frame. Packet sockets give the tag beside the frame, since the kernel or the device took
 * it out; a guest wants to see it where it was.
 */
final class VlanTag
{
    /** IEEE 802.1Q. */
    static final int CUSTOMER = 0x8100;

    private static final int LENGTH = 4;
    private static final int ADDRESSES = 12;

    private VlanTag()
    {
    }

    /**
     * Moves net header and addresses towards the front, into the headroom.
     *
     * @param tag protocol in the upper half, control information in the lower.
     */
    static void insert(final FrameBatch batch, final int i, final int tag)
    {
        final UnsafeBuffer arena = batch.arena();
        final int header = batch.netHeader(i);
        arena.putBytes(header - LENGTH, arena, header, FrameLayout.NET_HEADER + ADDRESSES);
        final int moved = header - LENGTH;
        arena.putInt(moved + FrameLayout.NET_HEADER + ADDRESSES, tag, ByteOrder.BIG_ENDIAN);
        if (VnetHeader.needsChecksum(arena, moved))
        {
            final int start = VnetHeader.checksumStart(arena, moved) + LENGTH;
            arena.putShort(moved + VnetHeader.CSUM_START_OFFSET, (short)start, ByteOrder.LITTLE_ENDIAN);
        }
        final int hint = VnetHeader.headerLength(arena, moved);
        if (0 != hint)
        {
            arena.putShort(moved + VnetHeader.HDR_LEN_OFFSET, (short)(hint + LENGTH), ByteOrder.LITTLE_ENDIAN);
        }
        batch.linear(i, batch.offset(i) - LENGTH, batch.linearLength(i) + LENGTH);
    }
}
