package io.ringtap.flow;

import io.ringtap.RandomSeed;
import io.ringtap.sys.Memory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Flows come together, and inside a flow nothing moves. */
class FlowSorterTest
{
    private static final int SLOT = 512;

    private final UnsafeBuffer arena = Memory.scratch(300 * SLOT);
    private final FrameBatch batch = new FrameBatch(arena, 300, 300);
    private final FlowSorter sorter = new FlowSorter(256);

    @AfterEach
    void close()
    {
        batch.close();
    }

    private void add(final byte[] frame)
    {
        final int slot = batch.frames() * SLOT;
        arena.putBytes(slot + 256, frame);
        VnetHeader.clear(arena, slot + 244);
        batch.add(slot, SLOT, slot + 256, frame.length, batch.frames());
    }

    private void addFlow(final int flow)
    {
        final TestFrame frame = TestFrame.udp(18);
        frame.sourcePort = 1000 + flow;
        add(frame.bytes());
    }

    private List<Integer> ready()
    {
        final List<Integer> ready = new ArrayList<>();
        for (int k = 0; k < batch.readyCount(); k++)
        {
            ready.add(batch.ready(k));
        }
        return ready;
    }

    @Test
    void shouldGroupInOrderOfFirstAppearance()
    {
        for (final int flow : new int[] { 7, 3, 7, 9, 3, 7 })
        {
            addFlow(flow);
        }
        assertEquals(3, sorter.sort(batch));
        assertEquals(List.of(0, 2, 5, 1, 4, 3), ready());
        assertEquals(batch.flow(0), batch.flow(5));
        assertNotEquals(batch.flow(0), batch.flow(1));
    }

    @Test
    void shouldLeaveSortedBatchAlone()
    {
        for (final int flow : new int[] { 1, 1, 2, 2, 3 })
        {
            addFlow(flow);
        }
        assertEquals(3, sorter.sort(batch));
        assertEquals(List.of(0, 1, 2, 3, 4), ready());
    }

    @Test
    void shouldSortOnlyReadyFramesThatWereNotSent()
    {
        for (final int flow : new int[] { 1, 2, 1, 2, 1, 2 })
        {
            addFlow(flow);
        }
        batch.ready(2, 3);
        batch.ready(3, 4);
        batch.ready(4, 5);
        batch.readyCount(5);
        batch.sent(1);
        assertEquals(2, sorter.sort(batch));
        assertEquals(List.of(0, 1, 3, 5, 4), ready());
    }

    @Test
    void shouldTakeAnEmptyBatch()
    {
        assertEquals(0, sorter.sort(batch));
    }

    @Test
    void shouldRefuseBatchesThatItsTableCannotHold()
    {
        assertThrows(IllegalArgumentException.class, () -> new FlowSorter(0));
        assertThrows(IllegalArgumentException.class, () -> new FlowSorter(FlowSorter.MAX_CAPACITY + 1));
    }

    @Test
    void shouldKeepEachFlowsOrderInRandomBatches()
    {
        final Random random = RandomSeed.random(FlowSorterTest.class);
        for (int n = 0; n < 2000; n++)
        {
            batch.clear();
            final int count = 1 + random.nextInt(256);
            final int flows = 1 + random.nextInt(random.nextBoolean() ? 4 : 256);
            for (int i = 0; i < count; i++)
            {
                addFlow(random.nextInt(flows));
            }
            final Map<Long, List<Integer>> expected = new LinkedHashMap<>();
            for (int i = 0; i < count; i++)
            {
                final long key = FlowKey.of(arena, batch.offset(i), batch.linearLength(i));
                expected.computeIfAbsent(key, k -> new ArrayList<>()).add(i);
            }
            assertEquals(expected.size(), sorter.sort(batch));
            final List<Integer> all = new ArrayList<>();
            expected.values().forEach(all::addAll);
            assertEquals(all, ready());
        }
    }

    @Test
    void shouldServeBatchesOfFramesWithAndWithoutFlows()
    {
        final Random random = RandomSeed.random(FlowSorterTest.class);
        for (int n = 0; n < 1000; n++)
        {
            batch.clear();
            for (int i = 0; i < 32; i++)
            {
                final byte[] bytes = new byte[14 + random.nextInt(100)];
                random.nextBytes(bytes);
                bytes[12] = 8;
                bytes[13] = (byte)random.nextInt(2);
                add(bytes);
            }
            sorter.sort(batch);
            assertEquals(32, batch.readyCount());
            assertEquals(32 * 31 / 2, ready().stream().mapToInt(i -> i).sum());
        }
    }
}
