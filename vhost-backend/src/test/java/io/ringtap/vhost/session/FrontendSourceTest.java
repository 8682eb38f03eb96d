package io.ringtap.vhost.session;

import static io.ringtap.vhost.protocol.Request.GET_QUEUE_NUM;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where front-ends come from: paths that are free, taken, dead or wrong, and inherited descriptors. */
class FrontendSourceTest
{
    private final Path directory = SessionFixture.temporaryDirectory();
    private final Path path = directory.resolve("s");

    @AfterEach
    void tearDown() throws IOException
    {
        Files.deleteIfExists(path);
        Files.deleteIfExists(directory);
    }

    @Test
    void shouldMakeASocketAndRemoveIt()
    {
        final int open = OpenDescriptors.count();
        final FrontendListener listener = listen();
        assertTrue(Files.exists(path));
        assertTrue(isCloseOnExec(listener.pollNumber()));
        assertNull(listener.poll(0));

        try (Fd client = connected(); Fd accepted = listener.poll(0))
        {
            assertTrue(client.isOpen());
            assertTrue(isCloseOnExec(accepted.number()));
            assertTrue(0 != (Syscalls.fcntl(accepted.number(), Fcntl.F_GETFL, 0) & Fcntl.O_NONBLOCK));
        }

        listener.close();
        assertFalse(Files.exists(path));
        assertEquals(open, OpenDescriptors.count());
    }

    @Test
    void shouldReplaceADeadSocket()
    {
        leaveDeadSocket();

        final FrontendListener listener = listen();
        connected().close();
        listener.close();
    }

    @Test
    void shouldLeaveALiveSocketAlone()
    {
        final FrontendListener first = listen();

        final SocketPathException ex = assertThrows(SocketPathException.class, this::listen);

        assertTrue(ex.getMessage().contains("somebody listens on " + path), ex.getMessage());
        assertNotNull(first.poll(0), "the probe of the other process");
        connected().close();
        first.close();
    }

