package io.ringtap.vhost.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.ringtap.sys.MemFd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is known of the guest's IOMMU, held against a map of pages. */
class IotlbTest
{
    private static final int READ = Iotlb.READ;
    private static final int WRITE = Iotlb.WRITE;
    private static final long PAGE = 4096;
    private static final long SIZE = 64 * PAGE;
    private static final long FRONTEND = 0x7f00_0000_0000L;

    private final GuestMemory memory = GuestMemory.map(List.of(
        new RegionRequest(0, SIZE, FRONTEND, 0, MemFd.create("guest", SIZE))));
    private int wakes;
    private final Iotlb iotlb = new Iotlb(() -> wakes++);
    private final long host = memory.hostOfFrontend(FRONTEND, SIZE);
    private final long[] miss = new long[3];

    @AfterEach
    void close()
    {
        memory.close();
    }

    /** A driver may write any length: looking at each page of it would hold the worker. */
    @Test
    void shouldAskForNoMorePagesThanItHasRoomForQuestions()
    {
        assertEquals(Iotlb.Answer.AWAITED, iotlb.want(0, 1L << 52, READ));
        assertEquals(Iotlb.MAX_QUESTIONS, wakes);
        for (int i = 0; i < Iotlb.MAX_QUESTIONS; i++)
        {
            assertTrue(iotlb.takeMiss(miss));
        }
        assertFalse(iotlb.takeMiss(miss));
    }

    @Test
    void shouldAgreeWithAMapOfPages()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final Map<Long, Long> model = new HashMap<>();
        for (int i = 0; i < 3000; i++)
        {
            final long first = random.nextInt(200);
            final long pages = 1 + random.nextInt(random.nextInt(10) == 0 ? 60 : 4);
            if (random.nextInt(3) != 0)
            {
                final long to = random.nextInt((int)(64 - pages) + 1);
                iotlb.update(memory, first * PAGE, pages * PAGE, FRONTEND + to * PAGE, READ | WRITE);
                for (final Long page : List.copyOf(model.keySet()))
                {
                    // What an update overlaps may be forgotten as a whole, never be wrong.
                    if (iotlb.find(page * PAGE, READ) == null)
                    {
                        model.remove(page);
                    }
                }
                for (long page = 0; page < pages; page++)
                {
                    model.put(first + page, host + (to + page) * PAGE);
                }
            }
            else
            {
                iotlb.invalidate(first * PAGE, pages * PAGE);
                for (long page = 0; page < pages; page++)
                {
                    model.remove(first + page);
                    assertNull(iotlb.find((first + page) * PAGE, READ));
                }
                model.keySet().removeIf(page -> iotlb.find(page * PAGE, READ) == null);
            }
            for (long page = 0; page < 270; page++)
            {
                final Iotlb.Translation found = iotlb.find(page * PAGE + 17, READ | WRITE);
                assertEquals(model.get(page), found == null ? null : found.hostOf(page * PAGE), "seed " + seed);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0, 3", "0, -1, 0, 3", "-4096, 8192, 0, 3", "0, 4096, 0, 0", "0, 4096, 0, 4",
        "0, 4096, -4096, 3", "0, 262145, 0, 3", "0, 4096, 262144, 3", "0, 9223372036854775807, 0, 3"})
    void shouldRefuseTranslationsThatAreNone(
        final long iova, final long size, final long frontendOffset, final int permission)
    {
        assertThrows(GuestMemoryException.class,
            () -> iotlb.update(memory, iova, size, FRONTEND + frontendOffset, permission));
        assertEquals(0, iotlb.count());
    }

    @Test
    void shouldKeepARangeToTheEndOfAllAddresses()
    {
        iotlb.update(memory, -PAGE, PAGE, FRONTEND, READ);
        assertNotNull(iotlb.find(-1, READ));
        assertNull(iotlb.find(-1, WRITE));
        iotlb.invalidate(0, -1);
        assertEquals(0, iotlb.count(), "all but the last byte is a part of the range");
    }

    @Test
    void shouldAskForEachPageOnceAndForMoreRightsOnceMore()
    {
        assertEquals(Iotlb.Answer.AWAITED, iotlb.miss(PAGE + 5, READ));
        assertEquals(Iotlb.Answer.AWAITED, iotlb.miss(PAGE + 7, READ));
        assertEquals(1, wakes);
        assertTrue(iotlb.takeMiss(miss));
        assertEquals(PAGE, miss[0]);
        assertEquals(READ, miss[1]);
        assertFalse(iotlb.takeMiss(miss));

        iotlb.miss(PAGE, WRITE);
        assertEquals(2, wakes);
        assertTrue(iotlb.takeMiss(miss));
        assertEquals(READ | WRITE, miss[1]);
        assertFalse(iotlb.takeMiss(miss));
        assertTrue(iotlb.isAwaited());

        iotlb.update(memory, PAGE, PAGE, FRONTEND, READ);
        assertTrue(iotlb.isAwaited(), "what came is less than what was asked for");
        iotlb.update(memory, PAGE, PAGE, FRONTEND, READ | WRITE);
        assertFalse(iotlb.isAwaited());
    }

