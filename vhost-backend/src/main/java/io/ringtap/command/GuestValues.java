package io.ringtap.command;

import io.ringtap.ConfigException;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.vhost.virtio.NetFeatures;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Turns the text of the guest's options into values. */
final class GuestValues
{
    private GuestValues()
    {
    }

    /** A mistake that a configuration finds is the user's. */
    static <T> T checked(final String option, final Supplier<T> configuration)
    {
        try
        {
            return configuration.get();
        }
        catch (final IllegalArgumentException wrong)
        {
            throw new ConfigException(option, wrong.getMessage(), "see ringtap guest --help");
        }
    }

    /** An address written as numbers; names are not looked up. */
    static InetAddress address(final String option, final String text)
    {
        if (text.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") || text.matches("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*"))
        {
            try
            {
                return InetAddress.getByName(text);
            }
            catch (final UnknownHostException ignore)
            {
                // Said below, with the same words as for a name.
            }
        }
        throw new ConfigException(option + "=" + text, "not an IP address", "give for example 10.0.0.2 or fd00::2");
    }

    /** A number with k, M or G behind it. */
    static double scaled(final String option, final String text)
    {
        if (!text.matches("[0-9]+(\\.[0-9]+)?[kMG]?"))
        {
            throw new ConfigException(option + "=" + text, "not a number", "give for example 1000 or 1.5M");
        }
        final double scale = switch (text.charAt(text.length() - 1))
        {
            case 'k' -> 1e3;
            case 'M' -> 1e6;
            case 'G' -> 1e9;
            default -> 1;
        };
        return Double.parseDouble(1 == scale ? text : text.substring(0, text.length() - 1)) * scale;
    }

    /** The usual features with changes by name, or a word in hexadecimal. */
    static long features(final String text)
    {
        if (text.matches("0x[0-9a-fA-F]{1,16}"))
        {
            return Long.parseUnsignedLong(text.substring(2), 16);
        }
        long features = FrontendConfig.DEFAULT_FEATURES;
        for (final String word : text.split(",", -1))
        {
            final boolean isRemoved = word.startsWith("-");
            final long bit = feature(isRemoved ? word.substring(1) : word);
            features = isRemoved ? features & ~bit : features | bit;
        }
        return features;
    }

    /** Whether somebody watches the output. */
    static boolean isTerminal()
    {
        try
        {
            final String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        }
        catch (final IOException | UnsupportedOperationException ignore)
        {
            return false;
        }
    }

    private static long feature(final String name)
    {
        for (int i = 0; i < Long.SIZE; i++)
        {
            if (NetFeatures.name(i).equalsIgnoreCase(name))
            {
                return NetFeatures.bit(i);
            }
        }
        throw new ConfigException(
            "--features: " + name, "no such feature", "give names like ring_packed, mrg_rxbuf, event_idx, host_uso");
    }
}
