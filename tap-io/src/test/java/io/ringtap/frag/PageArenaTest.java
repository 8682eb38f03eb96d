package io.ringtap.frag;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Pages, runs and references. */
class PageArenaTest
{
    private final PageArena arena = new PageArena(70);

    @AfterEach
    void close()
    {
        arena.close();
    }

    @Test
    void shouldMapEveryPage()
    {
        assertEquals(70 * 32 * 1024, arena.length());
        assertEquals(arena.length(), arena.buffer().capacity());
        assertEquals(arena.address(), arena.buffer().addressOffset());
        arena.buffer().putByte(arena.buffer().capacity() - 1, (byte)1);
    }

    @Test
    void shouldStayOutOfCoreDumps() throws IOException
    {
        String flags = "";
        boolean isOurs = false;
        for (final String line : Files.readAllLines(Path.of("/proc/self/smaps")))
        {
            final Matcher range = Pattern.compile("^([0-9a-f]+)-([0-9a-f]+) ").matcher(line);
            if (range.find())
            {
                isOurs = Long.parseUnsignedLong(range.group(1), 16) <= arena.address() &&
                    arena.address() < Long.parseUnsignedLong(range.group(2), 16);
            }
            flags = isOurs && line.startsWith("VmFlags:") ? line : flags;
        }
        assertTrue(flags.contains(" dd"), flags);
    }

    @Test
    void shouldTakeTheLowestFreePage()
    {
        for (int page = 0; page < 70; page++)
        {
            assertEquals(page, arena.takePage());
        }
        assertEquals(PageArena.EXHAUSTED, arena.takePage());
        assertEquals(0, arena.report().freePages());
        arena.givePage(69);
        arena.givePage(3);
        assertEquals(3, arena.takePage());
        assertEquals(69, arena.takePage());
        assertEquals(72, arena.report().pagesTaken());
    }

    @Test
    void shouldTakeAndGiveBackRuns()
    {
        assertEquals(0, arena.takePage());
        final int run = arena.takeRun(64);
        assertEquals(1, run);
        assertEquals(PageArena.EXHAUSTED, arena.takeRun(6));
        assertEquals(65, arena.takeRun(5));
        assertEquals(0, arena.report().freePages());
        arena.givePage(run);
        assertEquals(64, arena.report().freePages());
        arena.givePage(0);
        assertEquals(0, arena.takeRun(65));
    }

    @Test
    void shouldRecycleAPageWithItsLastReference()
    {
        final int page = arena.takePage();
        arena.hold(page, 2);
        arena.drop(page, 1);
        arena.drop(page, 1);
        assertEquals(69, arena.report().freePages());
        assertEquals(1, arena.report().fragmentsOut());
        arena.drop(page, 1);
        assertEquals(70, arena.report().freePages());
    }

    @Test
    void shouldRefuseOneReleaseTooMany()
    {
        final int page = arena.takePage();
        arena.givePage(page);
        assertThrows(IllegalStateException.class, () -> arena.givePage(page));
    }

    @Test
    void shouldRefuseImpossibleSizes()
    {
        assertThrows(IllegalArgumentException.class, () -> new PageArena(0));
        assertThrows(IllegalArgumentException.class, () -> new PageArena(PageArena.MAX_PAGES + 1));
        assertThrows(IllegalArgumentException.class, () -> arena.takeRun(0));
        assertEquals(PageArena.EXHAUSTED, arena.takeRun(71));
    }

    @Test
    void shouldCountRegistrations()
    {
        arena.countRegistration();
        assertEquals(1, arena.report().registrations());
    }
}
