package io.ringtap.command;

import io.ringtap.demo.Rehearsal;
import io.ringtap.sandbox.Sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * What the launcher runs once for each Java: unpacks jffi's native stub, so that no start has to, and goes the way of a
 * usual start, so that the class-data archive written at the end holds its classes.
 */
final class WarmUp
{
    /** The word that asks for it; not in the help, since only the launcher says it. */
    static final String WORD = "warm-up";

    private static final String[] USUAL_WORDS = {
        "--socket-path=/run/vm.sock", "--socket-mode=660", "--socket-group=kvm", "--tap=tap0", "--queues=2",
        "--mac=52:54:00:12:34:56", "--cpus=0-1"};
    private static final String STUB = "libjffi-1.2.so";

    private WarmUp()
    {
    }

    static int run(final Path directory) throws Exception
    {
        unpackStub(directory);
        ServeWords.conclude(ServeWords.parse(USUAL_WORDS));
        Termination.install();
        Rehearsal.run(directory);
        Sandbox.rehearse();
        return Program.DONE;
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
