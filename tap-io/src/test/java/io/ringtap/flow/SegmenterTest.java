package io.ringtap.flow;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static io.ringtap.flow.TestFrame.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a kernel would make of a super-frame, made here. */
class SegmenterTest
{
    private final BatchFixture fixture = new BatchFixture();

    @AfterEach
    void close()
    {
        fixture.close();
    }

    private static int type(final TestFrame frame)
    {
        return !frame.isTcp ? VnetHeader.GSO_UDP_L4 : frame.isV6 ? VnetHeader.GSO_TCPV6 : VnetHeader.GSO_TCPV4;
    }

    /** Adds the frame as a super-frame of which {@code linear} bytes lie in the slot. */
    private int addSuper(final TestFrame frame, final int type, final int size, final int linear)
    {
        final byte[] bytes = frame.partialBytes();
        final int i = fixture.addRaw(bytes, Math.min(linear, bytes.length));
        VnetHeader.superFrame(fixture.buffer, fixture.batch.netHeader(i), type, size, frame.headers(),
            frame.transport(), frame.checksumField() - frame.transport());
        return i;
    }

    private List<byte[]> plain()
    {
        final List<byte[]> frames = new ArrayList<>();
        for (int k = 0; k < fixture.plain.readyCount(); k++)
        {
            frames.add(BatchFixture.read(fixture.plain, fixture.plain.ready(k)));
        }
        return frames;
    }

    private int segment(final int i, final int offloads)
    {
        return fixture.segmenter.segment(fixture.batch, i, fixture.plain, offloads);
    }

    private static List<TestFrame> expected(final TestFrame whole, final int size)
    {
        final List<TestFrame> packets = new ArrayList<>();
        TestFrame packet = whole.copy();
        for (int at = 0; at < whole.payload.length; at += size)
        {
            final byte[] payload = Arrays.copyOfRange(whole.payload, at, Math.min(whole.payload.length, at + size));
            if (at == 0)
            {
                packet.payload = payload;
            }
            else
            {
                packet = packet.next(payload);
            }
            packets.add(packet);
        }
        for (int k = 0; k < packets.size() && whole.isTcp; k++)
        {
            packets.get(k).flags = whole.flags & (k == 0 ? 0xFF : ~TestFrame.CWR) &
                (k == packets.size() - 1 ? 0xFF : ~(TestFrame.PSH | TestFrame.FIN));
        }
        return packets;
    }

    @ParameterizedTest
    @ValueSource(ints = { 14, 100, 400, 2000, 70000 })
    void shouldCutEveryKindOfSuperFrameWhereverItsBytesLie(final int linear)
    {
        for (int kind = 0; kind < 12; kind++)
        {
            final TestFrame frame = (kind & 1) == 0 ? TestFrame.tcp(5000) : TestFrame.udp(5000);
            frame.isV6 = (kind & 2) != 0;
            frame.vlans = kind < 4 ? new int[0] : kind < 8 ? new int[] { 3 } : new int[] { 4, 5 };
            frame.id = 0xFFFE;
            frame.sequence = 0xFFFFF000L;
            frame.flags = TestFrame.ACK | TestFrame.PSH | TestFrame.FIN | TestFrame.CWR;
            frame.options = frame.isTcp ? new byte[12] : frame.options;
            final int i = addSuper(frame, type(frame), 1400, linear);
            assertEquals(4, segment(i, Offloads.NONE));
            final List<TestFrame> packets = expected(frame, 1400);
            for (int k = 0; k < 4; k++)
            {
                assertSame(packets.get(k).bytes(), plain().get(k));
                assertFalse(VnetHeader.needsChecksum(fixture.buffer, fixture.plain.netHeader(k)));
            }
            fixture.clear(fixture.plain);
            assertEquals(4, segment(i, Offloads.CSUM));
            for (int k = 0; k < 4; k++)
            {
                assertSame(packets.get(k).partialBytes(), plain().get(k));
                assertEquals(VnetFault.OK, VnetHeader.validate(fixture.buffer, fixture.plain.netHeader(k),
                    fixture.plain.length(k), Offloads.CSUM));
                assertEquals(frame.transport(),
                    VnetHeader.checksumStart(fixture.buffer, fixture.plain.netHeader(k)));
            }
            fixture.clear();
        }
    }

