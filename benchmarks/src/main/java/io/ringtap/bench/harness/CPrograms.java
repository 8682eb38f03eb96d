package io.ringtap.bench.harness;

import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.RigException;
import io.ringtap.it.rig.Settings;
import io.ringtap.it.rig.Shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The C loops that the backend is measured against, compiled from the sources of this module when they are needed. */
public final class CPrograms
{
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private final Path sources = Settings.root().resolve("benchmarks/src/main/c");
    private final Path binaries = Settings.root().resolve("benchmarks/target/c");

    /** Where a program is, compiled if its source or the common header is newer. */
    public Path path(final String name)
    {
        final Path source = sources.resolve(name + ".c");
        final Path binary = binaries.resolve(name);
        if (!Files.exists(source))
        {
            throw new RigException(source + ": not there; benchmarks run from a source tree");
        }
        if (isOlder(binary, source) || isOlder(binary, sources.resolve("common.h")))
        {
            compile(source, binary);
        }
        return binary;
    }

    private static void compile(final Path source, final Path binary)
    {
        if (null == Shell.find("gcc"))
        {
            throw new RigException("no gcc, which compiles " + source.getFileName() +
                "; install it: apt-get install gcc libc6-dev");
        }
        HostFiles.directories(binary.getParent());
        Shell.check(LIMIT, Map.of(), List.of("gcc", "-O2", "-march=native", "-Wall", "-Wextra", "-pthread", "-o",
            binary.toString(), source.toString()));
    }

    private static boolean isOlder(final Path made, final Path source)
    {
        try
        {
            return !Files.exists(made) || time(made).compareTo(time(source)) < 0;
        }
        catch (final IOException ex)
        {
            throw new RigException("cannot look at " + source, ex);
        }
    }

    private static FileTime time(final Path file) throws IOException
    {
        return Files.getLastModifiedTime(file);
    }
}
