package io.ringtap.xdp.trial;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes Ethernet frames to a capture file in the classic form, with nanoseconds. */
public final class CaptureWriter implements AutoCloseable
{
    private static final int ETHERNET = 1;

    private final OutputStream out;
    private final String name;

    /** @throws CaptureException when the file cannot be written. */
    public CaptureWriter(final Path file)
    {
        name = file.toString();
        try
        {
            out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
            out.write(little(PcapReader.HEADER_LENGTH).putInt(PcapReader.MAGIC_NANOSECONDS).putShort((short)2)
                .putShort((short)4).putLong(0).putInt(CaptureReader.MAX_FRAME).putInt(ETHERNET).array());
        }
        catch (final IOException failure)
        {
            throw complaint(failure);
        }
    }

    /** Appends a frame. */
    public void write(final CapturedFrame frame)
    {
        try
        {
            out.write(little(PcapReader.FRAME_HEADER_LENGTH).putInt((int)(frame.timeNs() / 1_000_000_000))
                .putInt((int)(frame.timeNs() % 1_000_000_000)).putInt(frame.bytes().length)
                .putInt(frame.originalLength()).array());
            out.write(frame.bytes());
        }
        catch (final IOException failure)
        {
            throw complaint(failure);
        }
    }

    @Override
    public void close()
    {
        try
        {
            out.close();
        }
        catch (final IOException failure)
        {
            throw complaint(failure);
        }
    }

    private CaptureException complaint(final IOException failure)
    {
        return new CaptureException(name + ": cannot be written: " + failure.getMessage());
    }

    private static ByteBuffer little(final int length)
    {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
