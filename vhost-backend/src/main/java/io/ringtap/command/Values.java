package io.ringtap.command;

import io.ringtap.ConfigException;
import io.ringtap.ConfigLimits;
import io.ringtap.flow.Offloads;
import io.ringtap.vhost.dataplane.RateLimit;
import io.ringtap.vhost.metrics.MetricsAddress;
import io.ringtap.vhost.virtio.NetFeatures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Turns the text of options into values; each refusal names the option, the text, the form and an example. */
final class Values
{
    private Values()
    {
    }

    static int number(final String option, final String text, final int least, final int most)
    {
        long value = -1;
        if (isNumber(text))
        {
            value = Long.parseLong(text);
        }
        if (value < least || value > most)
        {
            final String upTo = Integer.MAX_VALUE == most ? " up" : " to " + most;
            throw new ConfigException(
                option + "=" + text, "not a number from " + least + upTo, "give for example " + Math.max(least, 1));
        }
        return (int)value;
    }

    static List<Integer> numbers(final String option, final String text)
    {
        final List<Integer> numbers = new ArrayList<>();
        for (final String word : text.split(",", -1))
        {
            numbers.add(number(option, word, 0, Integer.MAX_VALUE));
        }
        return numbers;
    }

    /** What stands before the colon, or everything. */
    static String first(final String text)
    {
        final int colon = text.indexOf(':');
        return colon < 0 ? text : text.substring(0, colon);
    }

    /** What stands behind the colon; null without one. */
    static String second(final String text)
    {
        final int colon = text.indexOf(':');
        return colon < 0 ? null : text.substring(colon + 1);
    }

    static boolean onOff(final String option, final String text)
    {
        if (!"on".equals(text) && !"off".equals(text))
        {
            throw new ConfigException(option + "=" + text, "no such choice", "give on or off");
        }
        return "on".equals(text);
    }

    static int mode(final String option, final String text, final String example)
    {
        boolean octal = !text.isEmpty() && text.length() <= 4;
        for (int i = 0; i < text.length(); i++)
        {
            octal &= text.charAt(i) >= '0' && text.charAt(i) <= '7';
        }
        if (!octal || Integer.parseInt(text, 8) > ConfigLimits.MAX_SOCKET_MODE)
        {
            throw new ConfigException(
                option + "=" + text, "not permission bits in octal, 0 to 777", "give for example " + example);
        }
        return Integer.parseInt(text, 8);
    }

    /** First byte in the low bits. */
    static long mac(final String text)
    {
        final String[] parts = text.split(":", -1);
        boolean good = 6 == parts.length;
        long mac = 0;
        for (int i = parts.length - 1; i >= 0 && good; i--)
        {
            good = isHexByte(parts[i]);
            mac = good ? mac << 8 | Integer.parseInt(parts[i], 16) : 0;
        }
        if (!good || 0 == mac || 0 != (mac & 1))
        {
            throw new ConfigException(
                "--mac=" + text, "not six bytes in hexadecimal that are a unicast address",
                "give for example 52:54:00:12:34:56");
        }
        return mac;
    }

    /** CPUs as taskset(1) writes them, {@code 0,2,4-7}; the order is kept, since workers take them in turn. */
    static List<Integer> cpus(final String text)
    {
        final List<Integer> cpus = new ArrayList<>();
        for (final String part : text.split(",", -1))
        {
            final int dash = part.indexOf('-');
            final int first = number("--cpus", dash < 0 ? part : part.substring(0, dash), 0, ConfigLimits.MAX_CPU);
            final int last = number("--cpus", part.substring(dash + 1), 0, ConfigLimits.MAX_CPU);
            if (last < first)
            {
                throw new ConfigException("--cpus=" + text, part + " runs backwards", "give the lower CPU first");
            }
            for (int cpu = first; cpu <= last; cpu++)
            {
                cpus.add(cpu);
            }
        }
        return cpus;
    }

    /** The offloads that are left when the named ones are refused. */
    static int offloads(final String text)
    {
        int left = Offloads.ALL;
        for (final String word : text.split(",", -1))
        {
            left &= ~switch (word)
            {
                case "all", "csum" -> Offloads.ALL;
                case "tso" -> Offloads.TSO4 | Offloads.TSO6 | Offloads.ECN;
                case "ecn" -> Offloads.ECN;
                case "ufo" -> Offloads.UFO;
                case "uso" -> Offloads.USO4 | Offloads.USO6;
                default -> throw new ConfigException(
                    "--no-offload=" + word, "no such offload", "give some of csum, tso, ecn, ufo, uso, or all");
            };
        }
        return left;
    }

