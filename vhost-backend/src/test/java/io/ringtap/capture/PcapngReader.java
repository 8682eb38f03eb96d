package io.ringtap.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Reads a pcapng file strictly by the format's document: whatever does not add up fails the test. */
final class PcapngReader
{
    private static final int SECTION = 0x0a0d_0d0a;

    final List<Packet> packets = new ArrayList<>();
    final Map<Integer, byte[]> statistics = new HashMap<>();
    String interfaceName;
    int snapLength;
    int fillers;

    /** One enhanced packet block. */
    record Packet(long timeNs, int length, byte[] bytes, int direction, int queue, int verdict)
    {
    }

    static PcapngReader read(final Path path) throws IOException
    {
        final ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
        final PcapngReader reader = new PcapngReader();
        while (file.hasRemaining())
        {
            final int at = file.position();
            final int type = file.getInt();
            final int length = file.getInt();
            assertEquals(0, length & 3, "length of the block at " + at);
            assertTrue(length >= 12 && length <= file.capacity() - at, "length " + length + " of the block at " + at);
            assertEquals(length, file.getInt(at + length - 4), "trailing length of the block at " + at);
            final ByteBuffer body = file.slice(at + 8, length - 12).order(ByteOrder.LITTLE_ENDIAN);
            reader.block(type, body, at == 0);
            file.position(at + length);
        }
        return reader;
    }

    private void block(final int type, final ByteBuffer body, final boolean isFirst)
    {
        assertEquals(isFirst, type == SECTION);
        switch (type)
        {
            case SECTION ->
            {
                assertEquals(0x1a2b3c4d, body.getInt());
                assertEquals(1, body.getShort());
            }
            case 1 ->
            {
                assertEquals(1, body.getInt());
                snapLength = body.getInt();
                final Map<Integer, byte[]> options = options(body);
                interfaceName = new String(options.get(2), StandardCharsets.UTF_8);
                assertEquals(9, options.get(9)[0]);
            }
            case 5 ->
            {
                body.position(12);
                statistics.putAll(options(body));
            }
            case 6 -> packet(body);
            default ->
            {
                assertTrue(type < 0, "type " + type + " is not for local use");
                fillers++;
            }
        }
    }

    private void packet(final ByteBuffer body)
    {
        assertEquals(0, body.getInt());
        final long time = (long)body.getInt() << 32 | body.getInt() & 0xffff_ffffL;
        final byte[] bytes = new byte[body.getInt()];
        final int length = body.getInt();
        body.get(bytes);
        while ((body.position() & 3) != 0)
        {
            assertEquals(0, body.get());
        }
        final Map<Integer, byte[]> options = options(body);
        final byte[] verdict = options.get(7);
        assertEquals(9, verdict.length);
        assertEquals(2, verdict[0]);
        packets.add(new Packet(time, length, bytes, options.get(2)[0], options.get(6)[0], verdict[1]));
    }

    private static Map<Integer, byte[]> options(final ByteBuffer body)
    {
        final Map<Integer, byte[]> options = new HashMap<>();
        while (true)
        {
            final int code = body.getShort();
            final byte[] value = new byte[body.getShort()];
            if (code == 0)
            {
                assertEquals(0, value.length);
                assertEquals(0, body.remaining());
                return options;
            }
            body.get(value);
            options.put(code, value);
            body.position(body.position() + 3 & ~3);
        }
    }
}
