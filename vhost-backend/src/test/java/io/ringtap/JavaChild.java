package io.ringtap;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a class of ours in a JVM of its own, for what a test's JVM would not get over. */
public final class JavaChild
{
    private static final int LIMIT_S = 120;

    private JavaChild()
    {
    }

    /**
     * What came of it.
     *
     * @param output of both streams.
     */
    public record Result(int exitCode, String output)
    {
    }

    /** Runs it to its end, with the options of this JVM. */
    public static Result run(final Class<?> main, final String... words) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (final String option : ManagementFactory.getRuntimeMXBean().getInputArguments())
        {
            if (option.startsWith("--") || option.startsWith("-D") || "-ea".equals(option))
            {
                command.add(option);
            }
        }
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx64m", "-XX:TieredStopAtLevel=1", "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")), main.getName()));
        command.addAll(List.of(words));
        final File output = File.createTempFile("ringtap-child", ".txt");
        try
        {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output)
                .start();
            if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
                throw new IOException("it did not end:\n" + Files.readString(output.toPath()));
            }
            return new Result(process.exitValue(), Files.readString(output.toPath(), StandardCharsets.UTF_8));
        }
        finally
        {
            Files.delete(output.toPath());
        }
    }
}
