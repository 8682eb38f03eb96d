package io.ringtap.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A picture made of characters with styles; what is put outside of it is cut off. */
public final class Canvas
{
    private final int rows;
    private final int columns;
    private final char[][] characters;
    private final Style[][] styles;

    /** Blank. */
    public Canvas(final int rows, final int columns)
    {
        this.rows = rows;
        this.columns = columns;
        characters = new char[rows][columns];
        styles = new Style[rows][columns];
        for (int row = 0; row < rows; row++)
        {
            Arrays.fill(characters[row], ' ');
            Arrays.fill(styles[row], Style.PLAIN);
        }
    }

    public int rows()
    {
        return rows;
    }

    public int columns()
    {
        return columns;
    }

    public char character(final int row, final int column)
    {
        return characters[row][column];
    }

    public Style style(final int row, final int column)
    {
        return styles[row][column];
    }

    /** @return the column behind the text. */
    public int put(final int row, final int column, final Style style, final String text)
    {
        for (int i = 0; i < text.length(); i++)
        {
            final int at = column + i;
            if (0 <= row && row < rows && 0 <= at && at < columns)
            {
                // A name of somebody else's choice must not steer the terminal.
                characters[row][at] = Character.isISOControl(text.charAt(i)) ? '?' : text.charAt(i);
                styles[row][at] = style;
            }
        }
        return column + text.length();
    }

    /** The text ends before the column. */
    public void right(final int row, final int end, final Style style, final String text)
    {
        put(row, end - text.length(), style, text);
    }

    /** A whole row in one style. */
    public void bar(final int row, final Style style)
    {
        put(row, 0, style, " ".repeat(columns));
    }

    /** Each row without the blanks at its end. */
    public List<String> lines()
    {
        final List<String> lines = new ArrayList<>();
        for (final char[] row : characters)
        {
            lines.add(new String(row).stripTrailing());
        }
        return lines;
    }

    /** What a terminal has to be sent to show it in place of what it shows now, in one piece lest it flickers. */
    public String sequence()
    {
        final StringBuilder text = new StringBuilder("\033[H");
        for (int row = 0; row < rows; row++)
        {
            Style last = null;
            for (int column = 0; column < columns; column++)
            {
                if (last != styles[row][column])
                {
                    last = styles[row][column];
                    text.append(last.sequence());
                }
                text.append(characters[row][column]);
            }
            text.append("\033[0m").append(row < rows - 1 ? "\r\n" : "");
        }
        return text.append("\033[J").toString();
    }
}
