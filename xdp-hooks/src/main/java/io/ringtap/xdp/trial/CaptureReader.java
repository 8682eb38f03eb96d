package io.ringtap.xdp.trial;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads Ethernet frames from a capture file: the classic form in either byte order, with micro- or nanoseconds, and
 * pcapng.
 */
public abstract class CaptureReader implements AutoCloseable
{
    /** Bytes of one frame: what tcpdump captures at most. */
    public static final int MAX_FRAME = 262_144;

    private static final int ETHERNET = 1;
    private static final int PCAPNG = 0x0a0d_0d0a;

    private final CaptureBytes bytes;
    private final InputStream in;

    CaptureReader(final CaptureBytes bytes, final InputStream in)
    {
        this.bytes = bytes;
        this.in = in;
    }

    /**
     * Opens a file; its first bytes say what it is.
     *
     * @throws CaptureException when it is no capture file.
     */
    public static CaptureReader open(final Path file)
    {
        try
        {
            final InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
            try
            {
                return open(in, file.toString());
            }
            catch (final CaptureException failure)
            {
                in.close();
                throw failure;
            }
        }
        catch (final IOException failure)
        {
            throw new CaptureException(file + ": cannot be read: " + failure.getMessage());
        }
    }

    static CaptureReader open(final InputStream in, final String name)
    {
        final CaptureBytes bytes = new CaptureBytes(in, name);
        final ByteBuffer magic = bytes.next(4);
        if (null != magic && PCAPNG == magic.getInt(0))
        {
            return new PcapngReader(bytes, in);
        }
        final CaptureReader classic = null == magic ? null : PcapReader.of(magic, bytes, in);
        if (null == classic)
        {
            throw bytes.complaint("no capture file; write one with tcpdump -w FILE");
        }
        return classic;
    }

    /**
     * The next frame; null at the end.
     *
     * @throws CaptureException when the file is damaged, or holds something else than Ethernet frames.
     */
    public abstract CapturedFrame next();

    @Override
    public final void close()
    {
        try
        {
            in.close();
        }
        catch (final IOException failure)
        {
            throw bytes.complaint("cannot be closed: " + failure.getMessage());
        }
    }

    final CaptureBytes bytes()
    {
        return bytes;
    }

    final void requireEthernet(final int linkType)
    {
        if (ETHERNET != linkType)
        {
            throw bytes.complaint("frames of link type " + linkType + ", must be Ethernet (" + ETHERNET + ")");
        }
    }

    /** A length that the file tells. */
    final int length(final long told)
    {
        if (told < 0 || told > MAX_FRAME)
        {
            throw bytes.complaint("a frame of " + (told & 0xffff_ffffL) + " bytes, must be " + MAX_FRAME +
                " at most; the file is damaged");
        }
        return (int)told;
    }

    static ByteOrder other(final ByteOrder order)
    {
        return ByteOrder.LITTLE_ENDIAN == order ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }
}
