package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.Offloads;
import io.ringtap.frag.PageArena;
import org.junit.jupiter.api.Test;

/** How much a read is offered. */
class ReceiveLayoutTest
{
    @Test
    void shouldOfferOneSmallSlotForPlainFramesOfAnOrdinaryMtu()
    {
        assertEquals(new ReceiveLayout(FrameLayout.SMALL_SLOT, false), ReceiveLayout.of(1500, Offloads.NONE));
        assertEquals(new ReceiveLayout(FrameLayout.SMALL_SLOT, false), ReceiveLayout.of(1500, Offloads.CSUM));
    }

    @Test
    void shouldOfferRoomForTheLongestSuperFrameAndMore()
    {
        final ReceiveLayout layout = ReceiveLayout.of(1500, Offloads.ALL);
        assertTrue(layout.hasOverflow());
        assertTrue(layout.capacity() > FrameLayout.NET_HEADER + FrameLayout.MAX_FRAME);
    }

    @Test
    void shouldPackThreeJumboFramesToAPage()
    {
        final ReceiveLayout layout = ReceiveLayout.of(9000, Offloads.NONE);
        assertFalse(layout.hasOverflow());
        assertEquals(3, PageArena.PAGE_SIZE / layout.slotLength());
        assertTrue(layout.capacity() > FrameLayout.NET_HEADER + 9000 + 22);
    }

    @Test
    void shouldAlwaysOfferMoreThanTheMtuNeedsAndNoFragmentOverAPage()
    {
        for (int mtu = 68; mtu <= 65_521; mtu++)
        {
            final ReceiveLayout layout = ReceiveLayout.of(mtu, Offloads.NONE);
            assertTrue(layout.capacity() > FrameLayout.NET_HEADER + mtu + 22, "mtu " + mtu);
            assertTrue(layout.slotLength() <= PageArena.PAGE_SIZE, "mtu " + mtu);
        }
    }

    @Test
    void shouldCoverWhatItCanHold()
    {
        final ReceiveLayout small = ReceiveLayout.of(1500, Offloads.NONE);
        final ReceiveLayout jumbo = ReceiveLayout.of(9000, Offloads.NONE);
        final ReceiveLayout big = ReceiveLayout.of(1500, Offloads.ALL);
        assertTrue(big.covers(jumbo) && jumbo.covers(small) && small.covers(small));
        assertFalse(small.covers(jumbo) || jumbo.covers(big));
    }
}
