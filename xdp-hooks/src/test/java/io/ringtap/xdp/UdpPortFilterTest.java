package io.ringtap.xdp;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

import static io.ringtap.xdp.Frames.ether;
import static io.ringtap.xdp.Frames.hex;
import static io.ringtap.xdp.Frames.ipv4;
import static io.ringtap.xdp.Frames.ipv6;
import static io.ringtap.xdp.Frames.udp;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** What {@link UdpPortFilter} promises. */
class UdpPortFilterTest
{
    private static final String MAC = "525400123456";
    private static final String V4 = ether(MAC, "0800");
    private static final String V6 = ether(MAC, "86dd");
    private static final int UDP = 17;
    private static final int TCP = 6;

    private final UdpPortFilter filter = new UdpPortFilter("53, 5000-5010,65535");

    @Test
    void shouldDropListedPortsAsSourceOrDestination()
    {
        for (final int port : new int[]{53, 5000, 5005, 5010, 65535})
        {
            assertEquals(XdpVerdict.DROP, judge(hex(V4, ipv4(5, 0, UDP), udp(port, 9))));
            assertEquals(XdpVerdict.DROP, judge(hex(V4, ipv4(5, 0, UDP), udp(9, port))));
            assertEquals(XdpVerdict.DROP, judge(hex(V6, ipv6(UDP), udp(9, port))));
        }
        for (final int port : new int[]{0, 52, 54, 4999, 5011, 65534})
        {
            assertEquals(XdpVerdict.PASS, judge(hex(V4, ipv4(5, 0, UDP), udp(port, port))));
            assertEquals(XdpVerdict.PASS, judge(hex(V6, ipv6(UDP), udp(port, port))));
        }
    }

    @Test
    void shouldJudgeBothDirections()
    {
        final byte[] frame = hex(V4, ipv4(5, 0, UDP), udp(53, 9));
        assertEquals(XdpVerdict.DROP, filter.onFrame(Frames.view(frame, FrameView.TO_GUEST)));
    }

    @Test
    void shouldPassOtherProtocols()
    {
        assertEquals(XdpVerdict.PASS, judge(hex(V4, ipv4(5, 0, TCP), udp(53, 53))));
        assertEquals(XdpVerdict.PASS, judge(hex(V6, ipv6(TCP), udp(53, 53))));
        assertEquals(XdpVerdict.PASS, judge(hex(ether(MAC, "0806"), ipv4(5, 0, UDP), udp(53, 53))));
        assertEquals(XdpVerdict.PASS, judge(hex(ether(MAC, "88cc"))));
    }

    @Test
    void shouldLookBehindTagsAndOptions()
    {
        assertEquals(XdpVerdict.DROP,
            judge(hex(ether(MAC, "8100 0005 0800"), ipv4(15, 0, UDP), udp(53, 9))));
        assertEquals(XdpVerdict.DROP,
            judge(hex(ether(MAC, "88a8 0005 8100 0006 86dd"), ipv6(UDP), udp(53, 9))));
        assertEquals(XdpVerdict.PASS,
            judge(hex(ether(MAC, "8100 0005 0800"), ipv4(15, 0, UDP), udp(8, 9))));
    }

    @Test
    void shouldJudgeFirstFragmentAndPassLaterOnes()
    {
        assertEquals(XdpVerdict.DROP, judge(hex(V4, ipv4(5, 0x2000, UDP), udp(53, 9))));
        assertEquals(XdpVerdict.PASS, judge(hex(V4, ipv4(5, 0x2001, UDP), udp(53, 9))));
        assertEquals(XdpVerdict.PASS, judge(hex(V4, ipv4(5, 0x0003, UDP), udp(53, 9))));
        assertEquals(XdpVerdict.DROP, judge(hex(V6, ipv6(44), "11000001 00000007", udp(53, 9))));
        assertEquals(XdpVerdict.PASS, judge(hex(V6, ipv6(44), "11000009 00000007", udp(53, 9))));
    }

