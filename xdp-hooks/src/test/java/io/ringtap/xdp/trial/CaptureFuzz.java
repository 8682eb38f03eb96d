package io.ringtap.xdp.trial;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Fuzz target: capture files of every form, damaged. Found by name, run by {@code FuzzIT}. */
public final class CaptureFuzz
{
    private CaptureFuzz()
    {
    }

    /** The target. */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        long bytes = 0;
        try (CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(data), "fuzz.pcap"))
        {
            for (CapturedFrame frame = reader.next(); null != frame; frame = reader.next())
            {
                bytes += frame.bytes().length;
                if (bytes > data.length)
                {
                    throw new IllegalStateException(bytes + " bytes of frames in a file of " + data.length);
                }
            }
        }
        catch (final CaptureException refused)
        {
            if (1 != refused.getMessage().lines().count())
            {
                throw new IllegalStateException("not one line: " + refused.getMessage(), refused);
            }
        }
    }

    /** Inputs to begin with. */
    public static List<byte[]> seeds()
    {
        return List.of(classic(ByteOrder.LITTLE_ENDIAN, 0xa1b2c3d4), classic(ByteOrder.BIG_ENDIAN, 0xa1b23c4d),
            pcapng(ByteOrder.LITTLE_ENDIAN), pcapng(ByteOrder.BIG_ENDIAN));
    }

    private static byte[] classic(final ByteOrder order, final int magic)
    {
        return ByteBuffer.allocate(24 + 16 + 20).order(order).putInt(magic).putShort((short)2).putShort((short)4)
            .putLong(0).putInt(65535).putInt(1).putInt(1).putInt(2).putInt(20).putInt(60).array();
    }

    /** Section header, an interface with its resolution, an enhanced and a simple packet. */
    private static byte[] pcapng(final ByteOrder order)
    {
        return ByteBuffer.allocate(28 + 32 + 48 + 24).order(order)
            .putInt(0x0a0d0d0a).putInt(28).putInt(0x1a2b3c4d).putInt(1).putLong(-1).putInt(28)
            .putInt(1).putInt(32).putInt(1).putInt(65535).putShort((short)9).putShort((short)1).putInt(9).putInt(0)
            .putInt(32)
            .putInt(6).putInt(48).putInt(0).putInt(1).putInt(2).putInt(14).putInt(60).put(new byte[16]).putInt(48)
            .putInt(3).putInt(24).putInt(8).put(new byte[8]).putInt(24).array();
    }
}
