package io.ringtap.it.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Java runtimes of this machine, found where Debian and vendors put them. */
public final class Jdks
{
    private static final Path DIRECTORY = Path.of("/usr/lib/jvm");

    private Jdks()
    {
    }

    /** The one that runs the tests. */
    public static Path current()
    {
        return Path.of(System.getProperty("java.home"));
    }

    /** Home directories by feature version, ours included. */
    public static Map<Integer, Path> all()
    {
        final Map<Integer, Path> found = new TreeMap<>();
        for (final Path home : HostFiles.list(DIRECTORY))
        {
            final Path release = home.resolve("release");
            if (Files.isExecutable(home.resolve("bin/java")) && Files.exists(release))
            {
                final Matcher matcher = Pattern.compile("JAVA_VERSION=\"(\\d+)").matcher(HostFiles.read(release));
                if (matcher.find())
                {
                    found.putIfAbsent(Integer.parseInt(matcher.group(1)), real(home));
                }
            }
        }
        found.put(Runtime.version().feature(), current());
        return found;
    }

    private static Path real(final Path home)
    {
        try
        {
            return home.toRealPath();
        }
        catch (final IOException ex)
        {
            return home;
        }
    }
}