    @Test
    void shouldWalkExtensionHeaders()
    {
        final String[] chains =
        {
            ipv6(0) + "1100010400000000",
            ipv6(60) + "1101010c" + "00".repeat(12),
            ipv6(43) + "3c02" + "00".repeat(22) + "1100010400000000",
            ipv6(51) + "1104" + "00".repeat(22),
            ipv6(0) + "3c00010400000000" + "2c00010400000000" + "1100000100000007",
            ipv6(135) + "1100000000000000",
        };
        for (final String chain : chains)
        {
            assertEquals(XdpVerdict.DROP, judge(hex(V6, chain, udp(9, 53))), chain);
            assertEquals(XdpVerdict.PASS, judge(hex(V6, chain, udp(9, 54))), chain);
        }
    }

    @Test
    void shouldDropTooManyExtensionHeaders()
    {
        final String option = "3c00010400000000";
        assertEquals(XdpVerdict.PASS, judge(hex(V6, ipv6(60), option.repeat(7), "1100010400000000", udp(9, 54))));
        assertEquals(XdpVerdict.DROP, judge(hex(V6, ipv6(60), option.repeat(8), "1100010400000000", udp(9, 54))));
    }

    @Test
    void shouldDropWhatContradictsItself()
    {
        assertEquals(XdpVerdict.DROP, judge(hex(V4, ipv4(4, 0, UDP), udp(9, 9))));
        assertEquals(XdpVerdict.DROP, judge(hex(V4, ipv6(UDP), udp(9, 9))));
        assertEquals(XdpVerdict.DROP, judge(hex(V6, ipv4(5, 0, UDP), udp(9, 9), "00".repeat(40))));
        assertEquals(XdpVerdict.DROP, judge(hex(V4, ipv4(15, 0, UDP).substring(0, 60), udp(9, 9))));
        assertEquals(XdpVerdict.DROP, judge(hex(V6, ipv6(0), "11ff000000000000", udp(9, 9))));
    }

    @Test
    void shouldDropEveryFrameThatIsCutShort()
    {
        final byte[][] frames =
        {
            hex(ether(MAC, "8100 0005 0800"), ipv4(8, 0, UDP), udp(8, 9)),
            hex(V6, ipv6(0), "3c00010400000000", "2c00010400000000", "1100000100000007", udp(8, 9)),
        };
        for (final byte[] whole : frames)
        {
            for (int length = 0; length < whole.length; length++)
            {
                assertEquals(XdpVerdict.DROP, judge(Arrays.copyOf(whole, length)), "length " + length);
            }
            assertEquals(XdpVerdict.PASS, judge(whole));
        }
    }

    @Test
    void shouldNeverReadOutsideTheFrame()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final byte[][] seeds =
        {
            hex(ether(MAC, "8100 0005 0800"), ipv4(8, 0, UDP), udp(8, 9)),
            hex(V6, ipv6(0), "3c00010400000000", "2c00010400000000", "1100000100000007", udp(8, 9)),
        };
        for (int i = 0; i < 100_000; i++)
        {
            final byte[] frame = Arrays.copyOf(seeds[i & 1], random.nextInt(seeds[i & 1].length + 1));
            for (int changes = random.nextInt(4); changes > 0 && frame.length > 0; changes--)
            {
                frame[random.nextInt(frame.length)] = (byte)random.nextInt();
            }
            final int verdict;
            try
            {
                verdict = judge(frame);
            }
            catch (final IndexOutOfBoundsException outside)
            {
                throw new AssertionError("seed " + seed + " step " + i, outside);
            }
            assertEquals(true, XdpVerdict.PASS == verdict || XdpVerdict.DROP == verdict);
        }
    }

    private int judge(final byte[] frame)
    {
        return filter.onFrame(Frames.view(frame, FrameView.FROM_GUEST));
    }
}
