package io.ringtap.it.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The program as a package puts it on a machine: launcher and jar beside each other, and the class-data archive made.
 * For tests of how long a start takes; it starts as users' units do.
 */
public final class Installation
{
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static Path launcher;

    private Installation()
    {
    }

    /** The command line up to the options. */
    public static synchronized List<String> command()
    {
        if (null == launcher)
        {
            launcher = install(HostFiles.directories(Settings.output().resolve("installed")));
        }
        return List.of("env", java(), launcher.toString());
    }

    private static Path install(final Path directory)
    {
        final Path installed = directory.resolve("ringtap");
        try
        {
            Files.copy(Settings.jar(), directory.resolve("ringtap.jar"), StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.COPY_ATTRIBUTES);
            Files.copy(Settings.root().resolve("ringtap"), installed, StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.COPY_ATTRIBUTES);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        // Whatever the first words are, the launcher makes the archive before it heeds them.
        Shell.check(LIMIT, Map.of(), List.of("env", java(), installed.toString(), "--version"));
        return installed;
    }

    private static String java()
    {
        return "RINGTAP_JAVA=" + Jdks.current().resolve("bin/java");
    }
}
