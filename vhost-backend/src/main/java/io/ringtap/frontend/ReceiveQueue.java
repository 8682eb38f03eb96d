package io.ringtap.frontend;

import io.ringtap.counters.CounterSet;
import io.ringtap.sys.EventFd;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The guest's receive half of a queue pair: keeps the ring full of buffers and hands out frames. A frame in one buffer
 * is handed out where it lies; one over several (mergeable buffers) is put together first.
 */
final class ReceiveQueue
{
    private final DriverRing ring;
    private final EventFd kick;
    private final UnsafeBuffer buffer;
    private final ChainWriter writer;
    private final CounterSet<GuestCounter> counters;
    private final boolean isMergeable;
    private final int headerLength;
    private final int headerOffset;
    private final int slotLength;
    private final int start;
    private final int[] slotOf;
    private final int[] toRefill;
    private final UnsafeBuffer whole;
    private int refillCount;

    ReceiveQueue(
        final FrontendRing frontendRing,
        final FrontendMemory memory,
        final GuestLayout layout,
        final CounterSet<GuestCounter> counters)
    {
        ring = frontendRing.ring();
        kick = frontendRing.kick();
        buffer = memory.buffer();
        this.counters = counters;
        final int at = frontendRing.offsetOf(ring.descriptorAddress());
        writer = new ChainWriter(ring, memory, layout, at, true);
        isMergeable = layout.isMergeable();
        headerLength = layout.headerLength();
        headerOffset = layout.frameOffset() - headerLength;
        slotLength = layout.receiveSlot();
        start = memory.allocate(layout.receiveBytes(), 64);
        slotOf = new int[ring.size()];
        toRefill = new int[layout.chains()];
        whole = new UnsafeBuffer(ByteBuffer.allocateDirect(layout.frameOffset() + GuestLayout.MAX_FRAME));
        for (int slot = 0; slot < toRefill.length; slot++)
        {
            toRefill[refillCount++] = slot;
        }
        ring.disarm();
    }

    /**
     * Hands out frames and gives their buffers back to the device.
     *
     * @param limit most frames.
     * @return frames handed out.
     */
    int poll(final FrameConsumer consumer, final int limit)
    {
        int frames = 0;
        long bytes = 0;
        for (int id; frames < limit && DriverRing.NONE != (id = ring.poll()); frames++)
        {
            bytes += takeFrame(consumer, id);
        }
        if (frames > 0)
        {
            counters.add(GuestCounter.RECEIVED_FRAMES, frames);
            counters.add(GuestCounter.RECEIVED_BYTES, bytes);
            ring.disarm();
        }
        if (refillCount > 0)
        {
            refill();
        }
        return frames;
    }

    /** Asks for a call with the next frame; true when there is one already. */
    boolean arm()
    {
        return ring.arm();
    }

    void disarm()
    {
        ring.disarm();
    }

    /** Gives the device every buffer that it does not have. */
    void refill()
    {
        final int count = refillCount;
        while (refillCount > 0 && writer.hasRoom())
        {
            final int slot = toRefill[--refillCount];
            final int id = writer.add(start + slot * slotLength + headerOffset, slotLength - headerOffset, slot);
            slotOf[id] = slot;
        }
        if (count != refillCount && ring.publish() && null != kick)
        {
            counters.increment(GuestCounter.KICKS);
            kick.signal();
        }
    }

    /** @return bytes of the frame, 0 for a faulty one. */
    private int takeFrame(final FrameConsumer consumer, final int id)
    {
        final int slot = slotOf[id];
        final int length = ring.usedLength();
        toRefill[refillCount++] = slot;
        counters.increment(GuestCounter.RECEIVED_BUFFERS);
        final int header = start + slot * slotLength + headerOffset;
        final int frameLength = length - headerLength;
        final int buffers = isMergeable ?
            buffer.getShort(header + NetHeader.BUFFER_COUNT_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF : 1;
        if (frameLength < 0 || length > slotLength - headerOffset || 0 == buffers)
        {
            counters.increment(GuestCounter.RECEIVE_FAULTS);
            return 0;
        }
        if (1 == buffers)
        {
            consumer.onFrame(buffer, header, header + headerLength, frameLength);
            return frameLength;
        }
        return takeMerged(consumer, header, length, buffers);
    }

    private int takeMerged(final FrameConsumer consumer, final int header, final int firstLength, final int buffers)
    {
        whole.putBytes(headerOffset, buffer, header, firstLength);
        int at = headerOffset + firstLength;
        boolean isGood = true;
        for (int i = 1; i < buffers; i++)
        {
            final int id = ring.poll();
            if (DriverRing.NONE == id)
            {
                // The device must show all buffers of a frame at once (virtio 1.x, 5.1.6.4).
                isGood = false;
                break;
            }
            final int slot = slotOf[id];
            final int length = ring.usedLength();
            toRefill[refillCount++] = slot;
            counters.increment(GuestCounter.RECEIVED_BUFFERS);
            isGood &= length >= 0 && length <= slotLength - headerOffset && length <= whole.capacity() - at;
            if (isGood)
            {
                whole.putBytes(at, buffer, start + slot * slotLength + headerOffset, length);
                at += length;
            }
        }
        if (!isGood)
        {
            counters.increment(GuestCounter.RECEIVE_FAULTS);
            return 0;
        }
        final int frame = headerOffset + headerLength;
        consumer.onFrame(whole, headerOffset, frame, at - frame);
        return at - frame;
    }
}
