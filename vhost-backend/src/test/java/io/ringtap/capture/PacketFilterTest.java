package io.ringtap.capture;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteOrder;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Programs of the classic packet filter. */
class PacketFilterTest
{
    /** {@code tcpdump -y EN10MB -ddd 'udp dst port 53'}. */
    static final String UDP_53 = "16\n40 0 0 12\n21 0 4 34525\n48 0 0 20\n21 0 11 17\n40 0 0 56\n21 8 9 53\n" +
        "21 0 8 2048\n48 0 0 23\n21 0 6 17\n40 0 0 20\n69 4 0 8191\n177 0 0 14\n72 0 0 16\n21 0 1 53\n" +
        "6 0 0 262144\n6 0 0 0\n";

    private static UnsafeBuffer udp(final int port, final int headerWords)
    {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[100]);
        frame.putShort(12, (short)0x0800, ByteOrder.BIG_ENDIAN);
        frame.putByte(14, (byte)(0x40 | headerWords));
        frame.putByte(23, (byte)17);
        frame.putShort(14 + 4 * headerWords + 2, (short)port, ByteOrder.BIG_ENDIAN);
        return frame;
    }

    @Test
    void shouldJudgeFramesAsTcpdumpDoes()
    {
        final PacketFilter filter = PacketFilter.parse(UDP_53);
        assertEquals(262_144, filter.run(udp(53, 5), 0, 100, 100));
        assertEquals(262_144, filter.run(udp(53, 8), 0, 100, 100), "with options");
        assertEquals(0, filter.run(udp(54, 5), 0, 100, 100));
        assertEquals(0, filter.run(udp(53, 5), 0, 30, 100), "a frame that ends before the port");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "x", "0", "1\n6 0 0", "1\n6 0 0 99999999999", "2\n6 0 0 0", "1\n40 0 0 12", "1\n255 0 0 0", "1\n5 0 0 0",
        "2\n21 5 0 1\n6 0 0 0", "2\n5 0 0 4294967295\n6 0 0 0", "2\n2 0 0 16\n6 0 0 0", "2\n52 0 0 0\n6 0 0 0",
        "4097\n6 0 0 0", "2\n96 0 0 4294967295\n6 0 0 0", UDP_53 + "1 2 3 4\n", "1\n-6 0 0 0"})
    void shouldRefuseWhatIsNoSafeProgram(final String text)
    {
        assertThrows(IllegalArgumentException.class, () -> PacketFilter.parse(text));
    }

    @Test
    void shouldEndAndStayInsideTheFrameWhateverItIsGiven()
    {
        final long seed = Long.getLong("ringtap.test.seed", 20261130);
        final Random random = new Random(seed);
        final int[] codes = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0c, 0x14, 0x15, 0x16, 0x1c, 0x1d, 0x20,
            0x24, 0x25, 0x28, 0x2c, 0x30, 0x34, 0x35, 0x3c, 0x40, 0x44, 0x45, 0x48, 0x4c, 0x50, 0x54, 0x5c, 0x60, 0x61,
            0x64, 0x6c, 0x74, 0x7c, 0x80, 0x81, 0x84, 0x87, 0x94, 0x9c, 0xa4, 0xac, 0xb1};
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[64]);
        int accepted = 0;
        for (int i = 0; i < 100_000; i++)
        {
            final int count = 1 + random.nextInt(12);
            final StringBuilder text = new StringBuilder(count + "\n");
            for (int k = 0; k < count - 1; k++)
            {
                text.append(codes[random.nextInt(codes.length)]).append(' ').append(random.nextInt(4)).append(' ')
                    .append(random.nextInt(4)).append(' ').append(random.nextInt(4) == 0 ?
                    Integer.toUnsignedString(random.nextInt()) : Integer.toString(random.nextInt(70))).append('\n');
            }
            try
            {
                final PacketFilter filter = PacketFilter.parse(text + "22 0 0 0\n");
                accepted++;
                filter.run(frame, 4, 50, 60);
            }
            catch (final IllegalArgumentException refused)
            {
                // Most random programs are none.
            }
        }
        assertTrue(accepted > 1000, "seed " + seed + ": " + accepted);
        System.out.println(accepted + " random programs ran");
    }
}
