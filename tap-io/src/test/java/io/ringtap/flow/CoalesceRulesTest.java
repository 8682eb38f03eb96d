package io.ringtap.flow;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

import static io.ringtap.flow.TestFrame.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Which frames become one, and which never may. */
class CoalesceRulesTest extends CoalesceTestBase
{
    @Test
    void shouldMergeEveryKindOfFrame()
    {
        for (final boolean isTcp : new boolean[] { false, true })
        {
            for (final boolean isV6 : new boolean[] { false, true })
            {
                for (final int[] vlans : new int[][] { {}, { 5 }, { 5, 6 } })
                {
                    final TestFrame frame = isTcp ? TestFrame.tcp(40) : TestFrame.udp(40);
                    frame.isV6 = isV6;
                    frame.vlans = vlans;
                    frame.options = isTcp ? new byte[] { 1, 1, 8, 10, 1, 2, 3, 4, 5, 6, 7, 8 } : new byte[0];
                    assertMerged(frame, frame.next(), frame.next().next());
                }
            }
        }
    }

    @Test
    void shouldEndARunWithAShorterFrameAndBeginANewOne()
    {
        final TestFrame first = TestFrame.udp(100);
        final TestFrame second = first.next(new byte[99]);
        final TestFrame third = second.next(new byte[99]);
        final TestFrame fourth = third.next(new byte[100]);
        for (final TestFrame frame : List.of(first, second, third, fourth))
        {
            fixture.add(frame);
        }
        assertEquals(1, coalesce());
        assertEquals(2, fixture.batch.packets(0));
        assertEquals(List.of(0, 2, 3), List.of(fixture.batch.ready(0), fixture.batch.ready(1), fixture.batch.ready(2)));
        fixture.clear();
        assertApart(TestFrame.tcp(100), f -> f.payload = new byte[101]);
    }

    @Test
    void shouldEndATcpRunWithPushOrFin()
    {
        final TestFrame first = TestFrame.tcp(100);
        final TestFrame second = first.next();
        second.flags |= TestFrame.PSH | TestFrame.FIN;
        final TestFrame third = second.next();
        third.flags = TestFrame.ACK;
        fixture.add(first);
        fixture.add(second);
        fixture.add(third);
        assertEquals(1, coalesce());
        assertEquals(TestFrame.ACK | TestFrame.PSH | TestFrame.FIN,
            fixture.buffer.getByte(fixture.batch.offset(0) + 34 + 13));
        fixture.clear();
        assertMerged(first, second);
    }

    @Test
    void shouldForgetTheFlagsOfAFrameThatDidNotJoin()
    {
        final TestFrame first = TestFrame.tcp(100);
        final TestFrame second = first.next();
        final TestFrame third = second.next();
        third.flags |= TestFrame.PSH;
        final byte[] broken = third.bytes();
        broken[60]++;
        fixture.add(first);
        fixture.add(second);
        fixture.add(broken);
        assertEquals(1, coalesce());
        assertSame(second.bytes(), fixture.segmented().get(1));
        assertSame(broken, fixture.segmented().get(2));
    }

    @Test
    void shouldMergeCongestionWindowReducedAsTheFirstOnly()
    {
        final TestFrame first = TestFrame.tcp(100);
        first.flags |= TestFrame.CWR;
        final TestFrame second = first.next();
        second.flags = TestFrame.ACK;
        fixture.add(first);
        fixture.add(second);
        assertEquals(0, fixture.coalescer.coalesce(fixture.batch, Offloads.ALL & ~Offloads.ECN));
        assertEquals(1, coalesce());
        assertEquals(VnetHeader.GSO_TCPV4 | VnetHeader.GSO_ECN, fixture.gsoType(0));
        fixture.clear();
        assertMerged(first, second);
        assertApart(TestFrame.tcp(100), f -> f.flags |= TestFrame.CWR);
    }

