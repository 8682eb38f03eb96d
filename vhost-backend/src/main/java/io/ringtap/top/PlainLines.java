package io.ringtap.top;

import java.io.PrintStream;
import java.util.Locale;

/** A line for each queue and direction with plain numbers: for logs, pipes and terminals that cannot do more. */
final class PlainLines
{
    private static final String HEAD = String.format(Locale.ROOT, "%-15s %5s %-10s %12s %14s %7s %9s %9s %9s %9s",
        "PORT", "QUEUE", "DIRECTION", "PACKETS/S", "BITS/S", "BATCH", "LOST/S", "WAITS/S", "50%<US", "99%<US");

    private PlainLines()
    {
    }

    static void print(final PrintStream out, final Reading reading, final boolean hasHead)
    {
        if (hasHead)
        {
            out.println(HEAD);
        }
        for (final Row row : reading.rows(false))
        {
            out.println(String.format(Locale.ROOT, "%-15s %5d %-10s %12.0f %14.0f %7.1f %9.0f %9.0f %9.0f %9.0f",
                Picture.shortened(row.port(), 15), row.queue(), row.isToGuest() ? "to-guest" : "from-guest",
                row.packets(), row.bits(), row.batch(), row.lost(), row.waits(), row.median(), row.slowest()));
        }
        out.flush();
    }
}
