package io.ringtap.top;

import io.ringtap.terminal.Canvas;
import io.ringtap.terminal.Key;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Whole screens, compared with files that somebody looked at; {@code -Dringtap.test.screens=write} writes them, and the
 * pictures of them in docs/images.
 */
class PictureTest
{
    private static final boolean IS_WRITING = "write".equals(System.getProperty("ringtap.test.screens"));
    private static final Path SCREENS = Path.of("src/test/resources/top");
    private static final Path IMAGES = Path.of("../docs/images");
    private static final int SECONDS = 90;

    @ParameterizedTest
    @CsvSource({
        "1, 1, 80, 24, false", "1, 8, 80, 24, true", "1, 1, 200, 50, true", "1, 8, 200, 50, true",
        "3, 2, 80, 24, true", "3, 2, 120, 30, false", "40, 1, 80, 24, false",
    })
    void shouldDrawEveryScreenAsItWasLookedAt(
        final int ports, final int queues, final int columns, final int rows, final boolean hasLosses) throws Exception
    {
        final Canvas canvas = picture(Glyphs.UNICODE).draw(
            Traffic.reading(names(ports), queues, hasLosses, SECONDS), new ViewState(1), null, rows, columns);
        final String name = columns + "x" + rows + "-" + queues + (1 == ports ? "" : "-" + ports + "-ports");
        check(name, canvas);
        image(name, canvas);
    }

    @Test
    void shouldDrawWhatKeysAskFor() throws Exception
    {
        final Reading reading = Traffic.reading(names(1), 8, true, SECONDS);
        final ViewState state = new ViewState(1);
        for (final char key : "suprs+".toCharArray())
        {
            state.press(new Key(Key.Kind.CHARACTER, key), Picture.columns(reading, state, 80));
        }
        check("sorted", picture(Glyphs.UNICODE).draw(reading, state, null, 24, 80));
        press(state, "pa");
        check("summed", picture(Glyphs.ASCII).draw(reading, state, "NO ANSWER", 24, 80));
        press(state, "?");
        check("help", picture(Glyphs.UNICODE).draw(reading, state, null, 24, 80));
        press(state, "x");
        assertTrue(!state.isHelp() && !state.isEnded(), "any key ends help, and only that");
        press(state, "q");
        assertTrue(state.isEnded());
    }

    @Test
    void shouldScrollThroughMoreRowsThanThereIsRoomFor()
    {
        final Reading reading = Traffic.reading(names(40), 1, false, 3);
        final ViewState state = new ViewState(1);
        for (int i = 0; i < 100; i++)
        {
            state.press(new Key(Key.Kind.PAGE_DOWN, '\0'), List.of());
        }
        final String last = String.join("\n", picture(Glyphs.UNICODE).draw(reading, state, null, 24, 80).lines());
        assertTrue(last.contains("vm39") && last.contains("of 80"), last);
        state.press(new Key(Key.Kind.HOME, '\0'), List.of());
        final String first = String.join("\n", picture(Glyphs.UNICODE).draw(reading, state, null, 24, 80).lines());
        assertTrue(first.contains("vm00") && !first.contains("vm39"), first);
    }

    @Test
    void shouldDrawSomethingOnAnyScreen()
    {
        int drawn = 0;
        final Reading full = Traffic.reading(names(3), 4, true, 5);
        for (int rows = 1; rows < 60; rows++)
        {
            for (int columns = 1; columns < 230; columns += 1 + rows % 7)
            {
                for (final Reading reading : List.of(full, new Reading(), Traffic.reading(List.of(), 1, false, 2)))
                {
                    final Canvas canvas = picture(Glyphs.UNICODE).draw(
                        reading, new ViewState(1), null, rows, columns);
                    assertEquals(rows, canvas.lines().size());
                    drawn++;
                }
            }
        }
        System.out.println(drawn + " screens drawn");
    }

    @Test
    void shouldNotLetANameSteerTheTerminal()
    {
        final Canvas canvas = picture(Glyphs.UNICODE).draw(
            Traffic.reading(List.of("\033]0;x\007\n"), 1, false, 2), new ViewState(1), null, 24, 80);
        assertTrue(String.join("", canvas.lines()).chars().noneMatch(Character::isISOControl));
    }

    @ParameterizedTest
    @CsvSource({
        "1, +, 2", "1, -, 0.5", "3, +, 5", "3, -, 2", "3600, +, 3600", "3600, -, 60", "0.1, -, 0.1", "0.1, +, 0.2",
    })
    void shouldStepFromWhateverIntervalItWasStartedWith(final double interval, final String key, final double next)
    {
        final ViewState state = new ViewState(interval);
        press(state, key);
        assertEquals(next, state.interval());
    }

    @Test
    void shouldSayThatATimeIsBeyondAllBounds()
    {
        final Distribution times = new Distribution(List.of(98L, 0L, 2L), 1_000);
        assertEquals(1, times.quantile(0.5));
        assertEquals("1 µs", Figures.time(times.quantile(0.98), Glyphs.UNICODE));
        assertEquals("∞", Figures.time(times.quantile(0.99), Glyphs.UNICODE));
        assertEquals("inf", Figures.time(times.quantile(1), Glyphs.ASCII));
    }

    @Test
    void shouldBeginAnewWhenTheBackendWasRestarted()
    {
        final Reading reading = new Reading();
        final Traffic before = new Traffic(names(1), 1, false);
        for (int i = 0; i < 5; i++)
        {
            reading.take(before.next());
        }
        final Snapshot fresh = new Traffic(names(1), 1, false).next();
        reading.take(new Snapshot(6_000_000_000L, fresh.ports()));
        assertEquals(0, reading.rows(false).get(0).packets());
    }

    private static void press(final ViewState state, final String keys)
    {
        for (final char key : keys.toCharArray())
        {
            state.press(new Key(Key.Kind.CHARACTER, key), List.of());
        }
    }

    private static Picture picture(final Glyphs glyphs)
    {
        return new Picture(glyphs, "/run/ringtap/vm1.control");
    }

    private static List<String> names(final int ports)
    {
        final List<String> names = new ArrayList<>();
        for (int i = 0; i < ports; i++)
        {
            names.add(1 == ports ? "tap0" : String.format("vm%02d", i));
        }
        return names;
    }

    private static void check(final String name, final Canvas canvas) throws IOException
    {
        final String drawn = String.join("\n", canvas.lines()) + "\n";
        compare(SCREENS.resolve(name + ".txt"), drawn);
    }

    private static void image(final String name, final Canvas canvas) throws IOException
    {
        if (name.matches("(80x24|200x50)-[18]"))
        {
            compare(IMAGES.resolve("top-" + name + ".svg"), SvgScreen.of(canvas, "ringtap top, " + name));
        }
    }

    private static void compare(final Path file, final String drawn) throws IOException
    {
        if (IS_WRITING)
        {
            Files.createDirectories(file.getParent());
            Files.writeString(file, drawn);
        }
        assertEquals(Files.readString(file), drawn, file.toString());
    }
}
