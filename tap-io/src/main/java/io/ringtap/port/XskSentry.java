package io.ringtap.port;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Sockets;

/** For an AF_XDP socket, of which nobody is woken when its device is deleted (net/xdp/xsk.c, xsk_poll). */
final class XskSentry extends DeviceSentry
{
    XskSentry(final int socket, final int linkIndex)
    {
        super(socket, linkIndex);
    }

    /** A socket whose device was deleted is not bound any more. */
    @Override
    boolean isLost()
    {
        return -Errno.ENXIO == Sockets.kickReceive(descriptor);
    }
}
