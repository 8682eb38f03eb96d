package io.ringtap.service;

import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Tells the supervisor how far we are, by the protocol of sd_notify(3): one datagram with lines {@code NAME=value} to
 * the socket that {@code NOTIFY_SOCKET} names. Without one, or when the supervisor is gone, nothing is said.
 */
public final class Supervisor implements AutoCloseable
{
    /** Many statuses fit; what is longer is cut. */
    static final int MAX_LENGTH = 4096;

    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final int NEVER = 0;

    private final Fd socket;
    private final long watchdogUs;
    private UnsafeBuffer message;

    private Supervisor(final Fd socket, final long watchdogUs)
    {
        this.socket = socket;
        this.watchdogUs = watchdogUs;
    }

    /** The one of this process. */
    public static Supervisor ofProcess()
    {
        return of(System.getenv());
    }

    static Supervisor of(final Map<String, String> environment)
    {
        final String name = environment.get("NOTIFY_SOCKET");
        if (null == name || name.length() < 2 || '/' != name.charAt(0) && '@' != name.charAt(0))
        {
            return new Supervisor(null, NEVER);
        }
        Fd socket = null;
        try
        {
            socket = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_DGRAM | Sockets.SOCK_NONBLOCK, 0);
            if ('@' == name.charAt(0))
            {
                Sockets.connectAbstract(socket.number(), name.substring(1));
            }
            else if (0 != Sockets.connectUnix(socket.number(), name))
            {
                throw new IllegalArgumentException("nobody listens there");
            }
            return new Supervisor(socket, watchdogUs(environment, ProcessHandle.current().pid()));
        }
        catch (final SyscallException | IllegalArgumentException ex)
        {
            if (null != socket)
            {
                socket.close();
            }
            LOG.warn("NOTIFY_SOCKET={}: the supervisor cannot be told anything: {}", name, ex.getMessage());
            return new Supervisor(null, NEVER);
        }
    }

    /** A start is over. @param status for people, one line. */
    public void ready(final String status)
    {
        tell("READY=1\nSTATUS=" + status.replace('\n', ' '));
    }

    /** The configuration is read again; {@link #ready} ends it. */
    public void reloading()
    {
        tell("RELOADING=1\nMONOTONIC_USEC=" + TimeUnit.NANOSECONDS.toMicros(System.nanoTime()));
    }

    /** The end begins. */
    public void stopping()
    {
        tell("STOPPING=1");
    }

    /** To be said at least every {@link #aliveIntervalMs}, else the supervisor ends us. */
    public void alive()
    {
        tell("WATCHDOG=1");
    }

    /** Half of the time that the supervisor waits for a sign of life; 0 when it wants none. */
    public long aliveIntervalMs()
    {
        return 0 == watchdogUs ? NEVER : Math.max(1, TimeUnit.MICROSECONDS.toMillis(watchdogUs / 2));
    }

    @Override
    public void close()
    {
        if (null != socket)
        {
            socket.close();
        }
    }

    /** A supervisor that does not read loses messages: frames do not wait for it, and neither do we. */
    private synchronized void tell(final String text)
    {
        if (null == socket || !socket.isOpen())
        {
            return;
        }
        if (null == message)
        {
            message = Memory.scratch(MAX_LENGTH);
        }
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        final int length = Math.min(bytes.length, MAX_LENGTH);
        message.putBytes(0, bytes, 0, length);
        final int result = Syscalls.write(socket.number(), message, 0, length);
        if (result < 0)
        {
            LOG.debug("the supervisor was not told {}: errno {}", text, -result);
        }
    }

    /** WATCHDOG_PID names whom the watchdog is for; a value that is no number is no watchdog. */
    private static long watchdogUs(final Map<String, String> environment, final long pid)
    {
        final long wanted = number(environment.get("WATCHDOG_USEC"));
        final String whom = environment.get("WATCHDOG_PID");
        return null == whom || number(whom) == pid ? wanted : NEVER;
    }

    private static long number(final String text)
    {
        return null != text && text.matches("\\d{1,18}") ? Long.parseLong(text) : NEVER;
    }
}
