package io.ringtap.vhost.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.FdList;
import io.ringtap.sys.FdMessage;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.protocol.Request;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A front-end made of raw bytes and descriptors. It and the agent share the test's thread: whoever needs the other to
 * move calls {@link #settle()}.
 */
final class FrontendScript implements AutoCloseable
{
    static final int VERSION = 1;
    static final int REPLY = 4;
    static final int NEED_REPLY = 8;

    private static final int MAX_MESSAGE = 16 * 1024;

    private final FdMessage transport = new FdMessage();
    private final UnsafeBuffer buffer = Memory.scratch(MAX_MESSAGE);
    private final FdList received = new FdList();
    private int expectedDescriptors;
    private Fd descriptor;
    private final SessionAgent agent;
    private final Fd socket;

    FrontendScript(final SessionAgent agent, final Fd socket)
    {
        this.agent = agent;
        this.socket = socket;
    }

    static FrontendScript connect(final SessionAgent agent, final String path)
    {
        final Fd socket = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK, 0);
        assertEquals(0, Sockets.connectUnix(socket.number(), path), "connect to " + path);
        final FrontendScript script = new FrontendScript(agent, socket);
        script.settle();
        return script;
    }

    /** Lets the agent work until it has nothing left to do. */
    void settle()
    {
        int cycles = 0;
        while (0 != agent.doWork())
        {
            cycles++;
            assertTrue(cycles < 10_000, "the agent spins");
        }
    }

    /** Sends without need_reply, and lets the agent handle it. */
    FrontendScript send(final Request request, final byte[] payload, final int... descriptors)
    {
        return sendRaw(request.code(), VERSION, payload, descriptors);
    }

    FrontendScript sendRaw(final int code, final int flags, final byte[] payload, final int... descriptors)
    {
        write(message(code, flags, payload), descriptors);
        settle();
        return this;
    }

    /** Sends with need_reply. @return the ack. */
    long acked(final Request request, final byte[] payload, final int... descriptors)
    {
        sendRaw(request.code(), VERSION | NEED_REPLY, payload, descriptors);
        return u64(request.code());
    }

    /** Sends a request that has an answer of its own. @return its payload. */
    ByteBuffer ask(final Request request, final byte[] payload)
    {
        send(request, payload);
        return reply(request.code());
    }

    /** A descriptor must come with the next reply. */
    FrontendScript expectDescriptor()
    {
        expectedDescriptors = 1;
        return this;
    }

    /** The descriptor that came with it; the caller's. */
    Fd takeDescriptor()
    {
        final Fd taken = descriptor;
        descriptor = null;
        return taken;
    }

    long askU64(final Request request)
    {
        send(request, Payloads.NONE);
        return u64(request.code());
    }

    int askBase(final int ring)
    {
        final ByteBuffer base = ask(Request.GET_VRING_BASE, Payloads.state(ring, 0));
        assertEquals(8, base.remaining());
        assertEquals(ring, base.getInt());
        return base.getInt();
    }

    long u64(final int code)
    {
        final ByteBuffer payload = reply(code);
        assertEquals(8, payload.remaining());
        return payload.getLong();
    }

    /** The payload of the reply that is there; its header is judged to the bit. */
    ByteBuffer reply(final int code)
    {
        assertEquals(12, read(0, 12), "no reply to request " + code);
        assertEquals(code, buffer.getInt(0));
        assertEquals(VERSION | REPLY, buffer.getInt(4));
        final int size = buffer.getInt(8);
        assertEquals(size, read(12, size));
        final byte[] payload = new byte[size];
        buffer.getBytes(12, payload);
        return Payloads.buffer(size).put(payload).flip();
    }

    /** Hears whatever is said, and makes nothing of it. */
    void listen()
    {
        while (transport.receive(socket.number(), buffer, 0, MAX_MESSAGE, received) > 0)
        {
            received.closeAll();
        }
    }

    /** Nothing was answered, and the session goes on. */
    FrontendScript silence()
    {
        assertEquals(-Errno.EAGAIN, read(0, 12), "an answer that nobody asked for, or the end");
        return this;
    }

    boolean isClosedByPeer()
    {
        final int result = transport.receive(socket.number(), buffer, 0, MAX_MESSAGE, received);
        return 0 == result || -Errno.ECONNRESET == result;
    }

    void write(final byte[] bytes, final int... descriptors)
    {
        assertEquals(bytes.length, tryWrite(bytes, descriptors));
    }

    /** With any number of descriptors. */
    void writeAll(final byte[] bytes, final int... descriptors)
    {
        if (descriptors.length <= FdList.CAPACITY)
        {
            write(bytes, descriptors);
        }
        else
        {
            assertEquals(bytes.length, DescriptorFlood.send(socket.number(), bytes, descriptors));
        }
    }

    /** @return bytes that went, or a negative errno. */
    int tryWrite(final byte[] bytes, final int... descriptors)
    {
        buffer.putBytes(0, bytes);
        return transport.send(socket.number(), buffer, 0, bytes.length, descriptors, descriptors.length);
    }

    static byte[] message(final int code, final int flags, final byte[] payload)
    {
        return Payloads.buffer(12 + payload.length)
            .putInt(code).putInt(flags).putInt(payload.length).put(payload).array();
    }

    boolean canRead()
    {
        return 0 != (Syscalls.poll(socket.number(), Poll.IN, 0) & Poll.IN);
    }

    /** Goes without a word. */
    void hangUp()
    {
        socket.close();
        settle();
    }

    @Override
    public void close()
    {
        socket.close();
    }

    private int read(final int offset, final int length)
    {
        if (0 == length)
        {
            return 0;
        }

        final int result = transport.receive(socket.number(), buffer, offset, length, received);
        assertEquals(0 == offset ? expectedDescriptors : 0, received.size(), "descriptors that came with a reply");
        if (0 == offset && 1 == expectedDescriptors)
        {
            descriptor = received.take(0);
            expectedDescriptors = 0;
        }
        received.closeAll();
        return result;
    }
}
