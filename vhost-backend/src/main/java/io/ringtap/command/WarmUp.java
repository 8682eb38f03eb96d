package io.ringtap.command;

import io.ringtap.demo.Rehearsal;
import io.ringtap.sandbox.Sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * What the launcher runs once for each Java: unpacks jffi's native stub, so that no start has to, and goes the ways of
 * usual starts to the end, so that the class-data archive written at the end holds their classes.
 */
final class WarmUp
{
    /** The word that asks for it; not in the help, since only the launcher says it. */
    static final String WORD = "warm-up";

    private static final String STUB = "libjffi-1.2.so";
    private static final String TAP = "tap0";

    private WarmUp()
    {
    }

    static int run(final Path directory) throws Exception
    {
        unpackStub(directory);
        final String socket = directory.resolve("warm-up-" + ProcessHandle.current().pid() + ".sock").toString();
        final String control = directory.resolve("warm-up-" + ProcessHandle.current().pid() + ".ctl").toString();
        rehearse(socket, "--socket-path=" + socket, "--socket-mode=660", "--null", "--queues=2", "--cpus=0",
            "--mac=52:54:00:12:34:56", "--control=" + control, "--sandbox=off");
        if (Rehearsal.enterNamespace())
        {
            rehearse(socket, "--socket-path=" + socket, "--tap=" + TAP, "--sandbox=off");
            final Path file = directory.resolve("warm-up.yaml");
            Files.writeString(file, "sandbox: off\nports:\n  " + TAP + ":\n    socket-path: " + socket +
                "\n    tap: " + TAP + "\n");
            rehearse(socket, "--config=" + file);
            Files.delete(file);
        }
        Sandbox.rehearse();
        return Program.DONE;
    }

    /** Serves as these words say until a guest was there. */
    private static void rehearse(final String socket, final String... words) throws Exception
    {
        final Thread guest = new Thread(() ->
        {
            try
            {
                Rehearsal.visit(socket);
            }
            catch (final InterruptedException ignored)
            {
                Thread.currentThread().interrupt();
            }
            Signals.raise("TERM");
        }, "rehearsal");
        guest.start();
        final int code = Program.run(words, System.out, System.err);
        guest.join();
        if (Program.DONE != code)
        {
            throw new IllegalStateException("a rehearsal ended with exit code " + code);
        }
    }

    /** Aside and moved into place: another start may be loading the old one. */
    private static void unpackStub(final Path directory) throws IOException
    {
        final String arch = System.getProperty("os.arch");
        final String cpu = "amd64".equals(arch) ? "x86_64" : arch;
        try (InputStream stub = WarmUp.class.getResourceAsStream("/jni/" + cpu + "-Linux/" + STUB))
        {
            if (null == stub)
            {
                throw new IOException(arch + ": no native stub in this jar; use Linux on amd64 or aarch64");
            }
            final Path fresh = Files.createTempFile(directory, "stub", ".tmp");
            Files.copy(stub, fresh, StandardCopyOption.REPLACE_EXISTING);
            Files.move(fresh, directory.resolve(STUB), StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
