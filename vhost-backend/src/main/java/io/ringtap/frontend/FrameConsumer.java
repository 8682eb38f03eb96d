package io.ringtap.frontend;

import org.agrona.DirectBuffer;

/** Takes received frames one by one. */
@FunctionalInterface
public interface FrameConsumer
{
    /**
     * @param buffer       where the frame lies during this call; the guest's own memory when it came in one buffer.
     * @param headerOffset where its net header begins, see {@link NetHeader}.
     * @param offset       where its Ethernet header begins.
     * @param length       bytes of the frame without the net header.
     */
    void onFrame(DirectBuffer buffer, int headerOffset, int offset, int length);
}
