package io.ringtap.capture;

import org.agrona.concurrent.UnsafeBuffer;

/** Says which frames are recorded. Asked by the recorder's thread alone, so that it may be as slow as it must. */
@FunctionalInterface
public interface FrameFilter
{
    /**
     * @param buffer    where the frame lies; not to be changed.
     * @param captured  bytes of it that are there.
     * @param length    of the whole frame.
     * @param direction 0 from the guest, 1 to it.
     * @param queue     the queue pair.
     */
    boolean wants(UnsafeBuffer buffer, int offset, int captured, int length, int direction, int queue);
}
