package io.ringtap.terminal;

/** How a cell looks; colours are the sixteen that every terminal has, so that its user's own scheme holds. */
public enum Style
{
    PLAIN("0"),
    BOLD("0;1"),
    DIM("0;2"),
    /** A bar across the screen. */
    BAR("0;7"),
    /** A word in such a bar. */
    BAR_BOLD("0;1;7"),
    GOOD("0;32"),
    WARN("0;33"),
    BAD("0;1;31"),
    /** Of two things to tell apart the first. */
    FIRST("0;36"),
    /** The second. */
    SECOND("0;35");

    private final String code;

    Style(final String code)
    {
        this.code = code;
    }

    /** Switches a terminal to it (ECMA-48, SGR). */
    String sequence()
    {
        return "\033[" + code + "m";
    }
}
