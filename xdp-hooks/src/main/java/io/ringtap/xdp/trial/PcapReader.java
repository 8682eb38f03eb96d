package io.ringtap.xdp.trial;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads the classic form.
 * <pre>
 * file, 24 bytes: 0 magic   4 version   16 longest frame   20 link type
 * frame, 16:      0 seconds 4 fraction   8 bytes here      12 bytes that there were
 * </pre>
 */
final class PcapReader extends CaptureReader
{
    static final int MAGIC = 0xa1b2_c3d4;
    static final int MAGIC_NANOSECONDS = 0xa1b2_3c4d;
    static final int HEADER_LENGTH = 24;
    static final int FRAME_HEADER_LENGTH = 16;
    private static final int LINK_TYPE_MASK = 0xffff;

    private final int tickNs;

    private PcapReader(final CaptureBytes bytes, final InputStream in, final boolean hasNanoseconds)
    {
        super(bytes, in);
        tickNs = hasNanoseconds ? 1 : 1000;
        // The upper half may tell of checksums behind the frames; nobody writes those for Ethernet.
        requireEthernet(bytes.need(HEADER_LENGTH - 4).getInt(16) & LINK_TYPE_MASK);
    }

    /** A reader, when the first bytes of the file say so; else null. */
    static CaptureReader of(final ByteBuffer magic, final CaptureBytes bytes, final InputStream in)
    {
        for (final ByteOrder order : new ByteOrder[]{ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN})
        {
            final int number = magic.order(order).getInt(0);
            if (MAGIC == number || MAGIC_NANOSECONDS == number)
            {
                bytes.order(order);
                return new PcapReader(bytes, in, MAGIC_NANOSECONDS == number);
            }
        }
        return null;
    }

    @Override
    public CapturedFrame next()
    {
        final ByteBuffer header = bytes().next(FRAME_HEADER_LENGTH);
        if (null == header)
        {
            return null;
        }
        final long timeNs = (header.getInt(0) & 0xffff_ffffL) * 1_000_000_000 +
            (header.getInt(4) & 0xffff_ffffL) * tickNs;
        final int captured = length(header.getInt(8));
        final int original = length(header.getInt(12));
        return new CapturedFrame(timeNs, 0 == captured ? new byte[0] : bytes().need(captured).array(), original);
    }
}
