package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Listeners, connections and options over the UNIX domain. */
class SocketsTest
{
    private static final int STREAM = Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK;

    @TempDir
    private Path folder;

    @Test
    void shouldConnectToAListener()
    {
        final String path = folder.resolve("socket").toString();
        final UnsafeBuffer buffer = Memory.scratch(8);
        try (Fd listener = Sockets.socket(Sockets.AF_UNIX, STREAM, 0);
            Fd client = Sockets.socket(Sockets.AF_UNIX, STREAM, 0))
        {
            assertEquals(-Errno.ENOENT, Sockets.connectUnix(client.number(), path));
            Sockets.bindUnix(listener.number(), path);
            assertEquals(-Errno.ECONNREFUSED, Sockets.connectUnix(client.number(), path));
            Sockets.listen(listener.number(), 1);
            assertEquals(-Errno.EAGAIN, Sockets.accept(listener.number(), Sockets.SOCK_NONBLOCK));
            assertEquals(0, Sockets.connectUnix(client.number(), path));
            try (Fd accepted = Fd.of(Sockets.accept(listener.number(), Sockets.SOCK_NONBLOCK)))
            {
                assertTrue(OpenDescriptors.isCloseOnExec(accepted.number()));
                assertEquals(-Errno.EAGAIN, Syscalls.read(accepted.number(), buffer, 0, 8));
                assertEquals(0, Sockets.option(accepted.number(), Sockets.SOL_SOCKET, Sockets.SO_ERROR));
                final UnsafeBuffer credentials = Memory.scratch(12);
                assertEquals(12, Sockets.option(
                    accepted.number(), Sockets.SOL_SOCKET, Sockets.SO_PEERCRED, credentials, 12));
                assertEquals(Syscalls.getpid(), credentials.getInt(0));
                assertEquals(0, Sockets.shutdown(client.number(), Sockets.SHUT_WR));
                assertEquals(0, Syscalls.read(accepted.number(), buffer, 0, 8));
            }
            assertEquals("bind(" + path + "): EADDRINUSE (Address already in use)", assertThrows(
                SyscallException.class, () -> bindAnother(path)).getMessage());
        }
    }

    @Test
    void shouldSetAnOption()
    {
        try (Fd socket = Sockets.socket(Sockets.AF_UNIX, STREAM, 0))
        {
            Sockets.setOption(socket.number(), Sockets.SOL_SOCKET, Sockets.SO_SNDBUF, 32768);
            assertEquals(65536, Sockets.option(socket.number(), Sockets.SOL_SOCKET, Sockets.SO_SNDBUF));
        }
    }

    @Test
    void shouldReturnAMissingPeerAsAValue()
    {
        try (Fd socket = Sockets.socket(Sockets.AF_INET, STREAM, 0))
        {
            assertEquals(-Errno.ENOTCONN, Sockets.shutdown(socket.number(), Sockets.SHUT_RDWR));
        }
    }

    @Test
    void shouldRefuseAPathThatDoesNotFit()
    {
        try (Fd socket = Sockets.socket(Sockets.AF_UNIX, STREAM, 0))
        {
            final IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> Sockets.bindUnix(socket.number(), "/" + "x".repeat(107)));
            assertTrue(e.getMessage().startsWith("socket path has 108 bytes, limit is 107: /xxx"));
        }
    }

    private static void bindAnother(final String path)
    {
        try (Fd second = Sockets.socket(Sockets.AF_UNIX, STREAM, 0))
        {
            Sockets.bindUnix(second.number(), path);
        }
    }
}
