package io.ringtap.it.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.FrontendException;
import io.ringtap.frontend.GuestQueue;
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.Settings;
import io.ringtap.it.rig.Shell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A JVM that dies under a launcher that supervises it: it is there again, and the guest goes on where it was. */
class SuperviseIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String TAP = "tap-s";
    private static final int FRAMES = 32;
    private static final int LENGTH = 200;

    @Test
    void shouldStartAJvmAgainThatDied()
    {
        Provision.root();
        try (Lab lab = Lab.open(SuperviseIT.class))
        {
            // Stays when the backend dies, as with a manager of virtual machines.
            lab.netns().addTap(TAP, false);
            final HostProcess launcher = lab.own(launch(lab));
            final Path socket = lab.socket("vhost.sock");
            try (Frontend frontend = new Frontend(
                new FrontendConfig().socketPath(socket.toString()).timeoutMs(60_000)))
            {
                frontend.connect();
                final GuestQueue queue = frontend.nic().queue(0);
                frontend.start();
                lab.netns().up(TAP, null);
                final List<Long> outagesMs = new ArrayList<>();
                for (final String signal : List.of("BUS", "KILL", "SEGV"))
                {
                    send(queue);
                    final long startNs = System.nanoTime();
                    Shell.check("kill", "-" + signal, jvm(launcher));
                    Await.until("the guest to notice", LIMIT, frontend::isPeerGone);
                    reconnect(frontend);
                    send(queue);
                    outagesMs.add((System.nanoTime() - startNs) / 1_000_000);
                }
                Progress.say("ms from SIGBUS, SIGKILL, SIGSEGV of the JVM until the guest's frames were taken again: " +
                    outagesMs);
            }
            assertEquals(0, launcher.terminate());
            final String log = launcher.output();
            assertTrue(log.contains("ended by signal 6; it is started again"), log);
            assertTrue(log.contains("ended by signal 9; it is started again in 1 s"), log);
            HostFiles.delete(lab.socket("ringtap.jar"));
            HostFiles.delete(lab.socket("ringtap"));
        }
    }

    @Test
    void shouldEndWithWhatItSupervises()
    {
        Provision.root();
        try (Lab lab = Lab.open(SuperviseIT.class))
        {
            // An error of the user's is none that another try would mend.
            final HostProcess launcher = start(lab, "--socket-path=" + lab.socket("vhost.sock"), "--tap=");
            assertEquals(2, launcher.exitCode(LIMIT));
            HostFiles.delete(lab.socket("ringtap.jar"));
            HostFiles.delete(lab.socket("ringtap"));
        }
    }

    private static HostProcess launch(final Lab lab)
    {
        return start(lab, "--socket-path=" + lab.socket("vhost.sock"), "--tap=" + TAP);
    }

    /** The launcher beside a jar, as it is installed. */
    private static HostProcess start(final Lab lab, final String... options)
    {
        try
        {
            final Path launcher = Files.copy(Settings.root().resolve("ringtap"), lab.socket("ringtap"));
            Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.copy(Settings.jar(), lab.socket("ringtap.jar"));
            // Crashes on purpose leave no files behind. HotSpot's own switch for that would end it by exit(1).
            final List<String> command = new ArrayList<>(List.of("prlimit", "--core=0", launcher.toString()));
            command.addAll(List.of(options));
            return HostProcess.start("launcher", lab.log("launcher"), Map.of("RINGTAP_SUPERVISE", "yes",
                "RINGTAP_NO_CDS", "yes", "RINGTAP_JAVA", Jdks.current().resolve("bin/java").toString(),
                "RINGTAP_JAVA_OPTS", "-XX:ErrorFile=/dev/null"),
                lab.netns().inside(command));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static String jvm(final HostProcess launcher)
    {
        return ProcessHandle.of(launcher.pid()).orElseThrow().children()
            .filter((child) -> child.info().command().orElse("").endsWith("java"))
            .findFirst().map((child) -> Long.toString(child.pid())).orElseThrow();
    }

    private static void reconnect(final Frontend frontend)
    {
        Await.until("a backend that answers", LIMIT, () ->
        {
            try
            {
                frontend.reconnect();
                return true;
            }
            catch (final FrontendException ex)
            {
                return false;
            }
        });
    }

    /** Frames that the backend takes and gives back, all of them. */
    private static void send(final GuestQueue queue)
    {
        for (int i = 0; i < FRAMES; i++)
        {
            final byte[] frame = new byte[LENGTH];
            frame[12] = (byte)0x88;
            frame[13] = (byte)0xb5;
            Await.until("room to send", LIMIT, () -> queue.send(new UnsafeBuffer(frame), 0, LENGTH));
        }
        Await.until("the frames to be taken", LIMIT, () ->
        {
            queue.reclaim();
            return 0 == queue.inFlight();
        });
    }
}
