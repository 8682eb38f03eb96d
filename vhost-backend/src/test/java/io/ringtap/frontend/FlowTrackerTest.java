package io.ringtap.frontend;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What {@link FlowTracker} promises. */
class FlowTrackerTest
{
    private final FlowTracker tracker = new FlowTracker(2, 64);

    @Test
    void shouldTellOrderGapLateAndDuplicate()
    {
        assertEquals(FlowTracker.IN_ORDER, tracker.onPacket(0, 0));
        assertEquals(FlowTracker.GAP, tracker.onPacket(0, 3));
        assertEquals(2, tracker.skipped());
        assertEquals(FlowTracker.LATE, tracker.onPacket(0, 1));
        assertEquals(FlowTracker.DUPLICATE, tracker.onPacket(0, 1));
        assertEquals(FlowTracker.DUPLICATE, tracker.onPacket(0, 0));
        assertEquals(FlowTracker.LATE, tracker.onPacket(0, 2));
        assertEquals(FlowTracker.IN_ORDER, tracker.onPacket(0, 4));
    }

    @Test
    void shouldKeepFlowsApart()
    {
        assertEquals(FlowTracker.IN_ORDER, tracker.onPacket(0, 0));
        assertEquals(FlowTracker.IN_ORDER, tracker.onPacket(1, 0));
        assertEquals(FlowTracker.GAP, tracker.onPacket(1, 5));
        assertEquals(FlowTracker.IN_ORDER, tracker.onPacket(0, 1));
    }

    @Test
    void shouldNotJudgeWhatIsBehindItsWindow()
    {
        assertEquals(FlowTracker.GAP, tracker.onPacket(0, 1000));
        assertEquals(FlowTracker.STALE, tracker.onPacket(0, 936));
        assertEquals(FlowTracker.LATE, tracker.onPacket(0, 937));
    }

    @Test
    void shouldSeeARestart()
    {
        assertEquals(FlowTracker.GAP, tracker.onPacket(0, 1000));
        assertEquals(FlowTracker.RESTART, tracker.onPacket(0, 0));
        assertEquals(FlowTracker.IN_ORDER, tracker.onPacket(0, 1));
        assertEquals(FlowTracker.DUPLICATE, tracker.onPacket(0, 1));
    }

    @Test
    void shouldAgreeWithASetOfEverythingSeen()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final List<long[]> arrivals = new ArrayList<>();
        for (long i = 0; i < 20_000; i++)
        {
            for (int copies = random.nextInt(20) == 0 ? random.nextInt(3) : 1; copies > 0; copies--)
            {
                arrivals.add(new long[]{i + random.nextInt(30), i});
            }
        }
        arrivals.sort(Comparator.comparingLong(arrival -> arrival[0]));
        final Set<Long> seen = new HashSet<>();
        long highest = -1;
        for (final long[] arrival : arrivals)
        {
            final long sequence = arrival[1];
            final int verdict = tracker.onPacket(0, sequence);
            final int expected = seen.contains(sequence) ? FlowTracker.DUPLICATE :
                sequence == highest + 1 ? FlowTracker.IN_ORDER :
                sequence > highest ? FlowTracker.GAP : FlowTracker.LATE;
            assertEquals(expected, verdict, "seed " + seed + " sequence " + sequence);
            seen.add(sequence);
            highest = Math.max(highest, sequence);
        }
    }
}
