package io.ringtap.flow;

import io.ringtap.sys.IoVectors;
import io.ringtap.sys.Memory;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The Internet checksum (RFC 1071), eight bytes at a time.
 * <p>
 * A ones-complement sum does not care for byte order as long as one is kept to: everything here sums little-endian
 * words and stores the result little-endian, so no byte is ever swapped (RFC 1071, 2 B). A sum is a {@code long} that
 * is folded once, at the end.
 */
public final class Checksum
{
    /** What the folded sum over data and its own checksum is when the data is sound. */
    public static final int SOUND = 0xFFFF;

    private static final long LOW = 0xFFFFFFFFL;

    private Checksum()
    {
    }

    /**
     * The unfolded sum of {@code length} bytes, at most 64 KiB; a last odd byte is padded with zero.
     * <p>
     * Of each word the whole and the upper half are added up: the sum of the lower halves is what remains of the first
     * when the second is taken off, even if the first has overflowed. One operation a word less than masking.
     */
    public static long sum(final DirectBuffer buffer, final int offset, final int length)
    {
        long words = 0;
        long uppers = 0;
        int i = offset;
        for (final int limit = offset + length - 32; i <= limit; i += 32)
        {
            final long a = buffer.getLong(i, LITTLE_ENDIAN);
            final long b = buffer.getLong(i + 8, LITTLE_ENDIAN);
            final long c = buffer.getLong(i + 16, LITTLE_ENDIAN);
            final long d = buffer.getLong(i + 24, LITTLE_ENDIAN);
            words += a + b + (c + d);
            uppers += (a >>> 32) + (b >>> 32) + ((c >>> 32) + (d >>> 32));
        }
        if ((length & 16) != 0)
        {
            final long a = buffer.getLong(i, LITTLE_ENDIAN);
            final long b = buffer.getLong(i + 8, LITTLE_ENDIAN);
            words += a + b;
            uppers += (a >>> 32) + (b >>> 32);
            i += 16;
        }
        if ((length & 8) != 0)
        {
            final long a = buffer.getLong(i, LITTLE_ENDIAN);
            words += a;
            uppers += a >>> 32;
            i += 8;
        }
        final int rest = length & 7;
        if (rest != 0)
        {
            // The last bytes once more, as the top of a word that ends with them: no byte is read behind the end.
            final long a = length < Long.BYTES ? tail(buffer, i, rest) :
                buffer.getLong(i + rest - Long.BYTES, LITTLE_ENDIAN) >>> ((Long.BYTES - rest) << 3);
            words += a;
            uppers += a >>> 32;
        }
        return words - (uppers << 32) + uppers;
    }

    /** The last 1 to 7 bytes as one word, the missing ones zero. */
    private static long tail(final DirectBuffer buffer, final int offset, final int length)
    {
        long word = 0;
        for (int i = length - 1; i >= 0; i--)
        {
            word = word << 8 | buffer.getByte(offset + i) & 0xFF;
        }
        return word;
    }

    /** The sum of bytes at an address that came from an {@link IoVectors} entry. */
    private static long sum(final long hostAddress, final int length)
    {
        long sum = 0;
        long at = hostAddress;
        final long end = hostAddress + length;
        for (; at + Long.BYTES <= end; at += Long.BYTES)
        {
            final long a = Memory.getLong(at);
            sum += (a & LOW) + (a >>> 32);
        }
        for (int shift = 0; at < end; at++, shift ^= 8)
        {
            sum += (long)(Memory.getByte(at) & 0xFF) << shift;
        }
        return sum;
    }

    /** The sum of vectors that follow each other in a frame; the first begins at an even or odd place of the sum. */
    public static long sum(final IoVectors vectors, final int first, final int count, final boolean beginsOdd)
    {
        long sum = 0;
        boolean odd = beginsOdd;
        for (int i = first; i < first + count; i++)
        {
            final long part = sum(vectors.base(i), vectors.length(i));
            sum += odd ? swap(fold(part)) : part;
            odd ^= (vectors.length(i) & 1) != 0;
        }
        return sum;
    }

