package io.ringtap.port;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.If;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Syscalls;
import io.ringtap.sys.Tun;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * For a descriptor of a macvtap, which takes writes and waits for reads for ever when its interface was deleted
 * (drivers/net/tap.c).
 */
final class TapSentry extends DeviceSentry
{
    private final UnsafeBuffer request = Memory.scratch(If.IFREQ_LENGTH);

    TapSentry(final Fd fd, final int linkIndex)
    {
        super(fd.number(), linkIndex);
    }

    @Override
    boolean isLost()
    {
        return -Errno.ENOLINK == Syscalls.ioctlResult(descriptor, Tun.TUNGETIFF, request);
    }
}