    @Test
    void shouldLeaveHeadroomInFrontOfEveryFrame()
    {
        segment(addSuper(TestFrame.udp(1000), VnetHeader.GSO_UDP_L4, 10, 2000), Offloads.NONE);
        assertEquals(100, fixture.plain.frames());
        for (int k = 0; k < 100; k++)
        {
            assertTrue(fixture.plain.offset(k) - fixture.plain.slot(k) >= FrameLayout.HEADROOM);
            assertTrue(fixture.plain.offset(k) + fixture.plain.length(k) <= fixture.plain.slotEnd(k));
            assertEquals(1, fixture.plain.packets(k));
        }
    }

    @Test
    void shouldKeepWhatIpv4OptionsSay()
    {
        final TestFrame frame = TestFrame.udp(100);
        final byte[] plain = frame.partialBytes();
        final byte[] bytes = new byte[plain.length + 4];
        System.arraycopy(plain, 0, bytes, 0, 34);
        System.arraycopy(plain, 34, bytes, 38, plain.length - 34);
        bytes[14] = 0x46;
        Arrays.fill(bytes, 34, 38, (byte)1);
        fixture.addRaw(bytes, bytes.length);
        VnetHeader.superFrame(fixture.buffer, fixture.batch.netHeader(0), VnetHeader.GSO_UDP_L4, 60, 46, 38, 6);
        assertEquals(2, segment(0, Offloads.NONE));
        final byte[] first = plain().get(0);
        assertEquals(14 + 24 + 8 + 60, first.length);
        assertEquals(Checksum.SOUND, Checksum.fold(Checksum.sum(fixture.buffer, fixture.plain.offset(0) + 14, 24)));
        assertEquals(24 + 8 + 60, ByteBuffer.wrap(first).getShort(16));
    }

    @Test
    void shouldOnlyCompleteTheChecksumOfAPlainFrame()
    {
        final TestFrame frame = TestFrame.tcp(3000);
        fixture.addRaw(frame.partialBytes(), 300);
        VnetHeader.partial(fixture.buffer, fixture.batch.netHeader(0), 34, 16);
        assertEquals(1, segment(0, Offloads.NONE));
        assertSame(frame.bytes(), plain().get(0));
        fixture.clear(fixture.plain);
        assertEquals(1, segment(0, Offloads.CSUM));
        assertSame(frame.partialBytes(), plain().get(0));
    }

    @Test
    @Tag("virtio.GUEST_UFO")
    void shouldFragmentDatagramsOfTheOldKind()
    {
        for (final boolean isV6 : new boolean[] { false, true })
        {
            final TestFrame frame = TestFrame.udp(4001);
            frame.isV6 = isV6;
            final int i = addSuper(frame, VnetHeader.GSO_UDP, 1483, 500);
            assertEquals(3, segment(i, Offloads.NONE));
            assertSame(frame.bytes(), reassembled(plain(), frame, isV6));
            fixture.clear();
        }
    }

    /** The datagram in one piece, as its receiver has it. */
    private static byte[] reassembled(final List<byte[]> fragments, final TestFrame frame, final boolean isV6)
    {
        final byte[] whole = frame.bytes();
        final byte[] datagram = new byte[whole.length - frame.transport()];
        int end = 0;
        for (int k = 0; k < fragments.size(); k++)
        {
            final ByteBuffer fragment = ByteBuffer.wrap(fragments.get(k));
            final int word = fragment.getShort(isV6 ? 56 : 20) & 0xFFFF;
            final int offset = isV6 ? word & ~7 : (word & 0x1FFF) << 3;
            final boolean more = (isV6 ? word & 1 : word & 0x2000) != 0;
            final int headers = isV6 ? 62 : 34;
            assertEquals(end, offset);
            assertEquals(k < fragments.size() - 1, more);
            assertEquals(1, isV6 ? 1 : fragment.getShort(18), "identification");
            assertEquals(fragment.capacity() - (isV6 ? 54 : 14), fragment.getShort(isV6 ? 18 : 16));
            if (isV6)
            {
                assertEquals(44, fragment.get(20));
                assertEquals(17, fragment.get(54));
                assertEquals(ByteBuffer.wrap(fragments.get(0)).getInt(58), fragment.getInt(58));
            }
            System.arraycopy(fragments.get(k), headers, datagram, offset, fragment.capacity() - headers);
            end = offset + fragment.capacity() - headers;
        }
        assertEquals(datagram.length, end);
        System.arraycopy(datagram, 0, whole, frame.transport(), datagram.length);
        return whole;
    }

