package io.ringtap.top;

import io.ringtap.terminal.Canvas;
import io.ringtap.terminal.Style;

import java.util.List;

/** Lost frames by reason and what frames had to wait for: how many a second, and how many ever. */
final class LossPanel
{
    private static final int REASON = 22;
    private static final int DIRECTION = 10;
    private static final int FIGURE = 9;

    private final Glyphs glyphs;

    LossPanel(final Glyphs glyphs)
    {
        this.glyphs = glyphs;
    }

    void draw(final Canvas canvas, final Reading reading, final int row, final int end, final int width)
    {
        final int perSecond = 1 + REASON + DIRECTION + 1 + FIGURE;
        final int total = perSecond + 1 + FIGURE;
        canvas.put(row, 1, Style.BOLD, "LOST FRAMES AND WAITS");
        canvas.right(row, perSecond, Style.DIM, "A SECOND");
        canvas.right(row, total, Style.DIM, "IN ALL");
        final List<Reading.Loss> losses = reading.losses();
        if (losses.isEmpty())
        {
            canvas.put(row + 1, 1, Style.GOOD, "none so far");
            return;
        }
        final double most = losses.stream().mapToDouble(Reading.Loss::perSecond).max().orElse(0);
        final int room = end - row - 1;
        final int shown = losses.size() <= room ? losses.size() : room - 1;
        for (int i = 0; i < shown; i++)
        {
            final Reading.Loss loss = losses.get(i);
            final int at = row + 1 + i;
            final Style style = 0 == loss.perSecond() ? Style.DIM : loss.isWait() ? Style.WARN : Style.BAD;
            canvas.put(at, 1, style, Picture.shortened(loss.reason(), REASON - 1));
            final Style direction = loss.isToGuest() ? Style.SECOND : Style.FIRST;
            canvas.put(at, 1 + REASON, 0 == loss.perSecond() ? Style.DIM : direction,
                loss.isToGuest() ? "to guest" : "from guest");
            canvas.right(at, perSecond, style, Figures.rate(loss.perSecond()));
            canvas.right(at, total, style, Figures.count(loss.total()));
            final int bar = width - total - 2;
            if (0 < bar && 0 < most)
            {
                canvas.put(at, total + 2, style, horizontal(loss.perSecond() / most * bar));
            }
        }
        if (shown < losses.size() && 0 < room)
        {
            canvas.put(row + 1 + shown, 1, Style.DIM, "and " + (losses.size() - shown) + " more");
        }
    }

    private String horizontal(final double length)
    {
        return String.valueOf(glyphs.bar(1, 0)).repeat((int)Math.ceil(length));
    }
}
