package io.ringtap.frontend;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;

/**
 * What the generator puts into each datagram so that a sink sees loss, duplicates, reordering and changed bytes. All
 * little endian; no alignment.
 * <pre>
 *  0          4          8      10              18
 *  | "RtP1"   | hash     | flow | sequence      | pattern ...
 * </pre>
 * The hash covers addresses, ports, the payload's length and the payload from offset 8 on: all that a network must
 * leave alone, and nothing that it may change (MACs, TTL, identification, checksums). It is a polynomial in an odd
 * constant modulo 2^64, so the generator adds what differs from its template instead of reading the frame again.
 */
final class TestPayload
{
    /** "RtP1" in little endian. */
    static final int MAGIC = 0x31507452;
    static final int MAGIC_OFFSET = 0;
    static final int HASH_OFFSET = 4;
    static final int FLOW_OFFSET = 8;
    static final int SEQUENCE_OFFSET = 10;
    static final int LENGTH = 18;

    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;
    private static final long FACTOR_2 = FACTOR * FACTOR;
    private static final long FACTOR_3 = FACTOR_2 * FACTOR;
    private static final long FACTOR_4 = FACTOR_3 * FACTOR;
    private static final long FINISH = 0xFF51_AFD7_ED55_8CCDL;

    private TestPayload()
    {
    }

    /** The polynomial before {@link #finish}, over the given addresses (8 or 32 bytes), ports and payload. */
    static long polynomial(
        final DirectBuffer buffer,
        final int addresses,
        final int addressesLength,
        final int ports,
        final int payload,
        final int length)
    {
        long hash = 0;
        for (int i = 0; i < addressesLength; i += 8)
        {
            hash = hash * FACTOR + buffer.getLong(addresses + i, ByteOrder.LITTLE_ENDIAN);
        }
        hash = hash * FACTOR + (buffer.getInt(ports, ByteOrder.LITTLE_ENDIAN) & 0xFFFF_FFFFL | (long)length << 32);
        int at = payload + FLOW_OFFSET;
        final int end = payload + length;
        for (; end - at >= 32; at += 32)
        {
            // The same polynomial, with one long multiplication in four on the critical path.
            hash = hash * FACTOR_4 +
                (buffer.getLong(at, ByteOrder.LITTLE_ENDIAN) * FACTOR_3 +
                buffer.getLong(at + 8, ByteOrder.LITTLE_ENDIAN) * FACTOR_2 +
                buffer.getLong(at + 16, ByteOrder.LITTLE_ENDIAN) * FACTOR +
                buffer.getLong(at + 24, ByteOrder.LITTLE_ENDIAN));
        }
        for (; end - at >= 8; at += 8)
        {
            hash = hash * FACTOR + buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
        }
        if (end > at)
        {
            long tail = 0;
            for (int i = end - 1; i >= at; i--)
            {
                tail = tail << 8 | buffer.getByte(i) & 0xFF;
            }
            hash = hash * FACTOR + tail;
        }
        return hash;
    }

    /** How many words of the payload the polynomial takes in. */
    static int wordsOf(final int length)
    {
        return (length - FLOW_OFFSET + 7) >>> 3;
    }

    /** What one more in the word that {@code following} words come after adds to the polynomial. */
    static long weight(final int following)
    {
        long weight = 1;
        for (int i = 0; i < following; i++)
        {
            weight *= FACTOR;
        }
        return weight;
    }

    /** The 32 bits that stand in the payload. */
    static int finish(final long polynomial)
    {
        final long mixed = (polynomial ^ polynomial >>> 32) * FINISH;
        return (int)(mixed >>> 32);
    }

    /** Fills the pattern of a template's payload; the fields are written for each frame. */
    static void pattern(final MutableDirectBuffer buffer, final int payload, final int length)
    {
        buffer.putInt(payload + MAGIC_OFFSET, MAGIC, ByteOrder.LITTLE_ENDIAN);
        for (int i = LENGTH; i < length; i++)
        {
            buffer.putByte(payload + i, (byte)(i * 31 + 17));
        }
    }
}