    @Test
    void shouldKeepApartWhatDiffersInAHeader()
    {
        for (final boolean isTcp : new boolean[] { false, true })
        {
            final TestFrame frame = isTcp ? TestFrame.tcp(60) : TestFrame.udp(60);
            assertApart(frame, f -> f.sourcePort++);
            assertApart(frame, f -> f.targetPort++);
            assertApart(frame, f -> f.addresses[0]++);
            assertApart(frame, f -> f.addresses[7]++);
            assertApart(frame, f -> f.ttl++);
            assertApart(frame, f -> f.tos |= 3);
            assertApart(frame, f -> f.fragment = 0);
            assertApart(frame, f -> f.fragment = 0x8000);
            assertApart(frame, f -> f.id++);
            assertApart(frame, f -> f.vlans = new int[] { 1 });
            assertApart(frame, f -> f.isV6 = true);
            frame.isV6 = true;
            assertApart(frame, f -> f.flowLabel++);
            assertApart(frame, f -> f.addresses[31]++);
            assertApart(frame, f -> f.addresses[8]++);
            frame.vlans = new int[] { 1, 2 };
            assertApart(frame, f -> f.vlans = new int[] { 1, 3 });
            assertApart(frame, f -> f.vlans = new int[] { 0x101, 2 });
            frame.vlans = new int[] { 7 };
            assertApart(frame, f -> f.vlans = new int[] { 8 });
        }
    }

    @Test
    void shouldKeepApartWhatDiffersInTcp()
    {
        final TestFrame frame = TestFrame.tcp(60);
        frame.options = new byte[] { 1, 1, 8, 10, 1, 2, 3, 4, 5, 6, 7, 8 };
        assertApart(frame, f -> f.sequence++);
        assertApart(frame, f -> f.sequence--);
        assertApart(frame, f -> f.acknowledged++);
        assertApart(frame, f -> f.window++);
        assertApart(frame, f -> f.urgent++);
        assertApart(frame, f -> f.flags |= TestFrame.ECE);
        assertApart(frame, f -> f.flags |= TestFrame.URG);
        assertApart(frame, f -> f.options = new byte[] { 1, 1, 8, 10, 1, 2, 3, 4, 5, 6, 7, 9 });
        assertApart(frame, f -> f.options = new byte[8]);
        assertApart(frame, f -> f.payload = new byte[0]);
        for (final int flags : new int[] { TestFrame.SYN, TestFrame.RST, TestFrame.URG, TestFrame.FIN, TestFrame.PSH })
        {
            frame.flags = TestFrame.ACK | flags;
            assertApart(frame, f -> f.flags = TestFrame.ACK | flags);
        }
        frame.flags = 0;
        assertApart(frame, f -> f.flags = 0);
    }

    @Test
    void shouldKeepApartPureAcknowledgements()
    {
        assertApart(TestFrame.tcp(0), f -> f.acknowledged += 100);
        assertApart(TestFrame.tcp(0), f -> f.acknowledged = 77);
    }

    @Test
    void shouldMergeCountingIdentificationsAndFixedOnesThatMeanNothing()
    {
        final TestFrame first = TestFrame.udp(60);
        first.id = 0xFFFF;
        first.fragment = 0;
        assertMerged(first, first.next(), first.next().next());
        final TestFrame atomic = TestFrame.udp(60);
        final TestFrame second = atomic.next();
        second.id = atomic.id;
        assertMerged(atomic, second, second);
        assertApart(first, f -> f.id = first.id);
        assertApart(first, f -> f.id += 2);
        fixture.add(atomic);
        fixture.add(second);
        fixture.add(second.next());
        assertEquals(1, coalesce());
        assertTrue(fixture.batch.hasFixedId(0));
    }

    @Test
    void shouldKeepApartUnsoundFrames()
    {
        final TestFrame frame = TestFrame.udp(60);
        final byte[] good = frame.bytes();
        final byte[] next = frame.next().bytes();
        for (final int at : new int[] { 24, 40, 41, 42, 101 })
        {
            final byte[] broken = next.clone();
            broken[at] ^= 4;
            assertApart(good, broken);
            final byte[] brokenHead = good.clone();
            brokenHead[at] ^= 4;
            assertApart(brokenHead, next);
        }
    }

