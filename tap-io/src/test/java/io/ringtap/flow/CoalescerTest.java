package io.ringtap.flow;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

import static io.ringtap.flow.TestFrame.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Where merged frames lie and what their headers say. */
class CoalescerTest extends CoalesceTestBase
{
    @Test
    void shouldMakeTheSuperFrameThatAKernelWouldMake()
    {
        final TestFrame first = TestFrame.udp(100);
        fixture.add(first);
        fixture.add(first.next());
        fixture.add(first.next().next(new byte[30]));
        assertEquals(2, coalesce());
        final TestFrame whole = first.copy();
        whole.payload = Arrays.copyOf(first.payload, 230);
        System.arraycopy(first.payload, 0, whole.payload, 100, 100);
        assertSame(whole.partialBytes(), BatchFixture.read(fixture.batch, 0));
        assertEquals(VnetHeader.GSO_UDP_L4, fixture.gsoType(0));
        assertEquals(100, fixture.gsoSize(0));
        final int header = fixture.batch.netHeader(0);
        assertEquals(VnetHeader.NEEDS_CSUM, VnetHeader.flags(fixture.buffer, header));
        assertEquals(42, VnetHeader.headerLength(fixture.buffer, header));
        assertEquals(34, VnetHeader.checksumStart(fixture.buffer, header));
        assertEquals(6, VnetHeader.checksumOffset(fixture.buffer, header));
        assertEquals(VnetFault.OK, VnetHeader.validate(fixture.buffer, header, 272, Offloads.ALL));
        assertEquals(3, fixture.coalescer.mergedFrames());
        assertEquals(1, fixture.coalescer.superFrames());
    }

    @Test
    void shouldKeepBigPayloadsWhereTheyAre()
    {
        final TestFrame frame = TestFrame.tcp(1448);
        fixture.add(frame);
        fixture.add(frame.next());
        fixture.add(frame.next().next());
        coalesce();
        assertEquals(2, fixture.batch.segments(0));
        assertEquals(54 + 1448, fixture.batch.linearLength(0));
        assertEquals(54 + 3 * 1448, fixture.batch.length(0));
        final int vector = fixture.batch.run(0) + 1;
        assertEquals(fixture.arena.address() + fixture.batch.offset(1) + 54, fixture.batch.vectors().base(vector));
    }

    @Test
    void shouldMoveSmallFramesThatOutgrowTheirSlot()
    {
        TestFrame frame = TestFrame.udp(200);
        for (int i = 0; i < 64; i++)
        {
            fixture.add(frame);
            frame = frame.next();
        }
        final int headSlot = fixture.batch.slot(0);
        assertEquals(63, coalesce());
        assertEquals(0, fixture.batch.segments(0));
        assertEquals(42 + 64 * 200, fixture.batch.linearLength(0));
        assertEquals(headSlot, fixture.batch.slot(0), "the owner still releases its own slot");
        assertTrue(fixture.batch.offset(0) + 42 + 64 * 200 <= fixture.batch.slotEnd(0));
        assertEquals(65, fixture.arena.report().fragmentsOut());
        fixture.clear();
    }

    @Test
    void shouldMoveFramesThatOutgrowAPage()
    {
        TestFrame frame = TestFrame.tcp(1000);
        for (int i = 0; i < 64; i++)
        {
            fixture.add(frame);
            frame = frame.next();
        }
        assertEquals(63, coalesce());
        assertEquals(0, fixture.batch.segments(0));
        assertEquals(54 + 64_000, fixture.batch.linearLength(0));
        assertEquals(64, fixture.segmented().size());
    }

    @Test
    void shouldChainPayloadsWhenNoFragmentIsFree()
    {
        final TestFrame frame = TestFrame.udp(440);
        TestFrame last = frame;
        for (int i = 0; i < 10; i++)
        {
            fixture.add(last);
            last = last.next();
        }
        assertEquals(9, new Coalescer(new NoFragments()).coalesce(fixture.batch, Offloads.ALL));
        assertEquals(9, fixture.batch.segments(0));
        assertEquals(10, fixture.segmented().size());
    }

    @Test
    void shouldLeaveARunAloneWhenThereIsNoMemoryForIt()
    {
        final FrameBatch batch = new FrameBatch(fixture.buffer, 8, 8);
        final TestFrame frame = TestFrame.tcp(1100);
        final TestFrame[] frames = { frame, frame.next(), frame.next().next() };
        for (int i = 0; i < 8; i++)
        {
            final byte[] bytes = i < 3 ? frames[i].bytes() : TestFrame.udp(i).zeroChecksumBytes();
            fixture.buffer.putBytes(i * 2048 + 256, bytes);
            VnetHeader.clear(fixture.buffer, i * 2048 + 244);
            batch.add(i * 2048, 2048, i * 2048 + 256, bytes.length, 0);
        }
        assertEquals(0, fixture.coalescer.coalesce(batch, Offloads.ALL), "no vectors are left");
        for (int i = 0; i < 8; i++)
        {
            assertEquals(i, batch.ready(i));
        }
        assertSame(frames[0].bytes(), BatchFixture.read(batch, 0));
        batch.close();
    }

    @Test
    void shouldStopAt64Packets()
    {
        TestFrame frame = TestFrame.udp(10);
        for (int i = 0; i < 130; i++)
        {
            fixture.add(frame);
            frame = frame.next();
        }
        assertEquals(127, coalesce());
        assertEquals(3, fixture.batch.readyCount());
        assertEquals(64, fixture.batch.packets(0));
        assertEquals(64, fixture.batch.ready(1));
        assertEquals(2, fixture.batch.packets(128));
    }

    @Test
    void shouldStopAtTheLongestIpPacket()
    {
        TestFrame frame = TestFrame.udp(1472);
        for (int i = 0; i < 50; i++)
        {
            fixture.add(frame);
            frame = frame.next();
        }
        coalesce();
        assertEquals((65535 - 28) / 1472, fixture.batch.packets(0));
    }

    @Test
    void shouldLeaveSuperFramesAndScatteredFramesAlone()
    {
        final TestFrame frame = TestFrame.tcp(3000);
        fixture.addRaw(frame.partialBytes(), 200);
        VnetHeader.partial(fixture.buffer, fixture.batch.netHeader(0), 34, 16);
        fixture.addRaw(frame.next().partialBytes(), 200);
        VnetHeader.partial(fixture.buffer, fixture.batch.netHeader(1), 34, 16);
        assertEquals(0, coalesce());
        fixture.clear();
        final TestFrame whole = TestFrame.tcp(1400);
        fixture.add(whole, true);
        fixture.add(whole.next(), true);
        VnetHeader.superFrame(fixture.buffer, fixture.batch.netHeader(1), 1, 700, 54, 34, 16);
        assertEquals(0, coalesce());
    }

    @Test
    void shouldNotTouchFramesThatWereSent()
    {
        TestFrame frame = TestFrame.udp(18);
        for (int i = 0; i < 4; i++)
        {
            fixture.add(frame);
            frame = frame.next();
        }
        fixture.batch.sent(2);
        assertEquals(1, coalesce());
        assertEquals(3, fixture.batch.readyCount());
        assertEquals(2, fixture.batch.packets(2));
        assertFalse(VnetHeader.needsChecksum(fixture.buffer, fixture.batch.netHeader(0)));
    }
}
