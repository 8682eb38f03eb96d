package io.ringtap.frag;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What the strategies have in common and where they differ. */
class FragAllocatorTest
{
    private static final int PAGES = 8;

    private final PageArena arena = new PageArena(PAGES);

    @AfterEach
    void close()
    {
        arena.close();
    }

    @Test
    void shouldPackThreeJumboBuffersInAPage()
    {
        assertEquals(3 * PAGES, allocateAll(FragStrategy.SHARED, 9 * 1024));
    }

    @Test
    void shouldPackTwentyEthernetBuffersInAPage()
    {
        assertTrue(allocateAll(FragStrategy.PER_QUEUE, 1500) >= 20 * PAGES);
    }

    @Test
    void shouldUseAPageForEveryFragmentWhenAsked()
    {
        assertEquals(PAGES, allocateAll(FragStrategy.FULL_PAGE, 64));
    }

    private int allocateAll(final FragStrategy strategy, final int length)
    {
        final FragAllocator allocator = strategy.create(arena);
        int count = 0;
        while (allocator.allocate(length) != FragAllocator.EXHAUSTED)
        {
            count++;
        }
        return count;
    }

    @ParameterizedTest
    @EnumSource
    void shouldReturnEveryPageWhenAllIsReleased(final FragStrategy strategy)
    {
        final FragAllocator allocator = strategy.create(arena);
        final int[] out = new int[10_000];
        for (int round = 0; round < 5; round++)
        {
            int count = 0;
            for (int f = allocator.allocate(2048); f != FragAllocator.EXHAUSTED; f = allocator.allocate(2048))
            {
                assertEquals(0, f & 63);
                out[count++] = f;
            }
            assertEquals(count, arena.report().fragmentsOut());
            for (int i = 0; i < count; i++)
            {
                allocator.release(out[i]);
            }
            assertEquals(0, arena.report().fragmentsOut());
        }
        allocator.close();
        assertEquals(PAGES, arena.report().freePages());
    }

    @ParameterizedTest
    @EnumSource
    void shouldAllocateAndReleaseBatches(final FragStrategy strategy)
    {
        final FragAllocator allocator = strategy.create(arena);
        final int[] out = new int[1000];
        final int count = allocator.allocate(4096, 1000, out);
        assertEquals(strategy == FragStrategy.FULL_PAGE ? PAGES : 8 * PAGES, count);
        assertEquals(count, arena.report().fragmentsOut());
        allocator.release(out, count);
        assertEquals(0, arena.report().fragmentsOut());
        assertEquals(5, allocator.allocate(4096, 5, out));
        allocator.release(out, 5);
        allocator.close();
        assertEquals(PAGES, arena.report().freePages());
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeLongFragmentsByRunsOfPages(final FragStrategy strategy)
    {
        final FragAllocator allocator = strategy.create(arena);
        final int big = allocator.allocate(65818);
        assertEquals(PAGES - 3, arena.report().freePages());
        arena.buffer().setMemory(big, 65818, (byte)1);
        allocator.retain(big);
        allocator.release(big);
        assertEquals(1, arena.report().fragmentsOut());
        allocator.release(big);
        assertEquals(PAGES, arena.report().freePages());
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepAPageWhileAFragmentIsRetained(final FragStrategy strategy)
    {
        final FragAllocator allocator = strategy.create(arena);
        final int fragment = allocator.allocate(100);
        allocator.retain(fragment);
        allocator.release(fragment);
        allocator.close();
        assertEquals(PAGES - 1, arena.report().freePages());
        allocator.release(fragment);
        assertEquals(PAGES, arena.report().freePages());
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseEmptyFragments(final FragStrategy strategy)
    {
        final FragAllocator allocator = strategy.create(arena);
        assertThrows(IllegalArgumentException.class, () -> allocator.allocate(0));
        assertThrows(IllegalArgumentException.class, () -> allocator.allocate(-1));
        assertThrows(IllegalArgumentException.class, () -> allocator.allocate(Integer.MIN_VALUE));
    }

    @Test
    void shouldCutAPageAgainWithoutAskingTheArena()
    {
        final FragAllocator allocator = FragStrategy.PER_QUEUE.create(arena);
        for (int i = 0; i < 1000; i++)
        {
            allocator.release(allocator.allocate(2048));
        }
        assertEquals(1, arena.report().pagesTaken());
    }

    @Test
    void shouldServeSmallFragmentsFromTheOldPageWhileNoFreshOneIsFree()
    {
        final FragAllocator allocator = FragStrategy.SHARED.create(arena);
        for (int i = 0; i < PAGES; i++)
        {
            allocator.allocate(20_000);
        }
        assertEquals(FragAllocator.EXHAUSTED, allocator.allocate(20_000));
        assertTrue(allocator.allocate(2048) >= 0);
    }

    @Test
    void shouldGiveEachQueueWhatTheStrategySays()
    {
        final FragAllocator[] shared = FragStrategy.SHARED.create(arena, 2);
        assertSame(shared[0], shared[1]);
        final FragAllocator[] own = FragStrategy.PER_QUEUE.create(arena, 2);
        assertNotSame(own[0], own[1]);
        assertEquals("full-page", FragStrategy.FULL_PAGE.label());
    }
}
