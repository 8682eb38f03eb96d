package io.ringtap.top;

/** The characters that pictures are drawn with: blocks, or what plain ASCII has for them. */
enum Glyphs
{
    UNICODE(" ▁▂▃▄▅▆▇█", '▼', '▲', "µs", "∞"),
    ASCII(" .:-=+*%#", 'v', '^', "us", "inf");

    private final String levels;
    private final char down;
    private final char up;
    private final String microseconds;
    private final String endless;

    Glyphs(
        final String levels,
        final char down,
        final char up,
        final String microseconds,
        final String endless)
    {
        this.levels = levels;
        this.down = down;
        this.up = up;
        this.microseconds = microseconds;
        this.endless = endless;
    }

    /** The largest first. */
    char down()
    {
        return down;
    }

    char up()
    {
        return up;
    }

    String microseconds()
    {
        return microseconds;
    }

    /** A time that is beyond all bounds. */
    String endless()
    {
        return endless;
    }

    /**
     * One character of a bar.
     *
     * @param height of the bar, 0 to {@code rows}.
     * @param row    0 for the lowest character.
     */
    char bar(final double height, final int row)
    {
        final int steps = levels.length() - 1;
        final double part = (height - row) * steps;
        // Something is never shown as nothing.
        final int level = 0 == row && 0 < height && part < 1 ? 1 : (int)Math.round(part);
        return levels.charAt(Math.max(0, Math.min(steps, level)));
    }

    /** The newest values as far as there is room, the newest to the right. */
    String line(final double[] values, final int width)
    {
        final int shown = Math.min(width, values.length);
        double most = 0;
        for (int i = values.length - shown; i < values.length; i++)
        {
            most = Math.max(most, values[i]);
        }
        final StringBuilder line = new StringBuilder(" ".repeat(Math.max(0, width - shown)));
        for (int i = values.length - shown; i < values.length; i++)
        {
            line.append(0 < most ? bar(values[i] / most, 0) : levels.charAt(0));
        }
        return line.toString();
    }
}