    @Test
    void shouldAskAgainForWhatWasTakenBackBeforeItCame()
    {
        iotlb.miss(PAGE, READ);
        assertTrue(iotlb.takeMiss(miss));
        iotlb.invalidate(0, SIZE);
        assertFalse(iotlb.isAwaited());
        iotlb.miss(PAGE, READ);
        assertTrue(iotlb.takeMiss(miss));
    }

    @Test
    void shouldTellOfARefusalOnce()
    {
        iotlb.miss(PAGE, READ);
        iotlb.takeMiss(miss);
        iotlb.refuse(miss[2]);
        assertEquals(Iotlb.Answer.REFUSED, iotlb.miss(PAGE + 1, READ));
        assertEquals(Iotlb.Answer.AWAITED, iotlb.miss(PAGE + 1, READ));
        assertTrue(iotlb.takeMiss(miss));
    }

    /** An answer to a question that was asked before the page was taken back says nothing of the one asked since. */
    @Test
    void shouldNotTakeAnOldRefusalForANewOne()
    {
        iotlb.miss(PAGE, READ);
        iotlb.takeMiss(miss);
        final long old = miss[2];
        iotlb.invalidate(0, SIZE);
        iotlb.miss(PAGE, READ);
        iotlb.takeMiss(miss);
        iotlb.refuse(old);
        assertEquals(Iotlb.Answer.AWAITED, iotlb.miss(PAGE, READ));
        iotlb.refuse(miss[2]);
        assertEquals(Iotlb.Answer.REFUSED, iotlb.miss(PAGE, READ));
    }

    @Test
    void shouldForgetWhatWasToldAndAsked()
    {
        iotlb.update(memory, PAGE, PAGE, FRONTEND, READ);
        iotlb.miss(2 * PAGE, READ);
        iotlb.takeMiss(miss);
        iotlb.forget();
        assertEquals(0, iotlb.count());
        assertFalse(iotlb.isAwaited());
        iotlb.refuse(miss[2]);
        assertEquals(Iotlb.Answer.AWAITED, iotlb.miss(2 * PAGE, READ));
        assertTrue(iotlb.takeMiss(miss));
    }

    @Test
    void shouldKeepQuestionsAndTranslationsWithinLimits()
    {
        for (int page = 0; page < 3 * Iotlb.MAX_QUESTIONS; page++)
        {
            iotlb.miss(page * PAGE, READ);
        }
        int asked = 0;
        while (iotlb.takeMiss(miss))
        {
            asked++;
        }
        assertEquals(Iotlb.MAX_QUESTIONS, asked);
        for (int page = 0; page < 2 * Iotlb.MAX_TRANSLATIONS; page++)
        {
            iotlb.update(memory, 2 * page * PAGE, PAGE, FRONTEND, READ);
            assertTrue(iotlb.count() <= Iotlb.MAX_TRANSLATIONS);
            assertNotNull(iotlb.find(2 * page * PAGE, READ));
        }
    }

    @Test
    void shouldMoveToAnotherMapWithWhatItHolds()
    {
        iotlb.update(memory, 0, PAGE, FRONTEND, READ);
        iotlb.update(memory, PAGE, PAGE, FRONTEND + SIZE - PAGE, READ);
        try (GuestMemory smaller = GuestMemory.map(List.of(
            new RegionRequest(0, SIZE / 2, FRONTEND, 0, MemFd.create("smaller", SIZE / 2)))))
        {
            iotlb.moveTo(smaller);
            assertEquals(smaller.hostOfFrontend(FRONTEND, PAGE), iotlb.find(0, READ).hostAddress());
            assertNull(iotlb.find(PAGE, READ));
        }
    }

    @Test
    void shouldSayWhetherSomethingElseWasKnown()
    {
        assertFalse(iotlb.update(memory, 0, PAGE, FRONTEND, READ));
        assertFalse(iotlb.update(memory, 0, PAGE, FRONTEND, READ), "the same again");
        assertTrue(iotlb.update(memory, 0, PAGE, FRONTEND + PAGE, READ));
        assertFalse(iotlb.update(memory, PAGE, PAGE, FRONTEND, READ));
    }
}
