package io.ringtap.top;

import io.ringtap.terminal.Canvas;
import io.ringtap.terminal.Style;

/** How long batches are and how long frames take, as bars: a chart of each direction above the other. */
final class DistributionPanel
{
    /** Rows that two charts need: a title, twice a line and three rows of bars, and the axis; and a blank line. */
    static final int LEAST = 12;
    static final int GAP = 3;

    private static final int BATCH_BUCKETS = 10;
    private static final int TIME_BUCKETS = 21;
    private static final int WIDE = 170;
    private static final int MAX_BARS = 8;

    private final Glyphs glyphs;

    DistributionPanel(final Glyphs glyphs)
    {
        this.glyphs = glyphs;
    }

    /** What both charts take of a screen so wide. */
    static int width(final int columns)
    {
        return batchStep(columns) * BATCH_BUCKETS + GAP + timeStep(columns) * TIME_BUCKETS;
    }

    private static int batchStep(final int columns)
    {
        return columns < WIDE ? 3 : 4;
    }

    private static int timeStep(final int columns)
    {
        return columns < WIDE ? 2 : 3;
    }

    void draw(final Canvas canvas, final Reading reading, final int row, final int end, final int column)
    {
        final int batchStep = batchStep(canvas.columns());
        final int timeStep = timeStep(canvas.columns());
        final int timeAt = column + batchStep * BATCH_BUCKETS + GAP;
        canvas.put(row, column, Style.BOLD, "FRAMES OF A BATCH");
        canvas.put(row, timeAt, Style.BOLD, "TIME IN THE BACKEND");
        final int bars = Math.min(MAX_BARS, (end - row - 2 - 2) / 2);
        int at = row + 1;
        for (final boolean isToGuest : new boolean[]{false, true})
        {
            final Row all = reading.total(null, isToGuest);
            final Distribution batches = all.side().batches();
            final Distribution times = all.side().latencies();
            final Style style = isToGuest ? Style.SECOND : Style.FIRST;
            final String name = isToGuest ? "to guest" : "from guest";
            canvas.put(at, canvas.put(at, column, style, name) + 1, Style.PLAIN,
                "mean " + Figures.small(batches.mean()));
            canvas.put(at, canvas.put(at, timeAt, style, name) + 1, Style.PLAIN, 0 == times.total() ? "" :
                "50 % < " + Figures.time(times.quantile(0.5), glyphs) +
                "  99 % < " + Figures.time(times.quantile(0.99), glyphs));
            bars(canvas, batches, at + bars, column, bars, batchStep, style);
            bars(canvas, times, at + bars, timeAt, bars, timeStep, style);
            at += 1 + bars;
        }
        batchAxis(canvas, at, column, batchStep);
        timeAxis(canvas, at, timeAt, timeStep);
    }

    /** @param floor the row of the lowest characters. */
    private void bars(
        final Canvas canvas,
        final Distribution values,
        final int floor,
        final int column,
        final int rows,
        final int step,
        final Style style)
    {
        final long most = values.counts().stream().mapToLong(Long::longValue).max().orElse(0);
        for (int k = 0; k < values.counts().size(); k++)
        {
            final double height = 0 == most ? 0 : (double)values.counts().get(k) / most * rows;
            for (int r = 0; r < rows && 0 < height; r++)
            {
                canvas.put(floor - r, column + k * step, style,
                    String.valueOf(glyphs.bar(height, r)).repeat(Math.max(1, step - 1)));
            }
        }
    }

    private static void batchAxis(final Canvas canvas, final int row, final int column, final int step)
    {
        for (int k = 0; k < BATCH_BUCKETS - 1; k += 2)
        {
            canvas.put(row, column + k * step, Style.DIM, Long.toString(1L << k));
        }
        canvas.put(row, column + (BATCH_BUCKETS - 1) * step, Style.DIM, 3 < step ? ">" : " >");
    }

    private void timeAxis(final Canvas canvas, final int row, final int column, final int step)
    {
        // In close steps the last bound would touch the sign of what is beyond it.
        final int labelled = 2 < step ? TIME_BUCKETS - 1 : TIME_BUCKETS - 3;
        for (int k = 0; k < labelled; k += 2)
        {
            canvas.put(row, column + k * step, Style.DIM, 0 == k ? "1" + glyphs.microseconds() :
                Figures.shortTime(1L << k));
        }
        canvas.put(row, column + (TIME_BUCKETS - 1) * step, Style.DIM, ">");
    }
}
