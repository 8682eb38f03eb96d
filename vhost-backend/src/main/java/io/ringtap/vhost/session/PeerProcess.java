package io.ringtap.vhost.session;

import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.SyscallException;
import org.agrona.concurrent.UnsafeBuffer;

/** Who is at the other end of a socket, for the log. */
final class PeerProcess
{
    private PeerProcess()
    {
    }

    /** Which process it is, where the kernel knows. */
    static String of(final Fd socket)
    {
        try
        {
            final UnsafeBuffer credentials = Memory.scratch(3 * Integer.BYTES);
            Sockets.option(
                socket.number(), Sockets.SOL_SOCKET, Sockets.SO_PEERCRED, credentials, credentials.capacity());
            return " by process " + credentials.getInt(0);
        }
        catch (final SyscallException ex)
        {
            return "";
        }
    }
}
