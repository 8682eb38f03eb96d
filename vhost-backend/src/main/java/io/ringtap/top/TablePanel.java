package io.ringtap.top;

import io.ringtap.terminal.Canvas;
import io.ringtap.terminal.Style;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The table of queues and directions, in the order that the user wants. */
final class TablePanel
{
    private final Glyphs glyphs;

    TablePanel(final Glyphs glyphs)
    {
        this.glyphs = glyphs;
    }

    /** @param room rows of the table that may be used, its head not counted. @return the row behind it. */
    int draw(final Canvas canvas, final Reading reading, final ViewState state, final int row, final int room)
    {
        final List<Column> columns = Picture.columns(reading, state, canvas.columns());
        final List<Row> rows = ordered(reading, state);
        state.limitScroll(rows.size() - room);
        final int first = state.scroll();
        final int shown = Math.min(room, rows.size() - first);
        final int trendAt = head(canvas, row, columns, state);
        for (int i = 0; i < shown; i++)
        {
            line(canvas, row + 1 + i, columns, rows.get(first + i), trendAt);
        }
        state.range(shown < rows.size() ? "rows " + (first + 1) + "-" + (first + shown) + " of " + rows.size() : "");
        return row + 1 + shown;
    }

    private static List<Row> ordered(final Reading reading, final ViewState state)
    {
        final List<Row> rows = new ArrayList<>(reading.rows(state.isSummed()));
        if (null != state.sort())
        {
            rows.sort(state.sort().order());
        }
        if (state.isReversed())
        {
            Collections.reverse(rows);
        }
        return rows;
    }

    private int head(final Canvas canvas, final int row, final List<Column> columns, final ViewState state)
    {
        int at = 1;
        for (final Column column : columns)
        {
            final boolean isSort = column == state.sort();
            final String head = column.head() + (isSort ? state.isReversed() ? glyphs.up() : glyphs.down() : "");
            final Style style = isSort ? Style.BOLD : Style.DIM;
            if (column.isLeft())
            {
                canvas.put(row, at, style, head);
            }
            else
            {
                canvas.right(row, at + column.width() + (isSort ? 1 : 0), style, head);
            }
            at += column.width() + Column.GAP;
        }
        canvas.put(row, at, Style.DIM, "TREND");
        return at;
    }

    private void line(final Canvas canvas, final int row, final List<Column> columns, final Row line, final int trendAt)
    {
        final Style direction = line.isToGuest() ? Style.SECOND : Style.FIRST;
        int at = 1;
        for (final Column column : columns)
        {
            final String text = Picture.shortened(column.text(line, glyphs), column.width());
            if (column.isLeft())
            {
                canvas.put(row, at, style(column, line, direction), text);
            }
            else
            {
                canvas.right(row, at + column.width(), style(column, line, direction), text);
            }
            at += column.width() + Column.GAP;
        }
        final int width = canvas.columns() - 1 - trendAt;
        canvas.put(row, trendAt, direction, glyphs.line(line.trend(), width));
    }

    private static Style style(final Column column, final Row line, final Style direction)
    {
        return switch (column)
        {
            case DIRECTION -> direction;
            case LOST -> 0 < line.lost() ? Style.BAD : Style.DIM;
            case WAITS -> 0 < line.waits() ? Style.WARN : Style.DIM;
            case PACKETS, BITS, BYTES -> 0 < line.packets() ? Style.PLAIN : Style.DIM;
            case QUEUE, PORT -> Style.PLAIN;
            default -> 0 < line.packets() ? Style.PLAIN : Style.DIM;
        };
    }
}
