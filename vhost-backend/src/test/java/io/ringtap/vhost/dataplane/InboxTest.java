package io.ringtap.vhost.dataplane;

import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.sys.EventFd;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The memory of an inbox: made for the first frame, asked for once when there is none. */
class InboxTest
{
    private static final int FRAME = 60;
    private final AtomicInteger asked = new AtomicInteger();
    private final FrameBatch batch = new FrameBatch(new UnsafeBuffer(new byte[4096]), 1, 1);

    InboxTest()
    {
        batch.add(FrameBatch.NO_SLOT, 0, FrameLayout.HEADROOM, FRAME, 0);
    }

    @Test
    void shouldDropFramesWithoutAskingAgainWhenThereIsNoMemory()
    {
        try (EventFd wake = EventFd.create())
        {
            final Inbox inbox = new Inbox(wake, (bytes) ->
            {
                asked.incrementAndGet();
                throw new OutOfMemoryError("none of " + bytes);
            });
            for (int i = 0; i < 3; i++)
            {
                assertTrue(inbox.follow(true));
                assertFalse(inbox.put(batch, 0));
                assertFalse(inbox.put(batch, 0));
                assertTrue(inbox.arm(), "nothing is there");
                inbox.disarm();
                inbox.close();
            }
            assertEquals(1, asked.get());
            assertEquals(0, inbox.takeLost());
        }
    }

    @Test
    void shouldAskForMemoryWithTheFirstFrame()
    {
        try (EventFd wake = EventFd.create())
        {
            final Inbox inbox = new Inbox(wake, (bytes) ->
            {
                asked.incrementAndGet();
                return BufferUtil.allocateDirectAligned(bytes, BitUtil.CACHE_LINE_LENGTH);
            });
            assertFalse(inbox.put(batch, 0), "nobody receives");
            inbox.follow(true);
            assertEquals(0, asked.get());

            assertTrue(inbox.put(batch, 0));
            assertTrue(inbox.put(batch, 0));

            assertEquals(1, asked.get());
            assertFalse(inbox.arm(), "two frames are there");
            inbox.disarm();
            inbox.close();
            assertEquals(2, inbox.takeLost());
        }
    }
}
