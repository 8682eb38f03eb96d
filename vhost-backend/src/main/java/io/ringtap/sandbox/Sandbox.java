package io.ringtap.sandbox;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Seccomp;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Shuts the process in, for good: no new rights, and of the kernel what a running backend needs. */
public final class Sandbox
{
    private Sandbox()
    {
    }

    /** Why there can be no sandbox here, in a few words; null when there can. */
    public static String obstacle()
    {
        if (null == Machine.current())
        {
            return "there is no list of system calls for " + System.getProperty("os.arch");
        }
        final int result = Seccomp.probe();
        return 0 == result ? null : "the kernel has no seccomp filters (" + Errno.nameOf(-result) + ")";
    }

    /**
     * Shuts in every thread there is and every one to come.
     *
     * @param open what stays open beside what every backend needs.
     * @return what holds from now on, in one line.
     * @throws SyscallException when the kernel refuses; nothing holds then.
     */
    public static String enter(final Set<Door> open)
    {
        Seccomp.load(SandboxFilter.build(Machine.current(), open, Syscalls.getpid()));
        return describe(open);
    }

    /** Makes a filter and loads nothing: for a class-data archive. @return its instructions. */
    public static int rehearse()
    {
        final Set<Door> open = EnumSet.of(Door.IO_URING);
        return null == Machine.current() || describe(open).isEmpty() ? 0 :
            SandboxFilter.build(Machine.current(), open, 1).length;
    }

    private static String describe(final Set<Door> open)
    {
        final Set<Door> shut = EnumSet.allOf(Door.class);
        shut.removeAll(open);
        return "no programs, processes, new rights, mounts, namespaces or modules; open: " + words(open) +
            "; shut: " + words(shut);
    }

    private static String words(final Set<Door> doors)
    {
        return doors.isEmpty() ? "nothing else" :
            doors.stream().sorted().map(Door::words).collect(Collectors.joining(", "));
    }
}
