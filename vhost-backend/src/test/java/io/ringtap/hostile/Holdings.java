package io.ringtap.hostile;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process holds of the kinds that front-ends hand over. */
final class Holdings
{
    private Holdings()
    {
    }

    /** Open descriptors; the JVM's own files come and go and do not count. */
    static long descriptors()
    {
        int count = 0;
        for (final File descriptor : new File("/proc/self/fd").listFiles())
        {
            try
            {
                final String what = Files.readSymbolicLink(descriptor.toPath()).toString();
                count += what.startsWith("socket:") || what.startsWith("/memfd:") || what.startsWith("anon_inode:") ||
                    what.startsWith("pipe:") ? 1 : 0;
            }
            catch (final IOException ex)
            {
                // It was the listing's own.
                continue;
            }
        }
        return count;
    }

    /** Mappings of shared memory. */
    static long guestMappings()
    {
        try
        {
            return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter((line) -> line.contains("/memfd:")).count();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
