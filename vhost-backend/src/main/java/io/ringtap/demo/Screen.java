package io.ringtap.demo;

import io.ringtap.terminal.Terminal;

import java.io.PrintStream;
import java.util.Locale;

/** What the demonstration shows: live on a terminal, one line a second elsewhere. */
final class Screen
{
    private static final int BAR_WIDTH = 30;

    private final PrintStream out;
    private final boolean isTerminal;
    private double most;

    Screen(final PrintStream out)
    {
        this.out = out;
        isTerminal = Terminal.isTerminal(Terminal.OUTPUT);
    }

    boolean isTerminal()
    {
        return isTerminal;
    }

    /** One line that stays. */
    void say(final String text)
    {
        out.println(text);
        out.flush();
    }

    /** A headline. */
    void title(final String text)
    {
        say(isTerminal ? "\n\033[1m" + text + "\033[0m" : "\n" + text);
        most = 0;
    }

    /** The rate now; a terminal sees it in place. */
    void rate(final double packetsPerSecond, final double bitsPerSecond)
    {
        most = Math.max(most, packetsPerSecond);
        final String figures = packets(packetsPerSecond) + "  " + bits(bitsPerSecond);
        if (isTerminal)
        {
            final int full = most > 0 ? (int)Math.round(BAR_WIDTH * packetsPerSecond / most) : 0;
            out.print("\r  " + figures + "  \033[32m" + "#".repeat(full) + "\033[0m\033[K");
            out.flush();
        }
        else
        {
            say("  " + figures);
        }
    }

    /** Says on a terminal what is waited for; the next rate takes its place. */
    void pause(final String reason)
    {
        if (isTerminal)
        {
            out.print("\r  " + reason + "\033[K");
            out.flush();
        }
    }

    /** Ends a line of live rates. */
    void endRates()
    {
        if (isTerminal)
        {
            say("");
        }
    }

    static String packets(final double perSecond)
    {
        return String.format(Locale.ROOT, "%8.3f Mpps", perSecond / 1e6);
    }

    static String bits(final double perSecond)
    {
        return String.format(Locale.ROOT, "%8.3f Gbit/s", perSecond / 1e9);
    }
}