    @Test
    void shouldLeaveALiveSocketAloneWhenItsQueueIsFull()
    {
        final Fd listening = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM, 0);
        Sockets.bindUnix(listening.number(), path.toString());
        Sockets.listen(listening.number(), 0);
        final Fd[] waiting = {connected(), null};
        try (Fd more = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK, 0))
        {
            waiting[1] = more;
            Sockets.connectUnix(more.number(), path.toString());
            assertThrows(SocketPathException.class, this::listen);
        }

        assertTrue(Files.exists(path));
        waiting[0].close();
        listening.close();
    }

    @Test
    void shouldNotTakeTheNameOfSomethingElse() throws IOException
    {
        Files.writeString(path, "precious");

        assertThrows(SocketPathException.class, this::listen);

        assertEquals("precious", Files.readString(path));
    }

    @Test
    void shouldNotRemoveASocketThatAnotherProcessPutThere() throws IOException
    {
        final FrontendListener old = listen();
        Files.delete(path);
        final FrontendListener next = listen();

        old.close();

        connected().close();
        next.close();
    }

    @Test
    void shouldMakeItsFileAgainWhenSomebodyDeletedIt() throws IOException
    {
        final int open = OpenDescriptors.count();
        try (FrontendListener listener = FrontendListener.listen(path.toString(), new SocketAccess(0640, null, null)))
        {
            assertFalse(listener.look());
            assertEquals(FrontendSource.NEVER, listener.delayNs(0));
            for (int i = 0; i < 3; i++)
            {
                Files.delete(path);
                assertTrue(listener.look());
                assertEquals(0, listener.delayNs(0));
                assertNull(listener.poll(0));
                assertFalse(listener.look());
                assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
                try (Fd client = connected(); Fd accepted = listener.poll(0))
                {
                    assertTrue(client.isOpen() && accepted.isOpen());
                }
            }
        }
        assertFalse(Files.exists(path));
        assertEquals(open, OpenDescriptors.count());
    }

    @Test
    void shouldLetFrontEndsWaitThatComeTooFast()
    {
        try (FrontendListener listener = listen())
        {
            listener.sessionRate(2);
            final long nowNs = System.nanoTime();
            for (int i = 0; i < 2; i++)
            {
                assertEquals(FrontendSource.NEVER, listener.delayNs(nowNs));
                assertEquals(0, listener.takeRests());
                come(listener, nowNs);
            }
            assertEquals(1, listener.takeRests());
            final long restNs = listener.delayNs(nowNs);
            assertTrue(0 < restNs && restNs <= 500_000_000, () -> "it rests for " + restNs);
            assertEquals(0, listener.delayNs(nowNs + restNs));
            come(listener, nowNs + restNs);
        }
    }

    private void come(final FrontendListener listener, final long nowNs)
    {
        try (Fd client = connected(); Fd accepted = listener.poll(nowNs))
        {
            assertTrue(client.isOpen() && accepted.isOpen());
        }
    }

    @Test
    void shouldTryAgainWhileItsDirectoryIsGone() throws IOException
    {
        final FrontendListener listener = listen();
        Files.delete(path);
        Files.delete(directory);
        for (int i = 0; i < 3; i++)
        {
            assertTrue(listener.look());
            assertNull(listener.poll(0));
        }
        Files.createDirectory(directory);
        assertTrue(listener.look());
        assertNull(listener.poll(0));
        connected().close();
        listener.close();
    }

    @Test
    void shouldLeaveAFileAloneThatTookThePlaceOfItsOwn() throws IOException
    {
        final FrontendListener old = listen();
        Files.delete(path);
        final FrontendListener next = listen();
        assertTrue(old.look());
        assertNull(old.poll(0));
        assertFalse(old.look());
        connected().close();
        old.close();
        assertTrue(Files.exists(path));
        next.close();
    }

    @Test
    void shouldSayThatAPathIsTooLong()
    {
        final String fits = "/tmp/" + "x".repeat(102);
        assertDoesNotThrow(() -> FrontendListener.listen(fits, SocketAccess.DEFAULT).close());

        final SocketPathException ex = assertThrows(
            SocketPathException.class, () -> FrontendListener.listen(fits + "y", SocketAccess.DEFAULT));
        assertTrue(ex.getMessage().startsWith("socket path has 108 bytes, limit is 107"), ex.getMessage());
        assertThrows(SocketPathException.class, () -> FrontendConnector.connect(fits + "y"));
        assertThrows(SocketPathException.class, () -> FrontendConnector.connect(""));
        // bytes, not characters
        assertThrows(SocketPathException.class, () -> FrontendConnector.connect("/tmp/" + "\u00fc".repeat(52)));
    }

    @Test
    void shouldSayThatADirectoryIsMissing()
    {
        final int open = OpenDescriptors.count();

        final SocketPathException ex = assertThrows(SocketPathException.class,
            () -> FrontendListener.listen(directory.resolve("missing/s").toString(), SocketAccess.DEFAULT));

        assertTrue(ex.getMessage().contains("cannot listen on"), ex.getMessage());
        assertEquals(open, OpenDescriptors.count());
    }

    @Test
    void shouldSetModeOwnerAndGroup() throws IOException
    {
        final String owner = Files.getOwner(directory).getName();
        final FrontendListener listener = FrontendListener.listen(
            path.toString(), new SocketAccess(0660, owner, null));

        assertEquals(PosixFilePermissions.fromString("rw-rw----"), Files.getPosixFilePermissions(path));
        assertEquals(owner, Files.getOwner(path).getName());
        listener.close();
        assertThrows(SocketPathException.class, () -> new SocketAccess(01000, null, null));
    }

    @Test
    void shouldLeaveNoSocketWhenItCannotBeGivenAway()
    {
        final int open = OpenDescriptors.count();

        final SocketPathException ex = assertThrows(SocketPathException.class, () -> FrontendListener.listen(
            path.toString(), new SocketAccess(SocketAccess.UNCHANGED, null, "no-such-group-here")));

        assertTrue(ex.getMessage().contains("group no-such-group-here"), ex.getMessage());
        assertFalse(Files.exists(path));
        assertEquals(open, OpenDescriptors.count());
    }

    @Test
    void shouldConnectAgainForEverMoreAndMoreSlowly()
    {
        final FrontendConnector connector = FrontendConnector.connect(path.toString());
        long now = 1_000;
        final long[] delays = {50, 100, 200, 400, 800, 1000, 1000};
        for (final long delayMs : delays)
        {
            assertEquals(0, connector.delayNs(now));
            assertNull(connector.poll(now));
            assertEquals(delayMs * 1_000_000, connector.delayNs(now));
            now += delayMs * 1_000_000;
        }

        leaveDeadSocket();
        assertNull(connector.poll(now));
        assertEquals(delays.length + 1, connector.takeFailures());
        assertEquals(0, connector.takeFailures());

        final FrontendListener frontend = listen();
        final Fd socket = connector.poll(now);
        assertNotNull(socket);
        connector.onDisconnected(now, true);
        assertEquals(50_000_000, connector.delayNs(now));
        connector.onDisconnected(now, false);
        assertEquals(100_000_000, connector.delayNs(now));
        socket.close();
        frontend.close();
        connector.close();
    }

    @Test
    void shouldServeAFrontendThatListens() throws IOException
    {
        final SessionFixture fixture = new SessionFixture(
            2, new SessionContext().source(FrontendConnector.connect(path.toString())));
        assertEquals(0, fixture.agent.doWork());
        assertEquals(1, fixture.count(SessionCounter.CONNECT_FAILURES));

        final FrontendListener frontend = listen();
        assertEquals(0, fixture.agent.doWork(), "before its time");
        for (int i = 0; i < 3; i++)
        {
            fixture.nowNs += FrontendConnector.MAX_DELAY_NS;
            fixture.agent.doWork();
            final FrontendScript script = new FrontendScript(fixture.agent, frontend.poll(0));
            assertEquals(2, script.askU64(GET_QUEUE_NUM));
            script.hangUp();
            assertFalse(fixture.agent.isConnected());
        }

        assertEquals(3, fixture.count(SessionCounter.SESSIONS));
        fixture.close();
        frontend.close();
    }

    @Test
    void shouldAdoptAListeningSocket()
    {
        final Fd listening = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM, 0);
        Sockets.bindUnix(listening.number(), path.toString());
        Sockets.listen(listening.number(), 1);

        final FrontendSource source = AdoptedFrontend.adopt(listening.release());

        assertFalse(source.isExhausted());
        assertNull(source.poll(0), "it would wait");
        try (Fd client = connected(); Fd accepted = source.poll(0))
        {
            assertTrue(client.isOpen());
            assertTrue(accepted.isOpen());
        }

        source.close();
        assertTrue(Files.exists(path), "the file is our parent's");
    }

    @Test
    void shouldRefuseToAdoptWhatIsNoUnixStream()
    {
        final int open = OpenDescriptors.count();

        assertThrows(SocketPathException.class, () -> AdoptedFrontend.adopt(
            Sockets.socket(Sockets.AF_INET, Sockets.SOCK_STREAM, 0).release()));
        assertThrows(SocketPathException.class, () -> AdoptedFrontend.adopt(
            Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_DGRAM, 0).release()));
        assertThrows(SocketPathException.class, () -> AdoptedFrontend.adopt(
            Syscalls.open("/dev/null", Fcntl.O_RDONLY).release()));
        assertThrows(SocketPathException.class, () -> AdoptedFrontend.adopt(1_000_000));

        assertEquals(open, OpenDescriptors.count());
    }

    private FrontendListener listen()
    {
        return FrontendListener.listen(path.toString(), SocketAccess.DEFAULT);
    }

    private Fd connected()
    {
        final Fd socket = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM, 0);
        assertEquals(0, Sockets.connectUnix(socket.number(), path.toString()));
        return socket;
    }

    private void leaveDeadSocket()
    {
        try (Fd killed = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM, 0))
        {
            Sockets.bindUnix(killed.number(), path.toString());
            Sockets.listen(killed.number(), 1);
        }

        assertTrue(Files.exists(path));
    }

    private static boolean isCloseOnExec(final int descriptor)
    {
        return Fcntl.FD_CLOEXEC == Syscalls.fcntl(descriptor, Fcntl.F_GETFD, 0);
    }
}
