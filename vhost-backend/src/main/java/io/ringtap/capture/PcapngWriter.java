package io.ringtap.capture;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Writes the blocks of a pcapng file (draft-ietf-opsawg-pcapng) around those of frames ({@link PacketBlockLayout}):
 * section header, one interface, statistics at the end.
 */
final class PcapngWriter
{
    static final int SECTION_HEADER = 0x0a0d_0d0a;

    private static final int INTERFACE_DESCRIPTION = 1;
    private static final int INTERFACE_STATISTICS = 5;
    private static final int BYTE_ORDER_MAGIC = 0x1a2b_3c4d;
    private static final int VERSION = 1;
    private static final long UNKNOWN_LENGTH = -1;
    private static final int LINKTYPE_ETHERNET = 1;
    private static final int NANOSECONDS = 9;
    private static final int HEADER = 8;

    /** Codes of options. */
    private static final int END_OF_OPTIONS = 0;
    private static final int COMMENT = 1;
    private static final int USER_APPLICATION = 4;
    private static final int IF_NAME = 2;
    private static final int IF_DESCRIPTION = 3;
    private static final int IF_TIME_RESOLUTION = 9;
    private static final int STATS_START = 2;
    private static final int STATS_END = 3;
    private static final int STATS_RECEIVED = 4;
    private static final int STATS_DROPPED = 5;

    private final CaptureFile file;

    PcapngWriter(final CaptureFile file)
    {
        this.file = file;
    }

    /** First block of a file. */
    void section(final String application, final String comment)
    {
        final ByteBuffer body = body();
        body.putInt(BYTE_ORDER_MAGIC).putShort((short)VERSION).putShort((short)0).putLong(UNKNOWN_LENGTH);
        text(body, COMMENT, comment);
        text(body, USER_APPLICATION, application);
        block(SECTION_HEADER, body);
    }

    /** Describes interface 0. */
    void port(final String name, final String description, final int snapLength)
    {
        final ByteBuffer body = body();
        body.putShort((short)LINKTYPE_ETHERNET).putShort((short)0).putInt(snapLength);
        text(body, IF_NAME, name);
        text(body, IF_DESCRIPTION, description);
        body.putShort((short)IF_TIME_RESOLUTION).putShort((short)1).put((byte)NANOSECONDS);
        pad(body);
        block(INTERFACE_DESCRIPTION, body);
    }

    /**
     * Last block of a file.
     *
     * @param received frames that were to be recorded since the capture began.
     * @param missed   how many of them were not.
     */
    void statistics(final long startNs, final long endNs, final long received, final long missed)
    {
        final ByteBuffer body = body();
        body.putInt(0);
        time(body, endNs);
        time(option(body, STATS_START), startNs);
        time(option(body, STATS_END), endNs);
        option(body, STATS_RECEIVED).putLong(received);
        option(body, STATS_DROPPED).putLong(missed);
        block(INTERFACE_STATISTICS, body);
    }

    private static ByteBuffer body()
    {
        return ByteBuffer.allocate(CaptureFile.MAX_BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer option(final ByteBuffer body, final int code)
    {
        return body.putShort((short)code).putShort((short)Long.BYTES);
    }

    private static void time(final ByteBuffer body, final long ns)
    {
        body.putInt((int)(ns >>> 32)).putInt((int)ns);
    }

    private static void text(final ByteBuffer body, final int code, final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        body.putShort((short)code).putShort((short)bytes.length).put(bytes);
        pad(body);
    }

    private static void pad(final ByteBuffer body)
    {
        while ((body.position() & 3) != 0)
        {
            body.put((byte)0);
        }
    }

    private void block(final int type, final ByteBuffer body)
    {
        body.putInt(END_OF_OPTIONS);
        final byte[] bytes = new byte[body.position()];
        body.flip().get(bytes);
        final long at = file.begin(type, HEADER + bytes.length + Integer.BYTES);
        file.putBytes(at + HEADER, bytes);
    }
}
