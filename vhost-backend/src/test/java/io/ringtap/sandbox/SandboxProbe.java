package io.ringtap.sandbox;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Kernel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * A process that shuts itself in and then tries everything, since a filter never goes away again: before, from the
 * thread that did it, from one that was there already, and from one that came later.
 */
final class SandboxProbe
{
    /** Ends it by a call of another machine. */
    static final String X32 = "x32";
    private static final int X32_GETPID = 0x4000_0000 + 39;

    private SandboxProbe()
    {
    }

    /** @param words doors that stay open. */
    public static void main(final String[] words) throws Exception
    {
        final Set<Door> open = EnumSet.noneOf(Door.class);
        for (final String word : words)
        {
            if (!X32.equals(word))
            {
                open.add(Door.valueOf(word));
            }
        }
        final CountDownLatch shut = new CountDownLatch(1);
        final Thread elder = new Thread(() ->
        {
            await(shut);
            attempt("elder");
        });
        elder.start();
        for (final Attempt attempt : Attempt.values())
        {
            if (attempt.isHarmless())
            {
                System.out.println("before " + attempt + " " + attempt.make());
            }
        }
        System.out.println("says " + Sandbox.enter(open));
        shut.countDown();
        elder.join();
        attempt("same");
        final Thread younger = new Thread(() -> attempt("younger"));
        younger.start();
        younger.join();
        live();
        if (words.length > 0 && X32.equals(words[0]))
        {
            Kernel.call(X32_GETPID, 0, 0, 0, 0, 0);
        }
        System.out.println("lived");
    }

    private static void attempt(final String who)
    {
        for (final Attempt attempt : Attempt.values())
        {
            if (attempt.existsHere())
            {
                System.out.println(who + " " + attempt + " " + attempt.make());
            }
        }
    }

    /** What a backend and the JVM under it go on doing. */
    private static void live() throws IOException
    {
        final Path file = Files.createTempFile("sandbox", ".txt");
        Files.writeString(file, "kept");
        Files.delete(file);
        final Path socket = Files.createTempDirectory("sandbox").resolve("socket");
        try (ServerSocket inet = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            ServerSocketChannel unix = ServerSocketChannel.open(StandardProtocolFamily.UNIX))
        {
            unix.bind(java.net.UnixDomainSocketAddress.of(socket));
            System.out.println("listens " + (inet.isBound() && unix.isOpen()));
        }
        Files.delete(socket);
        Files.delete(socket.getParent());
        System.gc();
        try
        {
            new ProcessBuilder("/bin/true").start();
            System.out.println("starts programs");
        }
        catch (final IOException ex)
        {
            System.out.println("cannot start programs");
        }
        System.out.println("own thread " + (Errno.ESRCH == -Kernel.call(
            io.ringtap.sys.SyscallNumber.TGKILL, io.ringtap.sys.Syscalls.getpid(), Integer.MAX_VALUE, 0, 0, 0)));
    }

    private static void await(final CountDownLatch latch)
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