    /** The bits of virtio features by their names, as {@code --print-capabilities} writes them. */
    static long features(final String text)
    {
        final List<String> known = Capabilities.features();
        long bits = 0;
        for (final String word : text.split(",", -1))
        {
            if (!known.contains(word))
            {
                throw new ConfigException(
                    "--no-feature=" + word, "no feature that can be left out",
                    "give some of those that --print-capabilities lists");
            }
            bits |= Capabilities.feature(word);
        }
        return bits;
    }

    /** The bits of virtio features that are offered on demand only; those of the config space stand for it. */
    static long onDemand(final String text)
    {
        long bits = 0;
        for (final String word : text.split(",", -1))
        {
            final long bit = switch (word)
            {
                case "config" -> NetFeatures.bit(NetFeatures.STATUS) | NetFeatures.bit(NetFeatures.SPEED_DUPLEX);
                case "ring-reset" -> NetFeatures.bit(NetFeatures.RING_RESET);
                case "ctrl-vq" -> NetFeatures.CONTROL;
                case "rss" -> NetFeatures.CONTROL | NetFeatures.bit(NetFeatures.RSS);
                default -> 0;
            };
            if (0 == bit)
            {
                throw new ConfigException(
                    "--offer=" + word, "nothing that is offered on demand", "give config, ctrl-vq, rss or ring-reset");
            }
            bits |= bit;
        }
        return bits;
    }

    /** A constant of an enum by its name with dashes, as the help writes it. */
    static <E extends Enum<E>> E constant(final String option, final Class<E> type, final String text)
    {
        final StringBuilder names = new StringBuilder();
        for (final E each : type.getEnumConstants())
        {
            final String name = each.name().toLowerCase(Locale.ROOT).replace('_', '-');
            if (name.equals(text))
            {
                return each;
            }
            names.append(names.isEmpty() ? "" : ", ").append(name);
        }
        throw new ConfigException(option + "=" + text, "no such choice", "give one of " + names);
    }

    /** Bits a second from the guest and to it; 0 where none is given. */
    static long[] rates(final String text)
    {
        final long[] rates = new long[2];
        for (final String word : text.split(",", -1))
        {
            final String which = first(word);
            final int at = "guest".equals(which) ? 0 : "host".equals(which) ? 1 : -1;
            if (at < 0 || null == second(word) || RateLimit.NONE != rates[at])
            {
                throw new ConfigException("--rate=" + text, "not guest:BITS or host:BITS, each once",
                    "give for example guest:100M,host:1G");
            }
            rates[at] = bits("--rate", second(word));
        }
        return rates;
    }

    /** Bits a second, with K, M, G or T behind the number or without. */
    static long bits(final String option, final String text)
    {
        final int unit = text.isEmpty() ? -1 : "KMGT".indexOf(text.charAt(text.length() - 1));
        final String number = unit < 0 ? text : text.substring(0, text.length() - 1);
        double bits = number.matches("[0-9]{1,13}(\\.[0-9]{1,6})?") ? Double.parseDouble(number) : -1;
        for (int i = 0; i <= unit; i++)
        {
            bits *= 1000;
        }
        if (bits < RateLimit.MIN_BITS || bits > RateLimit.MAX_BITS)
        {
            throw new ConfigException(option + "=" + text, "not 1M to 1000G bits a second", "give for example 100M");
        }
        return (long)bits;
    }

    /** Where to listen: a port, with or without a host before it. */
    static String endpoint(final String option, final String text)
    {
        if (null == MetricsAddress.of(text))
        {
            throw new ConfigException(option + "=" + text, "not HOST:PORT with a port from 0 to 65535",
                "give for example 127.0.0.1:9431");
        }
        return text;
    }

    private static boolean isNumber(final String text)
    {
        boolean digits = !text.isEmpty() && text.length() <= 10;
        for (int i = 0; i < text.length(); i++)
        {
            digits &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        return digits;
    }

    private static boolean isHexByte(final String text)
    {
        boolean hex = !text.isEmpty() && text.length() <= 2;
        for (int i = 0; i < text.length(); i++)
        {
            hex &= Character.digit(text.charAt(i), 16) >= 0 && text.charAt(i) < 128;
        }
        return hex;
    }
}
