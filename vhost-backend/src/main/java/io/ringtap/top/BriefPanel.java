package io.ringtap.top;

import io.ringtap.terminal.Canvas;
import io.ringtap.terminal.Style;

import java.util.List;

/** Losses, batches and times in three lines, where the table leaves no room for more. */
final class BriefPanel
{
    private static final int NAME = 11;

    private final Glyphs glyphs;

    BriefPanel(final Glyphs glyphs)
    {
        this.glyphs = glyphs;
    }

    void draw(final Canvas canvas, final Reading reading, final int row)
    {
        losses(canvas, reading.losses(), row);
        distribution(canvas, reading, row + 1, false);
        distribution(canvas, reading, row + 2, true);
    }

    private static void losses(final Canvas canvas, final List<Reading.Loss> losses, final int row)
    {
        int at = 1 + NAME;
        canvas.put(row, 1, Style.BOLD, "lost");
        if (losses.isEmpty())
        {
            canvas.put(row, at, Style.GOOD, "none so far");
        }
        for (final Reading.Loss loss : losses)
        {
            final String text = loss.reason() + " " + (0 < loss.perSecond() ? Figures.rate(loss.perSecond()) + "/s" :
                Figures.count(loss.total()) + " in all");
            if (at + text.length() < canvas.columns())
            {
                at = 3 + canvas.put(row, at,
                    0 == loss.perSecond() ? Style.DIM : loss.isWait() ? Style.WARN : Style.BAD, text);
            }
        }
    }

    private void distribution(final Canvas canvas, final Reading reading, final int row, final boolean isToGuest)
    {
        final Side side = reading.total(null, isToGuest).side();
        final Style style = isToGuest ? Style.SECOND : Style.FIRST;
        canvas.put(row, 1, style, isToGuest ? "to guest" : "from guest");
        int at = canvas.put(row, 1 + NAME, Style.DIM, "batch ");
        at = canvas.put(row, at, style, line(side.batches()));
        at = canvas.put(row, at + 1, Style.PLAIN, pad("mean " + Figures.small(side.batches().mean()), 10));
        at = canvas.put(row, at, Style.DIM, "time ");
        at = canvas.put(row, at, style, line(side.latencies()));
        if (0 < side.latencies().total())
        {
            canvas.put(row, at + 1, Style.PLAIN, "99 % < " + Figures.time(side.latencies().quantile(0.99), glyphs));
        }
    }

    private String line(final Distribution values)
    {
        return glyphs.line(values.counts().stream().mapToDouble(Long::doubleValue).toArray(), values.counts().size());
    }

    private static String pad(final String text, final int width)
    {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
