package io.ringtap.it.rig;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads and writes the classic capture file: what tcpdump writes and tcpreplay sends. */
public final class Pcap
{
    private static final int MAGIC = 0xa1b2c3d4;
    private static final int MAGIC_NANOSECONDS = 0xa1b23c4d;
    private static final int FILE_HEADER_LENGTH = 24;
    private static final int RECORD_HEADER_LENGTH = 16;
    private static final int SNAPSHOT_LENGTH = 262_144;
    private static final int ETHERNET = 1;

    private Pcap()
    {
    }

    public static byte[] bytes(final List<byte[]> frames)
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final ByteBuffer head = ByteBuffer.allocate(FILE_HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        head.putInt(MAGIC).putShort((short)2).putShort((short)4).putInt(0).putInt(0).putInt(SNAPSHOT_LENGTH)
            .putInt(ETHERNET);
        out.writeBytes(head.array());
        int number = 0;
        for (final byte[] frame : frames)
        {
            final ByteBuffer record = ByteBuffer.allocate(RECORD_HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
            record.putInt(1).putInt(number++).putInt(frame.length).putInt(frame.length);
            out.writeBytes(record.array());
            out.writeBytes(frame);
        }
        return out.toByteArray();
    }

    public static List<byte[]> frames(final Path file)
    {
        final ByteBuffer content;
        try
        {
            content = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        final List<byte[]> frames = new ArrayList<>();
        if (content.remaining() < FILE_HEADER_LENGTH)
        {
            return frames;
        }
        final int magic = content.getInt(0);
        if (MAGIC != magic && MAGIC_NANOSECONDS != magic)
        {
            throw new RigException("no capture file of this machine's byte order: " + file);
        }
        content.position(FILE_HEADER_LENGTH);
        while (content.remaining() >= RECORD_HEADER_LENGTH)
        {
            final int captured = content.getInt(content.position() + 8);
            if (content.remaining() < RECORD_HEADER_LENGTH + captured)
            {
                break;
            }
            content.position(content.position() + RECORD_HEADER_LENGTH);
            final byte[] frame = new byte[captured];
            content.get(frame);
            frames.add(frame);
        }
        return frames;
    }
}
