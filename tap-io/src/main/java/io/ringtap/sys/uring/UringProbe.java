package io.ringtap.sys.uring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.ringtap.sys.Errno;
import io.ringtap.sys.SyscallException;

/** Tries io_uring once and puts a refusal into words. */
final class UringProbe
{
    private static final Path SWITCH = Path.of("/proc/sys/kernel/io_uring_disabled");

    private UringProbe()
    {
    }

    static String reason()
    {
        try (IoUring uring = IoUring.open(4, 0))
        {
            uring.nop(1);
            uring.submitAndWait(1, 1_000_000_000L);
            return uring.ready() == 1 && uring.userData(0) == 1 && uring.result(0) == 0 ?
                null : "io_uring: a no-op did not come back within 1 s";
        }
        catch (final SyscallException e)
        {
            return e.getMessage() + because(e.errno());
        }
    }

    private static String because(final int errno)
    {
        return switch (errno)
        {
            case Errno.EPERM -> {
                final String setting = setting();
                yield "0".equals(setting) ?
                    ": a seccomp filter or security module forbids it" :
                    ": kernel.io_uring_disabled is " + setting;
            }
            case Errno.ENOSYS -> ": this kernel has none, or a seccomp filter hides it";
            case Errno.ENOMEM -> ": the limit on locked memory is too low (RLIMIT_MEMLOCK)";
            default -> "";
        };
    }

    private static String setting()
    {
        try
        {
            return Files.readString(SWITCH).trim();
        }
        catch (final IOException e)
        {
            return "unknown";
        }
    }
}
