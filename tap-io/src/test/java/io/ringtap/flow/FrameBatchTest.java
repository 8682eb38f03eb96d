package io.ringtap.flow;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Which slots a batch knows of when something fails. */
class FrameBatchTest
{
    private static final int FRAME = 60;

    /** The JVM tells of memory that was taken away at any moment, so also in the middle of this. */
    @Test
    void shouldKnowOfNoSlotWhenItsReleaseFailed()
    {
        final FrameBatch batch = new FrameBatch(new UnsafeBuffer(new byte[4096]), 3, 3);
        batch.add(0, FrameLayout.SMALL_SLOT, FrameLayout.HEADROOM, FRAME, 0);
        batch.add(FrameBatch.NO_SLOT, FrameLayout.SMALL_SLOT, FrameLayout.HEADROOM, FRAME, 0);
        batch.add(FrameLayout.SMALL_SLOT, FrameLayout.SMALL_SLOT, FrameLayout.SMALL_SLOT, FRAME, 0);
        assertThrows(AssertionError.class, () -> batch.release(new NoFragments()));
        assertEquals(0, batch.frames());
        batch.release(new NoFragments());
    }
}
