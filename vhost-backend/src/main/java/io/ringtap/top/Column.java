package io.ringtap.top;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** A column of the table: what it is called, how wide it is, what stands in it, and how rows are sorted by it. */
enum Column
{
    PORT("PORT", 11, 0, Row::port, null),
    QUEUE("QUEUE", 5, 0, (row) -> Row.ALL == row.queue() ? "all" : Integer.toString(row.queue()), null),
    DIRECTION("DIRECTION", 10, 0, (row) -> row.isToGuest() ? "to guest" : "from guest", null),
    PACKETS("PACKETS/S", 9, 0, (row) -> Figures.rate(row.packets()), Row::packets),
    BITS("BITS/S", 9, 0, (row) -> Figures.rate(row.bits()), Row::bits),
    BYTES("BYTES/S", 9, 0, (row) -> Figures.rate(row.bytes()), Row::bytes),
    BATCH("BATCH", 6, 2, (row) -> Figures.small(row.batch()), Row::batch),
    LOST("LOST/S", 7, 1, (row) -> Figures.rate(row.lost()), Row::lost),
    CALLS("CALLS/PKT", 9, 3, (row) -> Figures.small(row.calls()), Row::calls),
    MEDIAN("50 % <", 7, 4, (row) -> "", Row::median),
    SLOWEST("99 % <", 7, 4, (row) -> "", Row::slowest),
    WAITS("WAITS/S", 7, 5, (row) -> Figures.rate(row.waits()), Row::waits),
    SMALL("SMALL", 6, 6, (row) -> row.isToGuest() ? "" : Figures.percent(row.small()), Row::small),
    MERGED("MERGED", 6, 6, (row) -> Figures.percent(row.merged()), Row::merged),
    NOTIFIED("NOTIFIED/S", 10, 7, (row) -> Figures.rate(row.notified()), Row::notified),
    KICKS("KICKS/S", 8, 7, (row) -> Figures.rate(row.kicks()), Row::kicks);

    /** Blanks between two columns. */
    static final int GAP = 2;
    /** Left for the trend, which takes what the others leave. */
    static final int MIN_TREND = 7;

    private final String head;
    private final int width;
    private final int rank;
    private final Function<Row, String> text;
    private final ToDoubleFunction<Row> key;

    Column(
        final String head,
        final int width,
        final int rank,
        final Function<Row, String> text,
        final ToDoubleFunction<Row> key)
    {
        this.head = head;
        this.width = width;
        this.rank = rank;
        this.text = text;
        this.key = key;
    }

    String head()
    {
        return head;
    }

    int width()
    {
        return width;
    }

    String text(final Row row, final Glyphs glyphs)
    {
        return this == MEDIAN ? time(row.median(), glyphs) : this == SLOWEST ? time(row.slowest(), glyphs) :
            text.apply(row);
    }

    /** Whether rows can be sorted by it. */
    boolean isSortable()
    {
        return null != key;
    }

    boolean isLeft()
    {
        return PORT == this || DIRECTION == this;
    }

    Comparator<Row> order()
    {
        return Comparator.comparingDouble(key).reversed();
    }

    /** Those that fit, the important ones before the others; the port's only where there are several. */
    static List<Column> fitting(final int columns, final boolean hasPorts, final boolean isBytes)
    {
        final List<Column> wanted = new ArrayList<>();
        int left = columns - 1 - MIN_TREND;
        // One that does not fit ends it: a less important one in its place would be odd.
        for (int rank = 0; rank <= KICKS.rank; rank++)
        {
            for (final Column each : values())
            {
                final boolean isShown = each.rank == rank && (PORT != each || hasPorts) &&
                    (isBytes ? BITS : BYTES) != each;
                left -= isShown ? each.width + GAP : 0;
                if (isShown && 0 <= left)
                {
                    wanted.add(each);
                }
            }
        }
        wanted.sort(Comparator.comparingInt(Column::ordinal));
        return wanted;
    }

    private static String time(final double us, final Glyphs glyphs)
    {
        return 0 == us ? "" : Figures.time(us, glyphs);
    }
}
