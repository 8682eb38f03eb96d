package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The live view on a real terminal, which script(1) makes: how it comes, changes its size and goes. */
class TopIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String OPENED = "\033[?1049h";
    private static final String CLOSED = "\033[?1049l";
    private static final Pattern SETTINGS = Pattern.compile("([0-9a-f]+:){20,}[0-9a-f]+");

    private static Lab lab;
    private static Path control;

    @BeforeAll
    static void serve()
    {
        lab = Lab.open(TopIT.class);
        control = lab.socket("control.sock");
        Ringtap.serve(lab, "ringtap", lab.socket("vhost.sock"), "--null", "--queues=2", "--control=" + control);
        Await.until("the control socket", LIMIT, () -> Files.exists(control));
    }

    @AfterAll
    static void takeDown()
    {
        if (null != lab)
        {
            lab.close();
        }
    }

    @Test
    void shouldPrintLinesWithoutATerminal()
    {
        final Shell.Result result = Shell.run(words("--count=2", "--interval=0.2").toArray(new String[0]));
        assertEquals(0, result.exitCode(), result.output());
        assertEquals(1 + 2 * 4, result.output().lines().count(), result.output());
        assertTrue(result.output().lines().allMatch((line) -> line.chars().allMatch((c) -> ' ' <= c && c < 127)));
        final Shell.Result refused = Shell.run(words("--interval=0").toArray(new String[0]));
        assertEquals(2, refused.exitCode(), refused.output());
    }

    @Test
    void shouldFollowTheWindowsSizeAndLeaveTheTerminalAsItWas()
    {
        final Path typed = lab.file("sizes.typescript");
        final HostProcess script = script("sizes", typed, "stty rows 24 cols 80; (sleep 2; stty rows 50 cols 200 " +
            "< /dev/tty) & " + String.join(" ", words("--count=25", "--interval=0.2")));
        Await.until("its end", LIMIT, () -> !script.isAlive());
        final String screen = HostFiles.read(typed);
        assertTrue(screen.contains(OPENED) && screen.indexOf(CLOSED) > screen.indexOf(OPENED), screen);
        assertTrue(screen.contains("CALLS/PKT") && screen.contains("NOTIFIED/S"), "narrow, then wide");
        unchanged(screen);
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void shouldLeaveTheTerminalAsItWasAfterASignal(final String signal)
    {
        final Path typed = lab.file("signal-" + signal + ".typescript");
        final Path pid = lab.file("pid-" + signal);
        final HostProcess script = script("signal-" + signal, typed, "stty rows 24 cols 80; sh -c 'echo $$ > " + pid +
            "; exec " + String.join(" ", words("--interval=0.2")) + "'");
        Await.until("the screen", LIMIT, () -> Files.exists(typed) && HostFiles.read(typed).contains("PACKETS/S"));
        Shell.check("kill", "-" + signal, HostFiles.read(pid).strip());
        Await.until("its end", LIMIT, () -> !script.isAlive());
        final String screen = HostFiles.read(typed);
        assertTrue(screen.contains(CLOSED), screen);
        unchanged(screen);
    }

    /** The terminal's settings are printed before and after. */
    private static void unchanged(final String screen)
    {
        final List<String> settings = new ArrayList<>();
        final Matcher matcher = SETTINGS.matcher(screen.replaceAll("\033\\[[?0-9;]*[A-Za-z]", " "));
        while (matcher.find())
        {
            settings.add(matcher.group());
        }
        assertEquals(2, settings.size(), screen);
        assertEquals(settings.get(0), settings.get(1));
    }

    private static HostProcess script(final String name, final Path typed, final String command)
    {
        return lab.start(name, "env", "LC_ALL=C.UTF-8", "TERM=xterm", "script", "-q", "-e", "-f", "-c",
            "stty -g; " + command + "; stty -g", typed.toString());
    }

    private static List<String> words(final String... options)
    {
        final List<String> words = new ArrayList<>(Ringtap.command(Jdks.current()));
        words.addAll(List.of("top", "--control=" + control));
        words.addAll(List.of(options));
        return words;
    }
}
