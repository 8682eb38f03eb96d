package io.ringtap.port;

import io.ringtap.sys.Sched;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs every method of a test class in a network namespace of the class's own: on a thread that left the process's
 * namespace. The namespace has no name and ends with that thread and the descriptors opened in it. Programs started
 * by a test live in it too.
 */
public final class NetNamespace implements BeforeAllCallback, AfterAllCallback, InvocationInterceptor
{
    private ExecutorService thread;

    /** Runs a program in the namespace of the calling thread and returns what it said; it must succeed. */
    public static String run(final String... command)
    {
        try
        {
            // Files and the shell's redirection: for whatever else there is the JVM opens a pipe, and closes it
            // long after the child's end, which spoils counts of descriptors.
            final Path said = Files.createTempFile("said", null);
            final List<String> line = new ArrayList<>(List.of("sh", "-c", "exec \"$0\" \"$@\" 2>&1"));
            line.addAll(List.of(command));
            final Process process = new ProcessBuilder(line)
                .redirectInput(new File("/dev/null"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(said.toFile())
                .start();
            final int code = process.waitFor();
            final String output = Files.readString(said);
            Files.delete(said);
            if (0 != code)
            {
                throw new AssertionError(String.join(" ", command) + ": " + output);
            }
            return output;
        }
        catch (final IOException e)
        {
            throw new AssertionError(String.join(" ", command), e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** A port of a bridge forwards some time after its link came up. */
    public static void awaitForwarding(final String name)
    {
        final long deadline = System.nanoTime() + 5_000_000_000L;
        while (!run("ip", "-d", "link", "show", name).contains("state forwarding"))
        {
            if (System.nanoTime() > deadline)
            {
                throw new AssertionError(name + " does not forward");
            }
        }
    }

    @Override
    public void beforeAll(final ExtensionContext context) throws Exception
    {
        thread = Executors.newSingleThreadExecutor((r) -> new Thread(r, "netns"));
        try
        {
            call(() ->
            {
                Syscalls.unshare(Sched.CLONE_NEWNET);
                // Its router solicitations would mix with the frames of the tests.
                final Path ipv6 = Path.of("/proc/sys/net/ipv6/conf/default/disable_ipv6");
                if (Files.exists(ipv6))
                {
                    Files.writeString(ipv6, "1");
                }
                return null;
            });
        }
        catch (final SyscallException e)
        {
            thread.shutdownNow();
            final String message = "these tests make network devices; run them as root, or with" +
                " 'unshare --user --map-root-user --net mvn ...': " + e.getMessage();
            if (Boolean.parseBoolean(System.getenv("CI")))
            {
                throw new AssertionError(message, e);
            }
            Assumptions.abort(message);
        }
    }

    @Override
    public void afterAll(final ExtensionContext context)
    {
        thread.shutdownNow();
    }

    @Override
    public void interceptBeforeEachMethod(
        final Invocation<Void> invocation,
        final ReflectiveInvocationContext<Method> method,
        final ExtensionContext context) throws Throwable
    {
        proceed(invocation);
    }

    @Override
    public void interceptTestMethod(
        final Invocation<Void> invocation,
        final ReflectiveInvocationContext<Method> method,
        final ExtensionContext context) throws Throwable
    {
        proceed(invocation);
    }

    /** One invocation of a parameterized or repeated test. */
    @Override
    public void interceptTestTemplateMethod(
        final Invocation<Void> invocation,
        final ReflectiveInvocationContext<Method> method,
        final ExtensionContext context) throws Throwable
    {
        proceed(invocation);
    }

    @Override
    public void interceptAfterEachMethod(
        final Invocation<Void> invocation,
        final ReflectiveInvocationContext<Method> method,
        final ExtensionContext context) throws Throwable
    {
        proceed(invocation);
    }

    private void proceed(final Invocation<Void> invocation) throws Exception
    {
        call(() ->
        {
            try
            {
                return invocation.proceed();
            }
            catch (final Exception | Error e)
            {
                throw e;
            }
            catch (final Throwable e)
            {
                throw new AssertionError(e);
            }
        });
    }

    private void call(final Callable<Void> work) throws Exception
    {
        final Future<Void> done = thread.submit(work);
        try
        {
            done.get();
        }
        catch (final ExecutionException e)
        {
            if (e.getCause() instanceof final Error error)
            {
                throw error;
            }
            throw (Exception)e.getCause();
        }
    }
}
