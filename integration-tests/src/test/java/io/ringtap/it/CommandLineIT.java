package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.Settings;
import io.ringtap.it.rig.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program as it is called: exit codes, one line for each mistake, and nothing left behind. */
class CommandLineIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int BAD_USAGE = 2;
    private static final int FAILED = 1;

    private Lab lab;
    private Path socket;

    @BeforeEach
    void open()
    {
        lab = Lab.open(CommandLineIT.class);
        socket = lab.socket("vhost.sock");
    }

    @AfterEach
    void takeDown()
    {
        lab.close();
    }

    @Test
    void shouldPrintCapabilitiesWhateverElseIsGiven()
    {
        final Shell.Result result = Ringtap.run(lab, "--print-capabilities", "--nonsense", "--queues=x");

        assertEquals(0, result.exitCode());
        assertTrue(result.output().matches("(?s)\\s*\\{\\s*\"type\":\\s*\"net\",\\s*\"features\":\\s*\\[.*]\\s*}\\s*"),
            result.output());
    }

    @Test
    void shouldHelpCompletely()
    {
        final Shell.Result result = Ringtap.run(lab, "--help");

        assertEquals(0, result.exitCode());
        for (final String word : List.of("--socket-path", "--fd", "--tap", "--queues", "--mtu", "--no-offload",
            "--coalesce", "--busy-poll-us", "--print-capabilities", "Exit codes"))
        {
            assertTrue(result.output().contains(word), word + " in\n" + result.output());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--nonsense", "--queues=0", "--queues=many", "--mtu=1", "--coalesce=perhaps", "stray"})
    void shouldRefuseWrongOptionInOneLine(final String option)
    {
        final Shell.Result result = Ringtap.run(lab, "--socket-path=" + socket, "--null", option);

        assertOneLine(BAD_USAGE, result);
        assertFalse(Files.exists(socket));
    }

    @Test
    void shouldNameOptionThatIsMissing()
    {
        assertOneLine(BAD_USAGE, Ringtap.run(lab, "--tap=" + Wire.TAP));
        assertOneLine(BAD_USAGE, Ringtap.run(lab, "--socket-path=" + socket));
    }

    @Test
    void shouldRefusePathThatKernelCannotHold()
    {
        final Path tooLong = lab.socket("x".repeat(107));

        final Shell.Result result = Ringtap.run(lab, "--socket-path=" + tooLong, "--null");

        assertOneLine(BAD_USAGE, result);
        assertTrue(result.output().contains("107"), result.output());
    }

    @Test
    void shouldLeaveLiveSocketAlone()
    {
        final Ringtap first = Ringtap.serve(lab, "first", socket, "--null");

        final Shell.Result result = Ringtap.run(lab, "--socket-path=" + socket, "--null");

        assertOneLine(FAILED, result);
        assertTrue(result.output().contains(socket.toString()), result.output());
        assertTrue(Files.exists(socket));
        assertEquals(0, first.terminate());
        assertFalse(Files.exists(socket), "the socket file goes with its owner");
    }

    @Test
    void shouldReplaceSocketOfKilledBackend()
    {
        Ringtap.serve(lab, "first", socket, "--null").kill();
        assertTrue(Files.exists(socket));

        assertEquals(0, Ringtap.serve(lab, "second", socket, "--null").terminate());
    }

    @Test
    void shouldTakeTapAwayThatItMade()
    {
        final Ringtap backend = Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP);
        assertTrue(lab.netns().hasInterface(Wire.TAP));

        assertEquals(0, backend.terminate());

        assertFalse(lab.netns().hasInterface(Wire.TAP));
    }

    @Test
    void shouldSayWhichRightIsMissingToOpenTap() throws IOException
    {
        final Path jar = Files.copy(Settings.jar(), lab.socket("ringtap.jar"));
        try
        {
            final List<String> command = Ringtap.command(Jdks.current(), jar);
            command.addAll(0, List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
            command.addAll(List.of("--socket-path=/tmp/rt-nobody-" + ProcessHandle.current().pid(),
                "--tap=" + Wire.TAP));

            final Shell.Result result = lab.netns().run(LIMIT, command.toArray(String[]::new));

            assertOneLine(FAILED, result);
            assertTrue(result.output().contains(Wire.TAP) && result.output().contains("EPERM"), result.output());
            assertTrue(result.output().contains("--tap-fd"), result.output());
        }
        finally
        {
            Files.delete(jar);
        }
    }

    @Test
    void shouldSayThatGuestMemoryIsNotShared()
    {
        Provision.kit();
        final Ringtap backend = Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP);

        QemuGuest.plan().vhostUser(socket).memory("memory-backend-ram").start(lab, "guest");

        Await.until(() -> "a line that names share=on\n" + backend.process().output(), QemuGuest.BOOT_LIMIT,
            () -> backend.process().output().contains("share=on"));
        assertTrue(backend.process().isAlive(), "the backend lives on");
    }

    @Test
    void shouldServeThroughLauncher()
    {
        final Path launcher = Settings.root().resolve("ringtap");
        assertTrue(Files.isExecutable(launcher), launcher + " is executable");
        final HostProcess process = lab.start("launcher", launcher.toString(), "--socket-path=" + socket, "--null");
        Await.until(() -> "the socket\n" + process.output(), Duration.ofMinutes(3), () -> Files.exists(socket));

        assertEquals(0, process.terminate());

        assertFalse(Files.exists(socket));
    }

    private static void assertOneLine(final int exitCode, final Shell.Result result)
    {
        assertEquals(exitCode, result.exitCode(), result.output());
        assertEquals(1, result.output().strip().lines().count(), result.output());
        assertTrue(result.output().startsWith("ringtap: "), result.output());
    }
}
