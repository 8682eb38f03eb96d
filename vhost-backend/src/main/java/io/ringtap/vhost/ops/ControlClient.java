package io.ringtap.vhost.ops;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.FdList;
import io.ringtap.sys.FdMessage;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The other end of a control socket, for the command line and for tests: asks, and waits for the answer. */
public final class ControlClient implements AutoCloseable
{
    private static final int SCRATCH = 16 * 1024;
    /** A character has four bytes at most. */
    private static final int MAX_RECEIVED = 4 * ControlServer.MAX_ANSWER;

    private final Fd socket;
    private final String path;
    private final FdMessage messages = new FdMessage();
    private final UnsafeBuffer scratch = Memory.scratch(SCRATCH);
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();

    private FdList descriptors;

    private ControlClient(final Fd socket, final String path)
    {
        this.socket = socket;
        this.path = path;
    }

    /** @throws CommandException when nobody answers there. */
    public static ControlClient connect(final String path)
    {
        Fd socket = null;
        try
        {
            socket = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM, 0);
            final int result = Sockets.connectUnix(socket.number(), path);
            if (0 != result)
            {
                throw unreachable(path, Errno.nameOf(-result));
            }
            return new ControlClient(socket, path);
        }
        catch (final RuntimeException ex)
        {
            if (null != socket)
            {
                socket.close();
            }
            throw ex instanceof CommandException ? ex : unreachable(path,
                ex instanceof SyscallException call ? call.errnoName() : ex.getMessage());
        }
    }

    /**
     * Asks once.
     *
     * @return what the answer's result holds.
     * @throws CommandException with the error that the backend answered.
     */
    public Map<String, Object> ask(final Map<String, Object> request)
    {
        final Map<String, Object> answer = Json.object(exchange(Json.text(request)));
        if (answer.get("error") instanceof Map<?, ?> error)
        {
            throw new CommandException(String.valueOf(error.get("value")), String.valueOf(error.get("limit")),
                String.valueOf(error.get("remedy")));
        }
        return answer.get("result") instanceof Map<?, ?> result ? checked(result) : Map.of();
    }

    /**
     * Asks once, for descriptors that come with the answer.
     *
     * @param into takes them.
     */
    public Map<String, Object> ask(final Map<String, Object> request, final FdList into)
    {
        descriptors = into;
        return ask(request);
    }

    /** Waits until the backend has gone. */
    public void awaitEnd()
    {
        while (Syscalls.read(socket.number(), scratch, 0, SCRATCH) > 0)
        {
            // Nothing more is expected.
        }
    }

    /** Sends a line, whatever it holds, and returns the next one. */
    public String exchange(final String line)
    {
        send((line + '\n').getBytes(StandardCharsets.UTF_8));
        while (true)
        {
            final int got = null == descriptors ? Syscalls.read(socket.number(), scratch, 0, SCRATCH) :
                messages.receive(socket.number(), scratch, 0, SCRATCH, descriptors);
            if (got <= 0 || received.size() > MAX_RECEIVED)
            {
                throw unreachable(path, "the backend hung up");
            }
            // One request has one answer, so nothing follows the end of the line.
            final boolean isWhole = '\n' == scratch.getByte(got - 1);
            final byte[] part = new byte[isWhole ? got - 1 : got];
            scratch.getBytes(0, part);
            received.write(part, 0, part.length);
            if (isWhole)
            {
                final String answer = received.toString(StandardCharsets.UTF_8);
                received.reset();
                return answer;
            }
        }
    }

    @Override
    public void close()
    {
        socket.close();
    }

    private void send(final byte[] bytes)
    {
        int at = 0;
        while (at < bytes.length)
        {
            final int length = Math.min(SCRATCH, bytes.length - at);
            scratch.putBytes(0, bytes, at, length);
            final int sent = messages.send(socket.number(), scratch, 0, length, null, 0);
            if (sent < 0)
            {
                throw unreachable(path, "the backend hung up");
            }
            at += sent;
        }
    }

    private static CommandException unreachable(final String path, final String why)
    {
        return new CommandException("--control=" + path, "no backend answers there (" + why + ")",
            "give the path that the backend was started with, as a user who may use it");
    }

    private static Map<String, Object> checked(final Map<?, ?> map)
    {
        final Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put((String)key, value));
        return copy;
    }
}
