package io.ringtap.frontend;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A transmit queue that frames are written into in place: claim room, write, commit, and flush once a batch.
 * Used by one thread.
 */
public interface FrameWriter
{
    /** Returned instead of an offset when the queue has no room at present. */
    int FULL = -1;

    /** What offsets refer to. */
    UnsafeBuffer buffer();

    /** Bytes of the net header that lies directly in front of each frame: 10, 12 or 20. */
    int headerLength();

    /** The longest frame that can ever be claimed. */
    int maxFrame();

    /**
     * Claims room for one frame. A claim that is not committed is forgotten by the next one.
     *
     * @return offset of the frame, with room for the next multiple of 8; its net header lies in front and is zero. Or
     * {@link #FULL}.
     */
    int claim(int length);

    /** Stages the frame claimed last; the device sees it after {@link #flush}. */
    void commit();

    /** Shows all staged frames to the device, and kicks it when it asked for that. */
    void flush();
}