    /** The 16-bit ones-complement sum: 0 only when everything summed was 0. */
    public static int fold(final long sum)
    {
        long s = (sum & LOW) + (sum >>> 32);
        s = (s & 0xFFFF) + (s >>> 16);
        s = (s & 0xFFFF) + (s >>> 16);
        return (int)((s & 0xFFFF) + (s >>> 16));
    }

    /** A 16-bit value of the host as the word that a little-endian sum has for it. */
    public static int swap(final int value)
    {
        return Short.reverseBytes((short)value) & 0xFFFF;
    }

    /** The unfolded sum of the pseudo header (RFC 9293, 3.1); {@code transportLength} is that of header and payload. */
    public static long pseudoV4(
        final DirectBuffer buffer, final int ipHeader, final int protocol, final int transportLength)
    {
        final long addresses = buffer.getLong(ipHeader + 12, LITTLE_ENDIAN);
        return (addresses & LOW) + (addresses >>> 32) + (protocol << 8) + swap(transportLength);
    }

    /** The unfolded sum of the pseudo header (RFC 8200, 8.1) for a packet without routing header. */
    public static long pseudoV6(
        final DirectBuffer buffer, final int ipHeader, final int protocol, final int transportLength)
    {
        return sum(buffer, ipHeader + 8, 32) + (protocol << 8) + swap(transportLength);
    }

    /** Whether a transport segment that lies in one piece carries a sound checksum. */
    public static boolean isSound(
        final DirectBuffer buffer, final int transport, final int transportLength, final long pseudoSum)
    {
        return SOUND == fold(pseudoSum + sum(buffer, transport, transportLength));
    }

    /** Writes the header checksum of an IPv4 header. */
    public static void header(final MutableDirectBuffer buffer, final int ipHeader, final int headerLength)
    {
        buffer.putShort(ipHeader + 10, (short)0, LITTLE_ENDIAN);
        buffer.putShort(ipHeader + 10, (short)~fold(sum(buffer, ipHeader, headerLength)), LITTLE_ENDIAN);
    }

    /**
     * Completes a checksum in place, as the kernel's skb_checksum_help does: the field holds the pseudo header's sum,
     * and a result of zero is written as 0xFFFF, since zero means "none" to UDP.
     *
     * @param start  where the summed bytes begin.
     * @param length how many there are, the field included.
     * @param field  offset of the checksum.
     */
    public static void complete(
        final MutableDirectBuffer buffer, final int start, final int length, final int field)
    {
        store(buffer, field, sum(buffer, start, length));
    }

    /**
     * Completes the checksum of a NEEDS_CSUM frame of a batch and clears its net header; other frames are left alone.
     *
     * @return false when the frame cannot be completed: the checksum does not lie in the linear part.
     */
    public static boolean complete(final FrameBatch batch, final int frame)
    {
        final MutableDirectBuffer arena = batch.arena();
        final int header = batch.netHeader(frame);
        if (!VnetHeader.needsChecksum(arena, header))
        {
            return true;
        }
        final int start = VnetHeader.checksumStart(arena, header);
        final int linear = batch.linearLength(frame);
        final int field = start + VnetHeader.checksumOffset(arena, header);
        if (field + 2 > linear || VnetHeader.GSO_NONE != VnetHeader.gsoType(arena, header))
        {
            return false;
        }
        final int offset = batch.offset(frame);
        long sum = sum(arena, offset + start, linear - start);
        if (batch.segments(frame) > 0)
        {
            sum += sum(batch.vectors(), batch.run(frame) + 1, batch.segments(frame), ((linear - start) & 1) != 0);
        }
        store(arena, offset + field, sum);
        VnetHeader.clear(arena, header);
        return true;
    }

    private static void store(final MutableDirectBuffer buffer, final int field, final long sum)
    {
        final int checksum = ~fold(sum) & 0xFFFF;
        buffer.putShort(field, (short)(0 == checksum ? 0xFFFF : checksum), LITTLE_ENDIAN);
    }
}
