package io.ringtap.port;

import java.util.Locale;

/** How frames get between a device and an AF_XDP socket, from the fastest down. */
public enum XskMode
{
    /** The fastest that the driver can do. */
    AUTO,
    /** The driver uses our memory itself. */
    ZEROCOPY,
    /** The program runs in the driver, frames are copied once. */
    NATIVE,
    /** The program runs behind any driver, frames are copied from the kernel's own buffers. */
    GENERIC;

    /** As it is written on the command line. */
    public String word()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
