package io.ringtap.it.rig;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program that runs while a test goes on, with its output in a file. Only ever ended by its own process id. The
 * kernel kills it when this JVM dies, so even a killed test run leaves nothing behind.
 */
public final class HostProcess implements AutoCloseable
{
    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);
    private static final Set<HostProcess> RUNNING = ConcurrentHashMap.newKeySet();

    /** The parent-death signal follows the thread that forked, so one that never ends does all the forking. */
    private static final ExecutorService FORKER = Executors.newSingleThreadExecutor(task ->
    {
        final Thread thread = new Thread(task, "forker");
        thread.setDaemon(true);
        return thread;
    });

    private final String name;
    private final Path log;
    private final Process process;

    private HostProcess(final String name, final Path log, final Process process)
    {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    static
    {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(HostProcess::kill)));
    }

    public static HostProcess start(final String name, final Path log, final List<String> command)
    {
        return start(name, log, Map.of(), command);
    }

    /** Starts it; {@code command} must exec all the way, as {@code ip netns exec} does, so that the pid holds. */
    public static HostProcess start(
        final String name, final Path log, final Map<String, String> environment, final List<String> command)
    {
        // A run that outlives its terminal ignores SIGHUP, one behind an ampersand SIGINT; what it starts would too.
        final List<String> guarded =
            new ArrayList<>(List.of("env", "--default-signal=HUP,INT", "setpriv", "--pdeathsig", "KILL"));
        guarded.addAll(command);
        try
        {
            Files.createDirectories(log.getParent());
            Files.writeString(log, "+ " + String.join(" ", command) + "\n", StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
            final ProcessBuilder builder = new ProcessBuilder(guarded).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            final HostProcess started = new HostProcess(name, log, FORKER.submit(builder::start).get());
            RUNNING.add(started);
            return started;
        }
        catch (final IOException | ExecutionException ex)
        {
            throw new RigException("cannot start " + name + ": " + String.join(" ", command), ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new RigException("interrupted", ex);
        }
    }

    public long pid()
    {
        return process.pid();
    }

    public boolean isAlive()
    {
        return process.isAlive();
    }

    public Path log()
    {
        return log;
    }

    /** What it has printed so far, with earlier runs into the same file. */
    public String output()
    {
        return HostFiles.read(log);
    }

    /** Types a line on its standard input. */
    public void type(final String line)
    {
        try
        {
            final OutputStream input = process.getOutputStream();
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        }
        catch (final IOException ex)
        {
            throw new RigException(name + " takes no input\n" + HostFiles.tail(log, 20), ex);
        }
    }

    /** Waits for output past {@code from} that matches, and returns the match; an early end is an error at once. */
    public Matcher await(final Pattern pattern, final int from, final Duration limit)
    {
        final Matcher[] found = new Matcher[1];
        Await.until(() -> name + " to print " + pattern + "\n" + HostFiles.tail(log, 30), limit, () ->
        {
            final boolean alive = process.isAlive();
            final String text = output();
            final Matcher matcher = pattern.matcher(text).region(Math.min(from, text.length()), text.length());
            if (matcher.find())
            {
                found[0] = matcher;
                return true;
            }
            if (!alive)
            {
                throw new RigException(name + " ended with " + process.exitValue() + " before it printed " + pattern +
                    "\n" + HostFiles.tail(log, 30));
            }
            return false;
        });
        return found[0];
    }

    /** Waits for its end. */
    public int exitCode(final Duration limit)
    {
        if (!awaitEnd(limit))
        {
            throw new RigException(name + " still runs after " + limit.toSeconds() + " s\n" +
                HostFiles.tail(log, 30));
        }
        return process.exitValue();
    }

    /** SIGTERM; whoever does not obey in time is killed, and that is an error. */
    public int terminate()
    {
        process.destroy();
        if (!awaitEnd(STOP_LIMIT))
        {
            kill();
            throw new RigException(name + " did not end on SIGTERM within " + STOP_LIMIT.toSeconds() + " s\n" +
                HostFiles.tail(log, 30));
        }
        return process.exitValue();
    }

    /** SIGKILL, and waits until the kernel has taken everything away. */
    public void kill()
    {
        process.destroyForcibly();
        awaitEnd(STOP_LIMIT);
    }

    @Override
    public void close()
    {
        if (process.isAlive())
        {
            terminate();
        }
        RUNNING.remove(this);
    }

    private boolean awaitEnd(final Duration limit)
    {
        try
        {
            final boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (ended)
            {
                RUNNING.remove(this);
            }
            return ended;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new RigException("interrupted", ex);
        }
    }

    @Override
    public String toString()
    {
        return name + " (pid " + pid() + ")";
    }
}
