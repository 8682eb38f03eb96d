package io.ringtap.demo;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Sched;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A network namespace of our own without a name: the calling thread moves into it, and whatever it starts from then on,
 * threads and processes, lives in it. The kernel removes it with the last of them, so that nothing can be left behind.
 */
final class DemoNamespace
{
    /** Says to ourselves, started again, that the namespace is there already. */
    private static final String INSIDE = "RINGTAP_DEMO_INSIDE";

    private DemoNamespace()
    {
    }

    /**
     * Moves the calling thread into a new namespace.
     *
     * @return false when this user may not; {@link #startAgain} may help then.
     */
    static boolean enter()
    {
        if (null != System.getenv(INSIDE))
        {
            return true;
        }
        try
        {
            Syscalls.unshare(Sched.CLONE_NEWNET);
            return true;
        }
        catch (final SyscallException refused)
        {
            if (Errno.EPERM == refused.errno())
            {
                return false;
            }
            throw refused;
        }
    }

    /**
     * Starts this program again in a user namespace, where it may have a network namespace.
     *
     * @return its exit code.
     */
    static int startAgain() throws InterruptedException
    {
        final ProcessHandle.Info self = ProcessHandle.current().info();
        final List<String> words = new ArrayList<>(List.of("unshare", "--user", "--map-root-user", "--net", "--"));
        words.add(self.command().orElseThrow(() -> new DemoException(
            "this process does not know its own command line; run the demonstration as root")));
        words.addAll(List.of(self.arguments().orElse(new String[0])));
        final ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
        builder.environment().put(INSIDE, "yes");
        try
        {
            return builder.start().waitFor();
        }
        catch (final IOException missing)
        {
            throw new DemoException("unshare is not installed; install util-linux, or run as root", missing);
        }
    }

    /**
     * Runs a command in the namespace of the calling thread.
     *
     * @param packageName what to install when the command is missing.
     * @return its output, both streams.
     */
    static String run(final String packageName, final String... words) throws InterruptedException
    {
        try
        {
            final Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (0 != process.waitFor())
            {
                throw new DemoException(String.join(" ", words) + ": " + output.strip());
            }
            return output;
        }
        catch (final IOException missing)
        {
            throw new DemoException(words[0] + " is not installed; apt-get install " + packageName, missing);
        }
    }
}
