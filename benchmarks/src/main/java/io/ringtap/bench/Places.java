package io.ringtap.bench;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the source tree that this program was built in, and tells the rigs where to put their logs. */
final class Places
{
    private static final String ROOT = "ringtap.root";
    private static final String LOGS = "ringtap.it.output";
    private static final String BOUNDS = "agrona.disable.bounds.checks";

    private Places()
    {
    }

    /** Sets what was not given on the command line. */
    static void settle()
    {
        System.setProperty("ringtap.it.name", "bench");
        if (null == System.getProperty(BOUNDS))
        {
            // What is measured in this process runs as in production.
            System.setProperty(BOUNDS, "true");
        }
        if (null == System.getProperty(ROOT))
        {
            System.setProperty(ROOT, root().toString());
        }
        if (null == System.getProperty(LOGS))
        {
            System.setProperty(LOGS, Path.of(System.getProperty(ROOT), "benchmarks/target/bench").toString());
        }
    }

    /** The nearest folder with the modules in it, upwards from where our classes are. */
    private static Path root()
    {
        try
        {
            final Path classes = Path.of(Places.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            for (Path folder = classes; null != folder; folder = folder.getParent())
            {
                if (Files.isDirectory(folder.resolve("benchmarks/src/main/c")))
                {
                    return folder;
                }
            }
        }
        catch (final URISyntaxException ex)
        {
            throw new IllegalStateException("a jar without a place", ex);
        }
        return Path.of("").toAbsolutePath();
    }
}
