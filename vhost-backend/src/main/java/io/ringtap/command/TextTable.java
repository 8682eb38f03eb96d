package io.ringtap.command;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns as wide as they need to be; columns of numbers stand to the right. */
final class TextTable
{
    private final List<String[]> rows = new ArrayList<>();

    TextTable(final String... heads)
    {
        rows.add(heads);
    }

    void row(final Object... cells)
    {
        final String[] row = new String[cells.length];
        for (int i = 0; i < cells.length; i++)
        {
            row[i] = null == cells[i] ? "" : cells[i].toString();
        }
        rows.add(row);
    }

    boolean isEmpty()
    {
        return 1 == rows.size();
    }

    void print(final PrintWriter out)
    {
        final int columns = rows.get(0).length;
        for (final String[] row : rows)
        {
            final StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++)
            {
                final int pad = width(i) - row[i].length();
                line.append(0 == i ? "" : "  ");
                line.append(isNumbers(i) ? " ".repeat(pad) + row[i] : row[i] + " ".repeat(pad));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private int width(final int column)
    {
        return rows.stream().mapToInt((row) -> row[column].length()).max().orElse(0);
    }

    private boolean isNumbers(final int column)
    {
        return rows.stream().skip(1).allMatch((row) -> row[column].matches("-?[0-9]*"));
    }
}
