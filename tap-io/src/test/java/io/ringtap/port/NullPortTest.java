package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.flow.FrameLayout;
import org.junit.jupiter.api.Test;

import java.nio.ByteOrder;

/** The port that costs nothing. */
class NullPortTest extends QueueContract
{
    private static final long MAC = 0x6655_4433_2202L;

    @Override
    void begin()
    {
        open(GeneratedFrames.NONE);
    }

    @Test
    void shouldSwallowAndCount()
    {
        open(GeneratedFrames.NONE);
        TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(1, 100));
        TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(2, 60));
        rig.batch.packets(1, 7);
        assertEquals(2, rig.queue.transmit(rig.batch));
        assertTrue(rig.batch.isDrained());
        assertEquals(0, rig.queue.transmit(rig.batch));
        TestFrames.finish(rig.batch, rig.allocator);
        assertEquals(2, rig.count(PortCounter.TX_FRAMES));
        assertEquals(8, rig.count(PortCounter.TX_PACKETS));
        assertEquals(160, rig.count(PortCounter.TX_BYTES));
        assertEquals(0, rig.queue.receive(rig.batch, PortRig.BATCH));
        assertTrue(rig.queue.armReceive());
        assertEquals(-1, rig.queue.waitDescriptor());
    }

    @Test
    void shouldGenerateFlowsInTurnWithoutEnd()
    {
        open(new GeneratedFrames(64, 3, MAC));
        int expected = 0;
        for (int round = 0; round < 10; round++)
        {
            assertEquals(PortRig.BATCH, rig.queue.receive(rig.batch, 1000));
            for (int i = 0; i < PortRig.BATCH; i++, expected++)
            {
                final int offset = rig.batch.offset(i);
                assertEquals(64, rig.batch.length(i));
                assertEquals(0, rig.arena.buffer().getLong(offset - FrameLayout.NET_HEADER));
                assertEquals(0x0222, rig.arena.buffer().getShort(offset, ByteOrder.BIG_ENDIAN));
                assertEquals(1024 + expected % 3, rig.arena.buffer().getShort(offset + 34, ByteOrder.BIG_ENDIAN));
                assertTrue(rig.batch.slotEnd(i) > offset + 64);
            }
            rig.queue.release(rig.batch);
            assertEquals(0, rig.batch.frames());
        }
        assertFalse(rig.queue.armReceive());
        assertEquals(640, rig.count(PortCounter.RX_FRAMES));
        assertEquals(640 * 64, rig.count(PortCounter.RX_BYTES));
    }

    @Test
    void shouldGiveItsFragmentsBackWhenTheArenaIsTooSmall()
    {
        assertThrows(PortException.class, () -> rig = new PortRig(
            1, (arena, allocator) ->
            {
                try
                {
                    return new NullPort(1, 1500, arena.buffer(), (i) -> allocator, new GeneratedFrames(1514, 1, MAC));
                }
                finally
                {
                    assertEquals(0, arena.report().fragmentsOut());
                }
            }));
    }

    @Test
    void shouldRefuseFramesThatCannotBe()
    {
        assertThrows(IllegalArgumentException.class, () -> new GeneratedFrames(41, 1, MAC));
        assertThrows(IllegalArgumentException.class, () -> new GeneratedFrames(64, 0, MAC));
        assertThrows(PortException.class, () -> open(new GeneratedFrames(FrameLayout.SMALL_FRAME + 1, 1, MAC)));
    }

    private void open(final GeneratedFrames frames)
    {
        rig = new PortRig(64, (arena, allocator) ->
            new NullPort(1, MTU, arena.buffer(), (i) -> allocator, frames));
    }
}
