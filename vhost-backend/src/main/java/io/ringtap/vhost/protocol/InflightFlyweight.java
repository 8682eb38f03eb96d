package io.ringtap.vhost.protocol;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;

/**
 * The shared region that outlives us and knows what was in flight.
 * <pre>
 *   0               8               16   18   20      24
 *  +---------------+---------------+----+----+-------+
 *  |   mmap size   |  mmap offset  | NQ | QS |  pad  |
 *  +---------------+---------------+----+----+-------+
 * </pre>
 * NQ is the number of queues, QS their size. The document ends after QS; QEMU and DPDK send the padding too.
 */
public final class InflightFlyweight extends Flyweight
{
    public static final int MMAP_SIZE_OFFSET = 0;
    public static final int MMAP_OFFSET_OFFSET = 8;
    public static final int QUEUE_COUNT_OFFSET = 16;
    public static final int QUEUE_SIZE_OFFSET = 18;
    public static final int LENGTH = 20;
    public static final int PADDED_LENGTH = 24;

    public InflightFlyweight wrap(final MutableDirectBuffer buffer, final int offset)
    {
        point(buffer, offset);
        return this;
    }

    public long mmapSize()
    {
        return buffer.getLong(offset + MMAP_SIZE_OFFSET, LITTLE_ENDIAN);
    }

    public InflightFlyweight mmapSize(final long mmapSize)
    {
        buffer.putLong(offset + MMAP_SIZE_OFFSET, mmapSize, LITTLE_ENDIAN);
        return this;
    }

    public long mmapOffset()
    {
        return buffer.getLong(offset + MMAP_OFFSET_OFFSET, LITTLE_ENDIAN);
    }

    public InflightFlyweight mmapOffset(final long mmapOffset)
    {
        buffer.putLong(offset + MMAP_OFFSET_OFFSET, mmapOffset, LITTLE_ENDIAN);
        return this;
    }

    public int queueCount()
    {
        return Short.toUnsignedInt(buffer.getShort(offset + QUEUE_COUNT_OFFSET, LITTLE_ENDIAN));
    }

    public InflightFlyweight queueCount(final int queueCount)
    {
        buffer.putShort(offset + QUEUE_COUNT_OFFSET, (short)queueCount, LITTLE_ENDIAN);
        return this;
    }

    public int queueSize()
    {
        return Short.toUnsignedInt(buffer.getShort(offset + QUEUE_SIZE_OFFSET, LITTLE_ENDIAN));
    }

    public InflightFlyweight queueSize(final int queueSize)
    {
        buffer.putShort(offset + QUEUE_SIZE_OFFSET, (short)queueSize, LITTLE_ENDIAN);
        return this;
    }
}
