package io.ringtap.vhost.session;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How many descriptors this process has of the kinds that a front-end hands over. */
final class OpenDescriptors
{
    private OpenDescriptors()
    {
    }

    /** The JVM opens and closes files of its own at any time, so only sockets, memory and events count. */
    static int count()
    {
        int count = 0;
        for (final File descriptor : new File("/proc/self/fd").listFiles())
        {
            try
            {
                final String what = Files.readSymbolicLink(descriptor.toPath()).toString();
                if (what.startsWith("socket:") || what.startsWith("/memfd:") || what.contains("eventfd"))
                {
                    count++;
                }
            }
            catch (final IOException ex)
            {
                // It was the listing's own.
                continue;
            }
        }

        return count;
    }

    /** How many mappings of a file there are, by a part of its line. */
    static int mappings(final String part)
    {
        try
        {
            return (int)Files.readString(Path.of("/proc/self/maps")).lines()
                .filter(line -> line.contains(part)).count();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
