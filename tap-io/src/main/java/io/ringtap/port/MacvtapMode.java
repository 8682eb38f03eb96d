package io.ringtap.port;

import io.ringtap.sys.Links;

import java.util.Locale;

/** How the macvtaps over one interface reach each other. */
public enum MacvtapMode
{
    /** Directly. */
    BRIDGE(Links.MACVLAN_BRIDGE),
    /** Through the switch outside, which must send back what came from it. */
    VEPA(Links.MACVLAN_VEPA),
    /** Not at all. */
    PRIVATE(Links.MACVLAN_PRIVATE),
    /** There is one only, and it gets everything. */
    PASSTHRU(Links.MACVLAN_PASSTHRU);

    private final int number;

    MacvtapMode(final int number)
    {
        this.number = number;
    }

    /** MACVLAN_MODE_* of linux/if_link.h. */
    int number()
    {
        return number;
    }

    /** As it is written on the command line, and in ip-link(8). */
    public String word()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
