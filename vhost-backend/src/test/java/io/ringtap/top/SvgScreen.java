package io.ringtap.top;

import io.ringtap.terminal.Canvas;
import io.ringtap.terminal.Style;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A screen as a picture for documents: cell by cell as a terminal with a dark background shows it. */
final class SvgScreen
{
    private static final double CELL_WIDTH = 8.4;
    private static final int CELL_HEIGHT = 18;
    private static final int MARGIN = 10;
    private static final int BASE = 13;
    private static final String BACKGROUND = "#1b1f27";
    private static final String FOREGROUND = "#d5dae3";
    private static final String LEVELS = " ▁▂▃▄▅▆▇█";
    private static final Pattern WORDS = Pattern.compile("\\S+( \\S+)*");

    private SvgScreen()
    {
    }

    static String of(final Canvas canvas, final String title)
    {
        final double width = 2 * MARGIN + canvas.columns() * CELL_WIDTH;
        final int height = 2 * MARGIN + canvas.rows() * CELL_HEIGHT;
        final StringBuilder svg = new StringBuilder(String.format(Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %d\" width=\"%.0f\" height=\"%d\">%n" +
            "<title>%s</title>%n<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"%s\"/>%n" +
            "<g font-family=\"DejaVu Sans Mono, Menlo, monospace\" font-size=\"14\">%n",
            width, height, width, height, title, BACKGROUND));
        for (int row = 0; row < canvas.rows(); row++)
        {
            int column = 0;
            while (column < canvas.columns())
            {
                final int end = end(canvas, row, column);
                run(svg, canvas, row, column, end);
                column = end;
            }
        }
        return svg.append("</g>\n</svg>\n").toString();
    }

    /** Where cells of the same style and sort end. */
    private static int end(final Canvas canvas, final int row, final int column)
    {
        final Style style = canvas.style(row, column);
        final boolean isBlock = isBlock(canvas.character(row, column));
        int end = column + 1;
        while (end < canvas.columns() && canvas.style(row, end) == style &&
            isBlock == isBlock(canvas.character(row, end)))
        {
            end++;
        }
        return end;
    }

    private static void run(
        final StringBuilder svg, final Canvas canvas, final int row, final int column, final int end)
    {
        final Style style = canvas.style(row, column);
        final double x = MARGIN + column * CELL_WIDTH;
        final int y = MARGIN + row * CELL_HEIGHT;
        final boolean isBar = Style.BAR == style || Style.BAR_BOLD == style;
        if (isBar)
        {
            rectangle(svg, x, y, (end - column) * CELL_WIDTH, CELL_HEIGHT, "#3a4356");
        }
        final StringBuilder text = new StringBuilder();
        for (int i = column; i < end; i++)
        {
            final char character = canvas.character(row, i);
            final int level = LEVELS.indexOf(character);
            if (0 < level && (i == column || canvas.character(row, i - 1) != character))
            {
                int same = i;
                while (same < end && canvas.character(row, same) == character)
                {
                    same++;
                }
                // Fonts draw blocks with gaps; a rectangle is what a terminal shows.
                final double tall = CELL_HEIGHT * level / 8.0;
                rectangle(svg, MARGIN + i * CELL_WIDTH, y + CELL_HEIGHT - tall, (same - i) * CELL_WIDTH, tall,
                    colour(style));
            }
            text.append(0 < level ? ' ' : character);
        }
        // Viewers differ in what they make of blanks at the edges and in rows, so none are written.
        final Matcher words = WORDS.matcher(text);
        while (words.find())
        {
            svg.append(String.format(Locale.ROOT,
                "<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\" fill=\"%s\"%s>%s</text>%n",
                x + words.start() * CELL_WIDTH, y + BASE, words.group().length() * CELL_WIDTH, colour(style),
                Style.BOLD == style || Style.BAR_BOLD == style || Style.BAD == style ? " font-weight=\"bold\"" : "",
                words.group().replace("&", "&amp;").replace("<", "&lt;")));
        }
    }

    private static void rectangle(
        final StringBuilder svg, final double x, final double y, final double width, final double height,
        final String colour)
    {
        svg.append(String.format(Locale.ROOT,
            "<rect x=\"%.1f\" y=\"%.2f\" width=\"%.1f\" height=\"%.2f\" fill=\"%s\"/>%n", x, y, width, height, colour));
    }

    private static boolean isBlock(final char character)
    {
        return 0 < LEVELS.indexOf(character);
    }

    private static String colour(final Style style)
    {
        return switch (style)
        {
            case DIM -> "#7f8896";
            case GOOD -> "#8cc265";
            case WARN -> "#e0b15c";
            case BAD -> "#f2777a";
            case FIRST -> "#5ac8d8";
            case SECOND -> "#c792ea";
            case BAR, BAR_BOLD, BOLD -> "#f3f5f9";
            case PLAIN -> FOREGROUND;
        };
    }
}
