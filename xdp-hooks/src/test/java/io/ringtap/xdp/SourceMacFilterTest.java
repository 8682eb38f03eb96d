package io.ringtap.xdp;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

import static io.ringtap.xdp.Frames.ether;
import static io.ringtap.xdp.Frames.hex;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** What {@link SourceMacFilter} promises. */
class SourceMacFilterTest
{
    private static final String OURS = "525400123456";
    private static final String OTHER = "525400123457";
    private static final String ARP = "0001 0800 0604 0001";
    private static final String REST = "0a000001 000000000000 0a000002";

    private final SourceMacFilter filter = new SourceMacFilter("52:54:00:12:34:56");

    @Test
    void shouldPassFrameWithOurSource()
    {
        assertEquals(XdpVerdict.PASS, judge(hex(ether(OURS, "0800"), "45")));
    }

    @Test
    void shouldDropFrameWithAnotherSource()
    {
        assertEquals(XdpVerdict.DROP, judge(hex(ether(OTHER, "0800"), "45")));
        assertEquals(XdpVerdict.DROP, judge(hex(ether("535400123456", "0800"), "45")));
    }

    @Test
    void shouldPassFramesToTheGuest()
    {
        assertEquals(XdpVerdict.PASS,
            filter.onFrame(Frames.view(hex(ether(OTHER, "0800"), "45"), FrameView.TO_GUEST)));
    }

    @Test
    void shouldJudgeSenderOfArpAlsoBehindTagsAndOfRarp()
    {
        for (final String type : new String[]{"0806", "8035", "8100 0001 0806", "88a8 0001 8100 0002 0806"})
        {
            assertEquals(XdpVerdict.PASS, judge(hex(ether(OURS, type), ARP, OURS, REST)), type);
            assertEquals(XdpVerdict.DROP, judge(hex(ether(OURS, type), ARP, OTHER, REST)), type);
        }
    }

    @Test
    void shouldDropArpThatIsNotForEthernet()
    {
        assertEquals(XdpVerdict.DROP, judge(hex(ether(OURS, "0806"), "0001 0800 0804 0001", OURS, REST)));
        assertEquals(XdpVerdict.DROP, judge(hex(ether(OURS, "0806"), "0006 0800 0604 0001", OURS, REST)));
    }

    @Test
    void shouldDropEveryFrameThatIsCutShort()
    {
        final byte[] whole = hex(ether(OURS, "8100 0001 0806"), ARP, OURS, REST);
        for (int length = 0; length < whole.length; length++)
        {
            assertEquals(XdpVerdict.DROP, judge(Arrays.copyOf(whole, length)), "length " + length);
        }
        assertEquals(XdpVerdict.PASS, judge(whole));
    }

    @Test
    void shouldDropFrameWithMoreTagsThanAnybodyUses()
    {
        assertEquals(XdpVerdict.PASS, judge(hex(ether(OURS, "81000001".repeat(4)), "0800")));
        assertEquals(XdpVerdict.DROP, judge(hex(ether(OURS, "81000001".repeat(5)), "0800")));
    }

    private int judge(final byte[] frame)
    {
        return filter.onFrame(Frames.view(frame, FrameView.FROM_GUEST));
    }
}
