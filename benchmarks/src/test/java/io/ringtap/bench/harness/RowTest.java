package io.ringtap.bench.harness;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Ratios and goals. */
class RowTest
{
    private static final Distribution COST = new Distribution(1, 1, 1);

    @Test
    void shouldDivideMediansAndShowTheSpreadOfTurns()
    {
        final Row row = row(false, side("a", 10, 30, 20), side("b", 10, 10, 5));
        final Distribution ratio = row.ratio(row.side("b"));

        assertEquals(2, ratio.median());
        assertEquals(1, ratio.min());
        assertEquals(4, ratio.max());
    }

    @Test
    void shouldTakeTheMiddleOfAnEvenNumberOfTurns()
    {
        assertEquals(new Distribution(1, 2.5, 10), Distribution.of(10, 1, 2, 3));
        assertTrue(Distribution.of(Double.NaN).isEmpty());
    }

    @Test
    void shouldMeetAGoalFromTheRightSide()
    {
        final SideRun ours = side("a", 3, 3);
        final SideRun other = side("b", 2, 2);
        assertTrue(row(false, ours, other).isMet(new Goal("b", 1.5)));
        assertFalse(row(false, ours, other).isMet(new Goal("b", 1.6)));
        assertFalse(row(true, ours, other).isMet(new Goal("b", 1)));
        assertTrue(row(true, ours, other).isMet(Goal.absolute(3)));
        assertFalse(row(true, ours, other).isMet(new Goal("missing", 3)));
    }

    @Test
    void shouldCompareProcessorTimeTheOtherWayRound()
    {
        final Row row = row(false, new SideRun("a", List.of(new Sample(1, 50))),
            new SideRun("b", List.of(new Sample(1, 200))));
        assertEquals(4, row.cpuRatio(row.side("b")));
    }

    private static SideRun side(final String label, final double... values)
    {
        return new SideRun(label, Arrays.stream(values).mapToObj(Sample::of).toList());
    }

    private static Row row(final boolean isLessBetter, final SideRun... sides)
    {
        return new Row("row", "unit", isLessBetter, List.of(sides), List.of(), COST, COST, "");
    }
}
