package io.ringtap.top;

import java.util.Locale;

/** Numbers as people read them, in few characters. */
final class Figures
{
    private static final String PREFIXES = " kMGTPE";
    private static final int STEP = 1000;
    private static final double TENTH = 0.1;
    private static final int TEN = 10;
    private static final int HUNDRED = 100;
    private static final int US_PER_MS = 1000;
    private static final int US_PER_S = 1_000_000;

    private Figures()
    {
    }

    /** Four digits at most and a prefix: {@code 812.3 k}, {@code 12}. */
    static String rate(final double value)
    {
        double scaled = value;
        int prefix = 0;
        // 999.96 k would be written as 1000.0 k.
        while (scaled >= STEP - TENTH / 2 && prefix < PREFIXES.length() - 1)
        {
            scaled /= STEP;
            prefix++;
        }
        if (0 == prefix)
        {
            return 0 < scaled && scaled < TEN ? String.format(Locale.ROOT, "%.1f", scaled) :
                String.format(Locale.ROOT, "%.0f", scaled);
        }
        return String.format(Locale.ROOT, scaled < TEN ? "%.2f %c" : "%.1f %c", scaled, PREFIXES.charAt(prefix));
    }

    /** As {@link #rate}, with a unit behind the prefix. */
    static String rate(final double value, final String unit)
    {
        final String text = rate(value);
        return text + (text.indexOf(' ') < 0 ? " " : "") + unit;
    }

    /** As {@link #rate}, of something that comes in whole numbers. */
    static String count(final long value)
    {
        return value < TEN ? Long.toString(value) : rate(value);
    }

    /** With as many decimals as tell something. */
    static String small(final double value)
    {
        return String.format(Locale.ROOT, 0 == value ? "%.0f" : value < 1 ? "%.3f" : value < HUNDRED ? "%.1f" : "%.0f",
            value);
    }

    static String percent(final double value)
    {
        return String.format(Locale.ROOT, "%.0f %%", value);
    }

    /** A bound of a bucket of microseconds; what is beyond the last has none. */
    static String time(final double us, final Glyphs glyphs)
    {
        return Double.isInfinite(us) ? glyphs.endless() :
            us < US_PER_MS ? String.format(Locale.ROOT, "%.0f %s", us, glyphs.microseconds()) :
            us < US_PER_S ? String.format(Locale.ROOT, "%.0f ms", us / US_PER_MS) :
            String.format(Locale.ROOT, "%.0f s", us / US_PER_S);
    }

    /** As {@link #time}, where there is hardly room. */
    static String shortTime(final double us)
    {
        return us < US_PER_MS ? String.format(Locale.ROOT, "%.0f", us) :
            us < US_PER_S ? String.format(Locale.ROOT, "%.0fm", us / US_PER_MS) :
            String.format(Locale.ROOT, "%.0fs", us / US_PER_S);
    }
}
