package io.ringtap.command;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a command line gets: output, one line of complaint, exit code. */
class ProgramTest
{
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(final String... words)
    {
        return Program.run(
            words,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String out()
    {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err()
    {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldPrintCapabilitiesAndNothingElse()
    {
        assertEquals(0, run("--print-capabilities"));
        final String names = "(\"[a-z0-9_-]+\"(,\"[a-z0-9_-]+\")*)?";
        assertTrue(out().matches("\\{\"type\":\"net\",\"features\":\\[" + names + "]}\\R"), out());
        assertEquals("", err());
    }

    @Test
    void shouldPrintCapabilitiesWhateverElseIsGiven()
    {
        assertEquals(0, run("--nonsense", "--queues=0", "--print-capabilities", "--help"));
        assertTrue(out().startsWith("{\"type\":\"net\""), out());
        assertEquals("", err());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--queues=0 --null --socket-path=/tmp/s | --queues=0: not a number from 1 to 64; give for example 1",
        "--null | no socket: the front-end has nowhere to connect; give --socket-path=PATH or --fd=N",
        "--null --nul=1 | Unknown option: '--nul=1'; did you mean --null?",
        "--io=auto --io=auto | --io: given 2 times; give it once",
        "--socket-path | Missing required parameter for option '--socket-path' (PATH); see ringtap --help",
        "demo --seconds=0 | --seconds=0: not 1 to 3600; give for example 2",
        "demo --fast | Unknown option: '--fast'; see ringtap demo --help",
        "walk | Unmatched argument at index 0: 'walk'; see ringtap --help"})
    void shouldRefuseBadUsageInOneLineWithExitCodeTwo(final String line, final String message)
    {
        assertEquals(2, run(line.split(" ")));
        assertEquals("ringtap: " + message, err().stripTrailing());
        assertEquals("", out());
    }

    @Test
    void shouldAddTheTraceWhenVerbose()
    {
        assertEquals(2, run("--null", "--verbose"));
        assertTrue(err().contains("\tat io.ringtap"), err());
    }

    @Test
    void shouldTakeAValueAsAWordOfItsOwn()
    {
        assertEquals(2, run("--null", "--socket-path", "/tmp/s", "--queues", "65"));
        assertEquals(
            "ringtap: --queues=65: not a number from 1 to 64; give for example 1", err().stripTrailing());
    }

    @Test
    void shouldHelpWithEveryOption()
    {
        assertEquals(0, run("--help"));
        for (final ServeOption option : ServeOption.values())
        {
            assertTrue(out().contains(option.word()), option.word());
        }
        for (final ServeOption.Group group : ServeOption.Group.values())
        {
            assertTrue(out().contains(group.heading()), group.heading());
        }
        assertTrue(out().contains("--print-capabilities"));
        assertFalse(out().contains(WarmUp.WORD));
        assertEquals("", err());
    }

    @Test
    void shouldSayTheVersion()
    {
        assertEquals(0, run("--version"));
        assertTrue(out().startsWith("ringtap "), out());
        assertTrue(out().contains("Java " + Runtime.version()), out());
    }

    @Test
    void shouldGenerateCompletion()
    {
        assertEquals(0, run("generate-completion"));
        assertTrue(out().contains("--socket-path"), out());
    }
}
