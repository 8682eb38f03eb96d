package io.ringtap.port;

import io.ringtap.sys.Memory;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * How a packet ring is cut up: blocks of memory that the kernel gets in one piece each, and in each block as many
 * slots as fit. A slot has an odd number of cache lines, so that the heads of slots spread over all sets of a cache;
 * with slots of 2 KiB they would meet in two.
 *
 * @param slotLength    bytes of a slot.
 * @param slotsPerBlock slots in a block.
 * @param blockLength   bytes of a block.
 * @param blocks        how many.
 */
record RingGeometry(int slotLength, int slotsPerBlock, int blockLength, int blocks)
{
    /** Bytes of struct tpacket_req. */
    static final int REQUEST_LENGTH = 16;

    private static final int LINE = 64;
    private static final int LEAST_BLOCK = 64 * 1024;

    /** The kernel rounds a block up to a power of two of pages; above this it may not find them in one piece. */
    private static final int MOST_BLOCK = 1 << 20;

    /**
     * @param content bytes that a slot must hold, the ring's own header included.
     * @param atLeast slots in all.
     */
    static RingGeometry of(final int content, final int atLeast)
    {
        final int lines = (content + LINE - 1) / LINE | 1;
        final int slot = lines * LINE;
        int block = LEAST_BLOCK;
        while (block < MOST_BLOCK && block / slot * slot < block - block / Byte.SIZE)
        {
            // Less than an eighth is lost.
            block <<= 1;
        }
        final int perBlock = block / slot;
        return new RingGeometry(slot, perBlock, block, (atLeast + perBlock - 1) / perBlock);
    }

    int slots()
    {
        return slotsPerBlock * blocks;
    }

    long bytes()
    {
        return (long)blockLength * blocks;
    }

    /** Where slot i begins. */
    int offset(final int i)
    {
        return i / slotsPerBlock * blockLength + i % slotsPerBlock * slotLength;
    }

    /** Where all slots begin: a table, so that nothing is divided for a frame. */
    int[] offsets()
    {
        final int[] offsets = new int[slots()];
        for (int i = 0; i < offsets.length; i++)
        {
            offsets[i] = offset(i);
        }
        return offsets;
    }

    /** As struct tpacket_req of {@link #REQUEST_LENGTH} bytes. */
    UnsafeBuffer request()
    {
        final UnsafeBuffer request = Memory.scratch(REQUEST_LENGTH);
        request.putInt(0, blockLength);
        request.putInt(4, blocks);
        request.putInt(8, slotLength);
        request.putInt(12, slots());
        return request;
    }
}
