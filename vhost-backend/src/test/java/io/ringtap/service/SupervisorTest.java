package io.ringtap.service;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a supervisor hears, over a real socket. */
class SupervisorTest
{
    private static final int MAX = 8192;

    @TempDir
    private Path folder;

    private final UnsafeBuffer buffer = Memory.scratch(MAX);
    private final Map<String, String> environment = new HashMap<>();
    private Fd ear;

    @BeforeEach
    void listen()
    {
        ear = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_DGRAM | Sockets.SOCK_NONBLOCK, 0);
        final String path = folder.resolve("notify").toString();
        Sockets.bindUnix(ear.number(), path);
        environment.put("NOTIFY_SOCKET", path);
    }

    @AfterEach
    void close()
    {
        ear.close();
    }

    @Test
    void shouldTellEachStepInADatagram()
    {
        try (Supervisor supervisor = Supervisor.of(environment))
        {
            supervisor.ready("a serving,\nb failed");
            assertEquals("READY=1\nSTATUS=a serving, b failed", heard());
            supervisor.alive();
            assertEquals("WATCHDOG=1", heard());
            supervisor.reloading();
            assertTrue(heard().matches("RELOADING=1\nMONOTONIC_USEC=\\d+"));
            supervisor.stopping();
            assertEquals("STOPPING=1", heard());
            assertNull(heard());
        }
    }

    @Test
    void shouldFindANameThatIsNoFile()
    {
        final String name = "ringtap-test-" + ProcessHandle.current().pid();
        try (Fd other = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_DGRAM | Sockets.SOCK_NONBLOCK, 0))
        {
            assertTrue(Sockets.bindAbstract(other.number(), name));
            environment.put("NOTIFY_SOCKET", '@' + name);
            try (Supervisor supervisor = Supervisor.of(environment))
            {
                supervisor.stopping();
            }
            assertEquals("STOPPING=1", heard(other));
        }
    }

    @Test
    void shouldCutAStatusThatIsTooLong()
    {
        try (Supervisor supervisor = Supervisor.of(environment))
        {
            supervisor.ready("x".repeat(Supervisor.MAX_LENGTH));
            assertEquals(Supervisor.MAX_LENGTH, heard().length());
        }
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {
        "-", "/nowhere/notify", "relative", "/", "@", "@ringtap-nobody-has-this-name"})
    void shouldSayNothingWithoutASupervisor(final String socket)
    {
        environment.put("NOTIFY_SOCKET", socket);
        try (Supervisor supervisor = Supervisor.of(environment))
        {
            supervisor.ready("serving");
            supervisor.alive();
        }
        assertNull(heard());
    }

    @Test
    void shouldOutliveASupervisorThatIsGoneOrDoesNotRead()
    {
        try (Supervisor supervisor = Supervisor.of(environment))
        {
            for (int i = 0; i < 10_000; i++)
            {
                supervisor.alive();
            }
            ear.close();
            supervisor.stopping();
        }
        ear = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_DGRAM, 0);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {
        "-, -, 0", "30000000, -, 15000", "30000000, own, 15000", "30000000, 1, 0", "1, own, 1", "many, own, 0",
        "-5, own, 0", "0, own, 0", "99999999999999999999, own, 0"})
    void shouldGiveSignsOfLifeAtHalfTheTimeAskedFor(final String microseconds, final String whom, final long expected)
    {
        environment.put("WATCHDOG_USEC", microseconds);
        environment.put("WATCHDOG_PID", "own".equals(whom) ? Long.toString(ProcessHandle.current().pid()) : whom);
        try (Supervisor supervisor = Supervisor.of(environment))
        {
            assertEquals(expected, supervisor.aliveIntervalMs());
        }
    }

    private String heard()
    {
        return heard(ear);
    }

    private String heard(final Fd socket)
    {
        final int length = Syscalls.read(socket.number(), buffer, 0, MAX);
        return -Errno.EAGAIN == length ? null : buffer.getStringWithoutLengthUtf8(0, length);
    }
}
