package io.ringtap.it.rig;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs short host commands and waits for their end. Long-lived ones are a {@link HostProcess}. */
public final class Shell
{
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** How a command ended, with what it printed on both streams. */
    public record Result(int exitCode, String output)
    {
        public boolean isSuccess()
        {
            return 0 == exitCode;
        }
    }

    private Shell()
    {
    }

    public static Result run(final Duration limit, final Map<String, String> environment, final List<String> command)
    {
        // A file instead of a pipe: a grandchild that keeps the pipe open cannot hold us up.
        Path output = null;
        try
        {
            output = Files.createTempFile("rt-shell", ".out");
            final ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            final Process process = builder.start();
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS))
            {
                process.destroyForcibly().waitFor();
                throw new RigException("no end within " + limit.toSeconds() + " s: " + String.join(" ", command) +
                    "\n" + Files.readString(output, StandardCharsets.ISO_8859_1));
            }
            return new Result(process.exitValue(), Files.readString(output, StandardCharsets.ISO_8859_1));
        }
        catch (final IOException ex)
        {
            throw new RigException("cannot run " + String.join(" ", command), ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new RigException("interrupted: " + String.join(" ", command), ex);
        }
        finally
        {
            HostFiles.delete(output);
        }
    }

    public static Result run(final String... command)
    {
        return run(LIMIT, Map.of(), List.of(command));
    }

    /** As {@link #run(String...)}, but any exit code other than 0 is an error. */
    public static String check(final String... command)
    {
        return check(LIMIT, Map.of(), List.of(command));
    }

    public static String check(final Duration limit, final Map<String, String> environment, final List<String> command)
    {
        final Result result = run(limit, environment, command);
        if (!result.isSuccess())
        {
            throw new RigException("exit " + result.exitCode() + ": " + String.join(" ", command) + "\n" +
                result.output());
        }
        return result.output();
    }

    /** Where a program is, looked up in PATH and in the system directories that a user's PATH may lack. */
    public static Path find(final String program)
    {
        final String path = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/usr/bin:/sbin:/bin";
        for (final String directory : path.split(":"))
        {
            final Path candidate = Path.of(directory.isEmpty() ? "." : directory, program);
            if (Files.isExecutable(candidate) && !Files.isDirectory(candidate))
            {
                return candidate;
            }
        }
        return null;
    }
}
