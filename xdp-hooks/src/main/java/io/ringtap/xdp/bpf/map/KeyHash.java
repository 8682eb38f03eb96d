package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

/** Mixing of keys: products of 128 bits folded to 64, which two seeds that nobody knows make hard to aim at. */
final class KeyHash
{
    private KeyHash()
    {
    }

    /** Both halves of a product. */
    static long fold(final long a, final long b)
    {
        return a * b ^ Math.multiplyHigh(a, b);
    }

    /** The half of a hash that counts. */
    static int last(final long hash)
    {
        return (int)(hash ^ hash >>> 32);
    }

    /** 3, 5 or 7 bytes as a number. */
    static long odd(final UnsafeBuffer key, final int at, final int length)
    {
        long number = 0;
        for (int i = length - 1; i >= 0; i--)
        {
            number = number << 8 | key.getByte(at + i) & 0xffL;
        }
        return number;
    }
}
