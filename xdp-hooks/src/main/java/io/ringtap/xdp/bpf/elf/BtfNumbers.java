package io.ringtap.xdp.bpf.elf;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/** Numbers and addresses as people type them, and what the names of types say about their bytes. */
final class BtfNumbers
{
    private static final int IPV4_BYTES = 4;
    private static final int MAC_BYTES = 6;
    private static final int IPV6_BYTES = 16;

    private BtfNumbers()
    {
    }

    static boolean isNumber(final int size)
    {
        return 1 == size || 2 == size || 4 == size || 8 == size;
    }

    /** Whether one of the names that the type goes by says so: __be16, __be32, __be64. */
    static boolean isBigEndian(final Btf btf, final int type)
    {
        int at = type;
        for (int depth = 0; depth < ObjectLimits.TYPE_DEPTH && btf.kind(at).isModifier(); depth++)
        {
            final String name = btf.name(at);
            if ("__be16".equals(name) || "__be32".equals(name) || "__be64".equals(name))
            {
                return true;
            }
            at = btf.target(at);
        }
        return false;
    }

    /**
     * A number in so many bytes, lowest first: signed or unsigned, decimal or hexadecimal.
     *
     * @throws ObjectException when it is none, or does not fit.
     */
    static byte[] parse(final String text, final int size)
    {
        final BigInteger value = number(text);
        final BigInteger range = BigInteger.ONE.shiftLeft(8 * size);
        if (null == value || value.compareTo(range) >= 0 || value.compareTo(range.shiftRight(1).negate()) < 0)
        {
            throw new ObjectException(text + " is no number of " + 8 * size + " bits");
        }
        final byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++)
        {
            bytes[i] = value.shiftRight(8 * i).byteValue();
        }
        return bytes;
    }

    private static BigInteger number(final String text)
    {
        final boolean isNegative = text.startsWith("-");
        final String bare = isNegative ? text.substring(1) : text;
        final boolean isHex = bare.toLowerCase(Locale.ROOT).startsWith("0x");
        final String digits = isHex ? bare.substring(2) : bare;
        if (!digits.matches(isHex ? "[0-9a-fA-F]{1,32}" : "[0-9]{1,40}"))
        {
            return null;
        }
        final BigInteger value = new BigInteger(digits, isHex ? 16 : 10);
        return isNegative ? value.negate() : value;
    }

    /** Bytes of an IPv4, IPv6 or MAC address; null when the text is none, or one of another length. */
    static byte[] address(final String text, final int size)
    {
        if (IPV4_BYTES == size && text.matches("\\d{1,3}(\\.\\d{1,3}){3}"))
        {
            return parts(text.split("\\."), 10);
        }
        if (MAC_BYTES == size && text.matches("[0-9a-fA-F]{1,2}(:[0-9a-fA-F]{1,2}){5}"))
        {
            return parts(text.split(":"), 16);
        }
        if (IPV6_BYTES == size && text.indexOf(':') >= 0 && text.matches("[0-9a-fA-F:.]{2,45}"))
        {
            try
            {
                // With a colon it is never looked up. An IPv4 address in disguise comes back with four bytes.
                final byte[] bytes = InetAddress.getByName(text).getAddress();
                return IPV6_BYTES == bytes.length ? bytes : mapped(bytes);
            }
            catch (final UnknownHostException noAddress)
            {
                return null;
            }
        }
        return null;
    }

    private static byte[] mapped(final byte[] ipv4)
    {
        final byte[] bytes = new byte[IPV6_BYTES];
        bytes[10] = -1;
        bytes[11] = -1;
        System.arraycopy(ipv4, 0, bytes, IPV6_BYTES - IPV4_BYTES, IPV4_BYTES);
        return bytes;
    }

    private static byte[] parts(final String[] words, final int radix)
    {
        final byte[] bytes = new byte[words.length];
        for (int i = 0; i < words.length; i++)
        {
            final int value = Integer.parseInt(words[i], radix);
            if (value > 0xff)
            {
                return null;
            }
            bytes[i] = (byte)value;
        }
        return bytes;
    }

    /**
     * Bytes in hex: {@code hex:0a000001}, or at least two of them apart by blanks or colons.
     *
     * @return null when the text is something else.
     */
    static byte[] hex(final String text)
    {
        final boolean isMarked = text.startsWith("hex:");
        final String bare = isMarked ? text.substring(4).replaceAll("[\\s:]", "") : text.replaceAll("\\s+", "");
        final boolean isApart = text.matches("[0-9a-fA-F]{2}(\\s+[0-9a-fA-F]{2})+");
        if (!isMarked && !isApart || !bare.matches("([0-9a-fA-F]{2})*"))
        {
            return null;
        }
        final byte[] bytes = new byte[bare.length() / 2];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = (byte)Integer.parseInt(bare.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }
}