    @Test
    void shouldKeepApartFramesWithPaddingOrWrongLengths()
    {
        final TestFrame frame = TestFrame.udp(18);
        assertApart(Arrays.copyOf(frame.bytes(), 64), Arrays.copyOf(frame.next().bytes(), 64));
        assertApart(Arrays.copyOf(frame.bytes(), 59), frame.next().bytes());
        assertApart(frame.bytes(), Arrays.copyOf(frame.next().bytes(), 59));
        assertApart(frame.bytes(), Arrays.copyOf(frame.next().bytes(), 20));
        frame.isV6 = true;
        assertApart(Arrays.copyOf(frame.bytes(), 90), Arrays.copyOf(frame.next().bytes(), 90));
    }

    @Test
    void shouldKeepApartUdpWithoutChecksumUnlessAskedTo()
    {
        final TestFrame frame = TestFrame.udp(18);
        frame.fragment = 0;
        final TestFrame next = frame.copy();
        assertApart(frame.zeroChecksumBytes(), next.zeroChecksumBytes());
        fixture.add(frame.zeroChecksumBytes());
        fixture.add(next.zeroChecksumBytes());
        final Coalescer lenient = new Coalescer(fixture.fragments, CoalesceRule.EQUIVALENT);
        assertEquals(1, lenient.coalesce(fixture.batch, Offloads.ALL));
        final List<byte[]> back = fixture.segmented();
        assertSame(frame.bytes(), back.get(0));
        assertSame(next.bytes(), back.get(1));
        fixture.clear();
        frame.isV6 = true;
        fixture.add(frame.zeroChecksumBytes());
        fixture.add(next.zeroChecksumBytes());
        assertEquals(0, lenient.coalesce(fixture.batch, Offloads.ALL));
    }

    @Test
    void shouldMergeBegunChecksumsWhenTheyAreRight()
    {
        final TestFrame frame = TestFrame.tcp(100);
        fixture.add(frame, true);
        fixture.add(frame.next(), true);
        fixture.add(frame.next().next(), false);
        assertEquals(2, coalesce());
        final List<byte[]> back = fixture.segmented(Offloads.CSUM);
        assertSame(frame.next().partialBytes(), back.get(1));
        assertSame(frame.next().next().bytes(), fixture.segmented().get(2));
        fixture.clear();
        fixture.add(frame, true);
        final int i = fixture.add(frame.next(), true);
        fixture.buffer.putByte(fixture.batch.offset(i) + frame.checksumField(), (byte)1);
        assertEquals(0, coalesce());
        fixture.clear();
        fixture.add(frame, true);
        VnetHeader.partial(fixture.buffer, fixture.batch.netHeader(fixture.add(frame.next(), true)), 34, 6);
        assertEquals(0, coalesce());
    }

    @Test
    void shouldTrustTheHostsWordOnAChecksum()
    {
        final byte[] bytes = TestFrame.udp(18).bytes();
        bytes[59]++;
        final byte[] next = TestFrame.udp(18).next().bytes();
        VnetHeader.dataValid(fixture.buffer, fixture.batch.netHeader(fixture.add(bytes)));
        VnetHeader.dataValid(fixture.buffer, fixture.batch.netHeader(fixture.add(next)));
        assertEquals(1, coalesce());
    }

    @Test
    void shouldOnlyMakeWhatTheReceiverTakes()
    {
        final int[] bits = { Offloads.USO4, Offloads.USO6, Offloads.TSO4, Offloads.TSO6 };
        for (int kind = 0; kind < 4; kind++)
        {
            final TestFrame frame = kind < 2 ? TestFrame.udp(18) : TestFrame.tcp(18);
            frame.isV6 = (kind & 1) == 1;
            fixture.add(frame);
            fixture.add(frame.next());
            assertEquals(0, fixture.coalescer.coalesce(fixture.batch, Offloads.ALL & ~bits[kind]));
            assertEquals(0, fixture.coalescer.coalesce(fixture.batch, bits[kind]), "without CSUM");
            assertEquals(1, fixture.coalescer.coalesce(fixture.batch, bits[kind] | Offloads.CSUM));
            fixture.clear();
        }
    }
}
