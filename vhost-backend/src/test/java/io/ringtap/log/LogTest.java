package io.ringtap.log;

import io.ringtap.Backend;
import io.ringtap.BackendConfig;
import io.ringtap.PortKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is written, how often, and from which level on. */
class LogTest
{
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    @TempDir
    private Path folder;

    @BeforeEach
    void listen()
    {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void stopListening()
    {
        System.setErr(before);
    }

    private List<String> lines()
    {
        return written.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void shouldBeWhatSlf4jFinds()
    {
        assertNotNull(LogFactory.inUse());
        LoggerFactory.getLogger("io.ringtap.log.test").warn("{}: one of {}", "tap0", 2);
        assertEquals(List.of("[WARN] tap0: one of 2"), lines());
    }

    @Test
    void shouldWriteAFewLinesAboutOneThingAndCountTheRest()
    {
        final Logger log = new LogFactory().getLogger("a");
        for (int i = 0; i < 100_000; i++)
        {
            log.warn("{}: request {} refused", "tap0", i);
        }
        log.warn("{}: request {} refused", "tap1", 1);
        log.error("{}: something else", "tap0");
        assertEquals(LogGate.LINES + 2, lines().size());
    }

    @Test
    void shouldSayHowManyWereLeftOutWhenTimeHasPassed()
    {
        final LogGate gate = new LogGate();
        for (int i = 0; i < LogGate.LINES; i++)
        {
            assertEquals(0, gate.admit("x", "y", i));
        }
        for (int i = 0; i < 500; i++)
        {
            assertEquals(LogGate.HELD, gate.admit("x", "y", LogGate.WINDOW_NS - 1));
        }
        assertEquals(500, gate.admit("x", "y", LogGate.WINDOW_NS));
        assertEquals(0, gate.admit("x", "y", LogGate.WINDOW_NS + 1));
        for (int i = 0; i < 10 * LogGate.MAX_THINGS; i++)
        {
            gate.admit("x", "subject " + i, 0);
        }
        assertEquals(0, gate.admit("x", "y", LogGate.WINDOW_NS + 1), "it was forgotten, and so is its limit");
    }

    @Test
    void shouldFollowTheLevelOfTheLongestPrefix()
    {
        final LogFactory factory = new LogFactory();
        final Logger session = factory.getLogger("io.ringtap.vhost.session.Session");
        final Logger other = factory.getLogger("io.ringtap.vhost.sessions");
        assertTrue(session.isInfoEnabled() && !session.isDebugEnabled());
        assertTrue(factory.level("io.ringtap.vhost.session", Level.DEBUG));
        assertTrue(session.isDebugEnabled() && !other.isDebugEnabled());
        assertTrue(factory.getLogger("io.ringtap.vhost.session.Later").isDebugEnabled());
        assertTrue(factory.level("", Level.ERROR));
        assertFalse(session.isWarnEnabled() || other.isWarnEnabled());
        for (int i = 0; i < LogFactory.MAX_NAMES; i++)
        {
            assertTrue(factory.level("n" + i, Level.WARN));
        }
        assertFalse(factory.level("one.too.many", Level.WARN));
        assertTrue(factory.level("n0", Level.DEBUG));
    }

    @Test
    void shouldWriteATraceWithItsLine()
    {
        new LogFactory().getLogger("a").error("it failed: {}", "why", new IllegalStateException("because"));
        assertEquals("[ERROR] it failed: why", lines().get(0));
        assertEquals("java.lang.IllegalStateException: because", lines().get(1));
    }

    /** Each connection logs when it comes, what it is refused and when it goes, but not a thousand times. */
    @Test
    void shouldNotBeFloodedByAFrontEnd() throws IOException
    {
        final Path socket = folder.resolve("vhost");
        try (Backend backend = Backend.launch(BackendConfig.builder().socketPath(socket.toString())
            .port(PortKind.NULL, null).conclude()))
        {
            for (int i = 0; i < 1000; i++)
            {
                try (SocketChannel frontEnd = SocketChannel.open(UnixDomainSocketAddress.of(socket)))
                {
                    // SET_FEATURES with bits that were not offered, REPLY wanted; then the end or rubbish.
                    final ByteBuffer message = ByteBuffer.allocate(20).order(ByteOrder.nativeOrder());
                    message.putInt(2).putInt(1).putInt(8).putLong(-1L);
                    frontEnd.write(message.flip());
                    frontEnd.write(ByteBuffer.wrap(new byte[0 == i % 2 ? 12 : 0]));
                }
            }
            assertTrue(lines().size() < 200, () -> lines().size() + " lines\n" + String.join("\n", lines()));
            assertTrue(backend.session() != null);
        }
        assertTrue(lines().stream().anyMatch((line) -> line.contains("refused")), () -> String.join("\n", lines()));
        System.out.println(lines().size() + " lines about 1000 front-ends");
    }
}
