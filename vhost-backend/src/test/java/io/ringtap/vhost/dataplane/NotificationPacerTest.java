package io.ringtap.vhost.dataplane;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** When a notification goes, by a clock moved by hand. */
class NotificationPacerTest
{
    private static final long GAP_NS = 1000;

    private final NotificationPacer pacer = new NotificationPacer(GAP_NS);

    @Test
    void shouldLetTheFirstOneGoAtOnceWhateverTheClockSays()
    {
        assertTrue(new NotificationPacer(GAP_NS).want(0));
        assertTrue(new NotificationPacer(GAP_NS).want(Long.MIN_VALUE));
    }

    @Test
    void shouldLetOneGoAtOnceAfterAPause()
    {
        pacer.told(5);
        assertTrue(pacer.want(5 + GAP_NS));
        assertFalse(pacer.isDeferred());
    }

    @Test
    void shouldDeferOneForTheRestOfTheGapAndNoLonger()
    {
        pacer.told(0);
        assertFalse(pacer.want(1));
        assertFalse(pacer.isDue(GAP_NS - 1));
        assertTrue(pacer.isDue(GAP_NS));
    }

    @Test
    void shouldLetOneStandForAllThatAreWantedMeanwhile()
    {
        pacer.told(0);
        assertFalse(pacer.want(1));
        assertFalse(pacer.want(GAP_NS - 1));
        assertTrue(pacer.isDue(GAP_NS));
        pacer.told(GAP_NS);
        assertFalse(pacer.isDue(10 * GAP_NS));
        assertFalse(pacer.isDeferred());
    }

    @Test
    void shouldDeferNothingWithoutAGap()
    {
        final NotificationPacer none = new NotificationPacer(0);
        none.told(7);
        assertTrue(none.want(7));
    }
}
