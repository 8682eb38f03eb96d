package io.ringtap.port;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Opens the character device of a macvtap. Its file is {@code /dev/tapN} where udev or devtmpfs makes such files; where
 * they do not, or made one of that name for another namespace's interface before, one is made for a moment.
 */
final class MacvtapFile
{
    private static final String DEVICES = "/dev/";
    private static final String CLASS = "/sys/class/macvtap/tap";

    private MacvtapFile()
    {
    }

    /** @param index N is the interface's index. */
    static Fd open(final String name, final int index)
    {
        final String path = DEVICES + "tap" + index;
        final String numbers = numbers(index);
        try
        {
            return null == numbers || isFileOf(path, numbers) ?
                Syscalls.open(path, Fcntl.O_RDWR | Fcntl.O_NONBLOCK) : openOwn(name, index, numbers);
        }
        catch (final SyscallException e)
        {
            throw refusal(name, path, e);
        }
    }

    /** MAJOR:MINOR as sysfs tells it; null when sysfs does not know the interface: it shows another namespace. */
    private static String numbers(final int index)
    {
        try
        {
            return Files.readString(Path.of(CLASS + index + "/dev")).strip();
        }
        catch (final IOException e)
        {
            return null;
        }
    }

    private static boolean isFileOf(final String path, final String numbers)
    {
        try
        {
            final long device = ((Number)Files.getAttribute(Path.of(path), "unix:rdev")).longValue();
            return numbers.equals((device >> 8 & 0xfff) + ":" + (device & 0xff | device >> 12 & 0xfff00));
        }
        catch (final IOException e)
        {
            return false;
        }
    }

    private static Fd openOwn(final String name, final int index, final String numbers)
    {
        final int colon = numbers.indexOf(':');
        final String path = DEVICES + "ringtap-tap" + index + "-" + Syscalls.getpid() + "-" + Syscalls.gettid();
        Syscalls.makeCharacterDevice(path,
            Integer.parseInt(numbers.substring(0, colon)), Integer.parseInt(numbers.substring(colon + 1)));
        try
        {
            return Syscalls.open(path, Fcntl.O_RDWR | Fcntl.O_NONBLOCK);
        }
        finally
        {
            try
            {
                Files.delete(Path.of(path));
            }
            catch (final IOException e)
            {
                throw new PortException(name, "cannot remove " + path, "remove it", e);
            }
        }
    }

    private static PortException refusal(final String name, final String path, final SyscallException e)
    {
        final String problem = "cannot open " + path + " (" + e.errnoName() + ")";
        final String remedy = switch (e.errno())
        {
            case Errno.EPERM, Errno.EACCES ->
                "run as root, open the device file to this user, or hand over a descriptor with --tap-fd";
            case Errno.ENOENT, Errno.ENXIO, Errno.ENODEV, Errno.EROFS -> "give the container its /dev/tapN," +
                " let it make one (CAP_MKNOD, and sysfs of its namespace), or hand over a descriptor with --tap-fd";
            case Errno.EBUSY, Errno.E2BIG -> "stop its other users or use fewer --queues";
            default -> "hand over a descriptor with --tap-fd";
        };
        return new PortException("--macvtap=" + name, problem, remedy, e);
    }
}
