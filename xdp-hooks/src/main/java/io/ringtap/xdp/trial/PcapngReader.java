package io.ringtap.xdp.trial;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads pcapng: blocks of sections, interfaces and frames; all others are passed over.
 * <pre>
 * block:     0 type   4 length of all   8 body ...   length of all once more
 * section    8 byte order   12 version   16 length of the section
 * interface  8 link type    12 longest frame   16 options
 * enhanced   8 interface    12 time, upper and lower half   20 bytes here   24 bytes there were   28 frame
 * simple     8 bytes there were   12 frame
 * </pre>
 */
final class PcapngReader extends CaptureReader
{
    private static final int SECTION = 0x0a0d_0d0a;
    private static final int INTERFACE = 1;
    private static final int SIMPLE = 3;
    private static final int ENHANCED = 6;
    private static final int BYTE_ORDER = 0x1a2b_3c4d;
    private static final int OVERHEAD = 12;
    private static final int MAX_BLOCK = 16 << 20;
    private static final int MAX_INTERFACES = 4096;
    private static final int OPTION_RESOLUTION = 9;
    private static final int USUAL_RESOLUTION = 6;

    private final List<Capturing> interfaces = new ArrayList<>();

    /** @param resolution of its times: a negative power of 10, or of 2 when the top bit is set. */
    private record Capturing(int linkType, long snapLength, int resolution)
    {
    }

    PcapngReader(final CaptureBytes bytes, final InputStream in)
    {
        super(bytes, in);
        // The type was read to know what the file is.
        section();
    }

    @Override
    public CapturedFrame next()
    {
        while (true)
        {
            final ByteBuffer type = bytes().next(4);
            if (null == type)
            {
                return null;
            }
            if (SECTION == type.getInt(0))
            {
                section();
                continue;
            }
            final ByteBuffer body = body(bytes().need(4).getInt(0));
            final CapturedFrame frame = switch (type.getInt(0))
            {
                case ENHANCED -> enhanced(body);
                case SIMPLE -> simple(body);
                default -> null;
            };
            if (INTERFACE == type.getInt(0))
            {
                add(body);
            }
            if (null != frame)
            {
                return frame;
            }
        }
    }

    /** A section may have another byte order than the one before. */
    private void section()
    {
        final ByteBuffer head = bytes().need(8);
        if (BYTE_ORDER != head.getInt(4))
        {
            bytes().order(other(bytes().order()));
            head.order(bytes().order());
        }
        if (BYTE_ORDER != head.getInt(4))
        {
            throw bytes().complaint("a section of no known byte order; the file is damaged");
        }
        interfaces.clear();
        final int length = blockLength(head.getInt(0));
        // Byte order was read already.
        if (length < OVERHEAD + 4)
        {
            throw bytes().complaint("a section of " + length + " bytes; the file is damaged");
        }
        checkEnd(bytes().need(length - OVERHEAD), length);
    }

    private ByteBuffer body(final int told)
    {
        final int length = blockLength(told);
        final ByteBuffer body = bytes().need(length - 8);
        checkEnd(body, length);
        return body.limit(body.limit() - 4);
    }

    private int blockLength(final int told)
    {
        if (told < OVERHEAD || told > MAX_BLOCK || told % 4 != 0)
        {
            throw bytes().complaint("a block of " + (told & 0xffff_ffffL) + " bytes, must be " + OVERHEAD + " to " +
                MAX_BLOCK + "; the file is damaged");
        }
        return told;
    }

    private void checkEnd(final ByteBuffer rest, final int length)
    {
        final int again = rest.getInt(rest.limit() - 4);
        if (again != length)
        {
            throw bytes().complaint("a block of " + length + " bytes that ends as one of " + again +
                "; the file is damaged");
        }
    }

    private void add(final ByteBuffer body)
    {
        need(body, 8);
        if (interfaces.size() == MAX_INTERFACES)
        {
            throw bytes().complaint("more than " + MAX_INTERFACES + " interfaces");
        }
        int resolution = USUAL_RESOLUTION;
        int at = 8;
        while (at + 4 <= body.limit())
        {
            final int code = body.getShort(at) & 0xffff;
            final int length = body.getShort(at + 2) & 0xffff;
            if (0 == code)
            {
                break;
            }
            if (OPTION_RESOLUTION == code && length >= 1 && at + 4 < body.limit())
            {
                resolution = body.get(at + 4) & 0xff;
            }
            at += 4 + (length + 3 & ~3);
        }
        interfaces.add(new Capturing(body.getShort(0) & 0xffff, body.getInt(4) & 0xffff_ffffL, resolution));
    }

    private CapturedFrame enhanced(final ByteBuffer body)
    {
        need(body, 20);
        final Capturing capturing = at(body.getInt(0));
        final long ticks = (long)body.getInt(4) << 32 | body.getInt(8) & 0xffff_ffffL;
        final int captured = length(body.getInt(12));
        final int original = length(body.getInt(16));
        need(body, 20 + captured);
        return new CapturedFrame(nanoseconds(ticks, capturing.resolution), copy(body, 20, captured), original);
    }

    private CapturedFrame simple(final ByteBuffer body)
    {
        need(body, 4);
        final Capturing capturing = at(0);
        final int original = length(body.getInt(0));
        final long snap = 0 == capturing.snapLength ? original : Math.min(original, capturing.snapLength);
        need(body, 4 + (int)snap);
        return new CapturedFrame(0, copy(body, 4, (int)snap), original);
    }

    private Capturing at(final int index)
    {
        if (index < 0 || index >= interfaces.size())
        {
            throw bytes().complaint("a frame of interface " + (index & 0xffff_ffffL) + ", there are " +
                interfaces.size() + "; the file is damaged");
        }
        requireEthernet(interfaces.get(index).linkType);
        return interfaces.get(index);
    }

    private void need(final ByteBuffer body, final int length)
    {
        if (body.limit() < length)
        {
            throw bytes().complaint("a block of " + body.limit() + " bytes where " + length +
                " must be; the file is damaged");
        }
    }

    private static byte[] copy(final ByteBuffer body, final int from, final int length)
    {
        final byte[] copy = new byte[length];
        body.get(from, copy);
        return copy;
    }

    private static long nanoseconds(final long ticks, final int resolution)
    {
        final double perSecond = (resolution & 0x80) != 0 ?
            Math.pow(2, resolution & 0x7f) : Math.pow(10, resolution);
        // Whole seconds apart, so that a double need not hold all digits of today's time.
        final long whole = (long)Math.min(perSecond, Long.MAX_VALUE);
        return Long.divideUnsigned(ticks, whole) * 1_000_000_000 +
            (long)(Long.remainderUnsigned(ticks, whole) * (1e9 / perSecond));
    }
}
