package io.ringtap.top;

import io.ringtap.terminal.Key;

import java.util.List;

/** What the user has chosen to see; keys change it. */
final class ViewState
{
    private static final List<Double> INTERVALS = List.of(0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0);
    private static final int PAGE = 10;

    private double interval;
    private Column sort;
    private boolean isReversed;
    private boolean isPaused;
    private boolean isBytes;
    private boolean isSummed;
    private boolean isHelp;
    private boolean isEnded;
    private int scroll;
    private String range = "";

    ViewState(final double interval)
    {
        this.interval = interval;
    }

    /** A key was pressed while these columns are shown. */
    void press(final Key key, final List<Column> shown)
    {
        switch (key.kind())
        {
            case CHARACTER -> press(key.character(), shown);
            case UP -> scroll(-1);
            case DOWN -> scroll(1);
            case PAGE_UP -> scroll(-PAGE);
            case PAGE_DOWN -> scroll(PAGE);
            case HOME -> scroll = 0;
            case END_OF_INPUT -> isEnded = true;
            default ->
            {
                // A key that means nothing here does nothing.
            }
        }
    }

    private void press(final char character, final List<Column> shown)
    {
        final boolean wasHelp = isHelp;
        isHelp = false;
        switch (character)
        {
            case 'q', 'Q' -> isEnded = true;
            case 'p', 'P', ' ' -> isPaused = !isPaused;
            case 's', 'S' -> sort = next(shown);
            case 'r', 'R' -> isReversed = !isReversed;
            case 'u', 'U' -> switchUnits();
            case 'a', 'A' -> isSummed = !isSummed;
            case '+' -> interval = longer();
            case '-' -> interval = shorter();
            case 'k' -> scroll(-1);
            case 'j' -> scroll(1);
            case 'h', 'H', '?' -> isHelp = !wasHelp;
            default ->
            {
                // Nor does another character, but help goes away.
            }
        }
    }

    private void switchUnits()
    {
        isBytes = !isBytes;
        sort = Column.BITS == sort ? Column.BYTES : Column.BYTES == sort ? Column.BITS : sort;
    }

    /** The next column that rows can be sorted by; after the last one the order of queues again. */
    private Column next(final List<Column> shown)
    {
        final List<Column> sortable = shown.stream().filter(Column::isSortable).toList();
        final int at = sortable.indexOf(sort) + 1;
        return at < sortable.size() ? sortable.get(at) : null;
    }

    private double longer()
    {
        return INTERVALS.stream().filter((each) -> each > interval).findFirst().orElse(interval);
    }

    private double shorter()
    {
        return INTERVALS.stream().filter((each) -> each < interval).reduce((all, last) -> last).orElse(interval);
    }

    private void scroll(final int by)
    {
        scroll = Math.max(0, scroll + by);
    }

    /** There are only so many rows. */
    void limitScroll(final int most)
    {
        scroll = Math.min(scroll, Math.max(0, most));
    }

    /** Which rows were drawn, for people; empty when all were. */
    void range(final String text)
    {
        range = text;
    }

    String range()
    {
        return range;
    }

    int scroll()
    {
        return scroll;
    }

    double interval()
    {
        return interval;
    }

    /** Null for the order of queues. */
    Column sort()
    {
        return sort;
    }

    boolean isReversed()
    {
        return isReversed;
    }

    boolean isPaused()
    {
        return isPaused;
    }

    boolean isBytes()
    {
        return isBytes;
    }

    boolean isSummed()
    {
        return isSummed;
    }

    boolean isHelp()
    {
        return isHelp;
    }

    boolean isEnded()
    {
        return isEnded;
    }
}
