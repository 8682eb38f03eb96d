package io.ringtap.sys;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** Counts the descriptors of this process, so that a test can show that none was lost. */
public final class OpenDescriptors
{
    private OpenDescriptors()
    {
    }

    public static int count()
    {
        return list().size();
    }

    /** Number and object of each, without what the JVM opens and closes as it likes: jars, control groups, itself. */
    public static Set<String> list()
    {
        // Loading the binding opens files that stay open: before the first count, not after it.
        Syscalls.getpid();
        final Set<String> open = new TreeSet<>();
        for (final String number : new File("/proc/self/fd").list())
        {
            final String target = target(number);
            final boolean isOfTheJvm = target.endsWith(".jar") || target.startsWith("/sys/") ||
                target.startsWith("/proc/");
            if (!target.isEmpty() && !isOfTheJvm)
            {
                open.add(number + " " + target);
            }
        }
        return open;
    }

    public static boolean isCloseOnExec(final int fd)
    {
        return (Syscalls.fcntl(fd, Fcntl.F_GETFD, 0) & Fcntl.FD_CLOEXEC) != 0;
    }

    private static String target(final String number)
    {
        try
        {
            return Files.readSymbolicLink(Path.of("/proc/self/fd", number)).toString();
        }
        catch (final IOException e)
        {
            // It was the one that listed the directory.
            return "";
        }
    }
}
