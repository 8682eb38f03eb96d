package io.ringtap.flow;

import org.junit.jupiter.api.AfterEach;

import java.util.List;
import java.util.function.Consumer;

import static io.ringtap.flow.TestFrame.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A batch to merge in, and the two outcomes: apart and untouched, or one that becomes them again. */
abstract class CoalesceTestBase
{
    final BatchFixture fixture = new BatchFixture();

    @AfterEach
    void close()
    {
        fixture.close();
    }

    int coalesce()
    {
        return fixture.coalescer.coalesce(fixture.batch, Offloads.ALL);
    }

    /** Both frames pass through untouched. */
    void assertApart(final byte[] first, final byte[] second)
    {
        fixture.add(first);
        fixture.add(second);
        assertEquals(0, coalesce());
        assertEquals(2, fixture.batch.readyCount());
        assertSame(first, BatchFixture.read(fixture.batch, fixture.batch.ready(0)));
        assertSame(second, BatchFixture.read(fixture.batch, fixture.batch.ready(1)));
        assertEquals(0, fixture.gsoType(0));
        fixture.clear();
    }

    void assertApart(final TestFrame first, final Consumer<TestFrame> change)
    {
        final TestFrame second = first.next();
        change.accept(second);
        assertApart(first.bytes(), second.bytes());
    }

    /** They become one, and one becomes them. */
    void assertMerged(final TestFrame... frames)
    {
        for (final TestFrame frame : frames)
        {
            fixture.add(frame);
        }
        assertEquals(frames.length - 1, coalesce());
        assertEquals(1, fixture.batch.readyCount());
        final int head = fixture.batch.ready(0);
        assertEquals(frames.length, fixture.batch.packets(head));
        assertEquals(frames[0].payload.length, fixture.gsoSize(head));
        assertTrue(VnetHeader.headerLength(fixture.buffer, fixture.batch.netHeader(head)) == frames[0].headers());
        final List<byte[]> back = fixture.segmented();
        for (int i = 0; i < frames.length; i++)
        {
            assertSame(frames[i].bytes(), back.get(i));
        }
        fixture.clear();
    }
}
