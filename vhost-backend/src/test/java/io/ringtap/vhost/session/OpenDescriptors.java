package io.ringtap.vhost.session;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;

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
}