    @Test
    void shouldFragmentADatagramWhoseChecksumIsComplete()
    {
        final TestFrame frame = TestFrame.udp(4000);
        final int i = fixture.addRaw(frame.bytes(), 4042);
        VnetHeader.superFrame(fixture.buffer, fixture.batch.netHeader(i), VnetHeader.GSO_UDP, 1480, 0, 0, 0);
        fixture.buffer.putByte(fixture.batch.netHeader(i), (byte)0);
        assertEquals(3, segment(i, Offloads.NONE));
        assertSame(frame.bytes(), reassembled(plain(), frame, false));
    }

    @Test
    void shouldSayWhenThereIsNoRoomAndLeaveTheTargetAsItWas()
    {
        final FrameBatch small = new FrameBatch(fixture.buffer, 4, 4);
        final int i = addSuper(TestFrame.udp(500), VnetHeader.GSO_UDP_L4, 100, 2000);
        assertEquals(Segmenter.NO_ROOM, fixture.segmenter.segment(fixture.batch, i, small, Offloads.NONE));
        assertEquals(0, small.frames());
        final int monster = addSuper(TestFrame.udp(1025), VnetHeader.GSO_UDP_L4, 1, 2000);
        assertEquals(Segmenter.NO_ROOM, segment(monster, Offloads.NONE));
        small.close();
    }

    @Test
    void shouldSayWhenFragmentsAreExhaustedAndKeepNone()
    {
        final int i = addSuper(TestFrame.udp(5000), VnetHeader.GSO_UDP_L4, 5, 6000);
        final int[] all = new int[BatchFixture.PAGES];
        final int got = fixture.fragments.allocate(30_000, BatchFixture.PAGES - 3, all);
        assertEquals(Segmenter.EXHAUSTED, segment(i, Offloads.NONE));
        assertEquals(0, fixture.plain.frames());
        fixture.fragments.release(all, got);
    }

    @Test
    void shouldRefuseHeadersThatAreNotWhatTheNetHeaderSays()
    {
        assertMalformed(TestFrame.udp(3000), VnetHeader.GSO_TCPV4, 34, 16, 0, 0);
        assertMalformed(TestFrame.tcp(3000), VnetHeader.GSO_UDP_L4, 34, 6, 0, 0);
        assertMalformed(TestFrame.tcp(3000), VnetHeader.GSO_TCPV6, 34, 16, 0, 0);
        assertMalformed(TestFrame.tcp(3000), VnetHeader.GSO_TCPV4, 38, 16, 0, 0);
        assertMalformed(TestFrame.tcp(3000), VnetHeader.GSO_TCPV4, 2900, 16, 0, 0);
        assertMalformed(TestFrame.tcp(3000), VnetHeader.GSO_TCPV4, 34, 16, 46, 0x40);
        assertMalformed(TestFrame.tcp(3000), VnetHeader.GSO_TCPV4, 34, 16, 14, 0x44);
        assertMalformed(TestFrame.tcp(3000), VnetHeader.GSO_TCPV4, 34, 16, 14, 0x65);
        assertMalformed(TestFrame.tcp(3000), VnetHeader.GSO_TCPV4, 34, 16, 12, 7);
        assertMalformed(TestFrame.tcp(1), VnetHeader.GSO_TCPV4, 34, 16, 46, 0xF0);
    }

    private void assertMalformed(
        final TestFrame frame, final int type, final int start, final int offset, final int at, final int value)
    {
        final byte[] bytes = frame.partialBytes();
        bytes[at] = at > 0 ? (byte)value : bytes[at];
        final int i = fixture.addRaw(bytes, Math.min(bytes.length, 1000));
        VnetHeader.superFrame(fixture.buffer, fixture.batch.netHeader(i), type, 1000, 54, start, offset);
        assertEquals(Segmenter.MALFORMED, segment(i, Offloads.NONE));
        assertEquals(0, fixture.plain.frames());
        fixture.clear();
    }
}
