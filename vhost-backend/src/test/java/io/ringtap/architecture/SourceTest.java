package io.ringtap.architecture;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rules on the sources themselves, over every module; checkstyle keeps those that are about one line. */
class SourceTest
{
    private static final int MAX_LINES = 400;
    private static final Set<String> MODULES =
        Set.of("tap-io", "xdp-hooks", "vhost-backend", "benchmarks", "integration-tests");
    private static final Pattern LICENCE_HEADER = Pattern.compile("(?i)licensed under|copyright");
    private static final Pattern LOOSE_END = Pattern.compile("\\b(TODO|FIXME|XXX)\\b");

    @Test
    void shouldKeepFilesShort() throws IOException
    {
        final Set<String> breaches = new TreeSet<>();
        for (final Path source : sources())
        {
            final int lines = Files.readAllLines(source).size();
            if (lines > MAX_LINES)
            {
                breaches.add(source + ": " + lines + " lines");
            }
        }
        assertEquals(Set.of(), breaches, "files longer than " + MAX_LINES + " lines");
    }

    @Test
    void shouldHoldNoLooseEndsAndNoLicenceHeaders() throws IOException
    {
        final Set<String> breaches = new TreeSet<>();
        for (final Path source : sources())
        {
            final String text = Files.readString(source);
            final boolean isThis = source.endsWith("SourceTest.java");
            if (!isThis && (LICENCE_HEADER.matcher(text).find() || LOOSE_END.matcher(text).find()))
            {
                breaches.add(source.toString());
            }
        }
        assertEquals(Set.of(), breaches, "loose ends belong into issues, the licence into LICENSE");
    }

    private static List<Path> sources() throws IOException
    {
        final List<Path> sources = new ArrayList<>();
        for (final String module : MODULES)
        {
            final Path folder = root().resolve(module).resolve("src");
            if (Files.isDirectory(folder))
            {
                try (Stream<Path> files = Files.walk(folder))
                {
                    files.filter((file) -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        assertTrue(sources.size() > 50, "only " + sources.size() + " sources found below " + root());
        return sources;
    }

    /** The repository: the nearest folder upwards that holds every module. */
    private static Path root()
    {
        for (Path folder = Path.of("").toAbsolutePath(); null != folder; folder = folder.getParent())
        {
            if (Files.isDirectory(folder.resolve("tap-io")) && Files.isDirectory(folder.resolve("vhost-backend")))
            {
                return folder;
            }
        }
        throw new UncheckedIOException(new IOException("no repository above " + Path.of("").toAbsolutePath()));
    }
}
