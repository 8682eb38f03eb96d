package io.ringtap.hostile;

import io.ringtap.sys.Errno;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.FdList;
import io.ringtap.sys.FdMessage;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.protocol.Request;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A front-end of bytes and descriptors that keeps to nothing. */
final class RawFrontend implements AutoCloseable
{
    static final int VERSION = 1;
    static final int NEED_REPLY = 8;
    static final long GUEST = 0x4000_0000L;
    static final long USER = 0x7f00_0000_0000L;
    static final int SIZE = 1 << 20;
    private static final int HEADER = 12;
    private static final int MOST = 16 * 1024;
    private static final int PATIENCE_MS = 8_000;
    private static final int RING = 64;

    final Fd memory;
    final EventFd event = EventFd.create();
    private final Fd socket;
    private final FdMessage transport = new FdMessage();
    private final UnsafeBuffer buffer = Memory.scratch(MOST);
    private final FdList received = new FdList();

    RawFrontend(final String path)
    {
        socket = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK, 0);
        HostileBed.await(() -> 0 == Sockets.connectUnix(socket.number(), path), "nobody accepts");
        memory = MemFd.create("hostile-front-end", SIZE);
    }

    /** One message with what goes with it. */
    record Message(int code, int flags, byte[] payload, int[] descriptors)
    {
        byte[] bytes()
        {
            return data(HEADER + payload.length).putInt(code).putInt(flags).putInt(payload.length).put(payload).array();
        }
    }

    static ByteBuffer data(final int length)
    {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }

    static byte[] longs(final long... values)
    {
        final ByteBuffer bytes = data(values.length * Long.BYTES);
        for (final long value : values)
        {
            bytes.putLong(value);
        }
        return bytes.array();
    }

    static byte[] state(final int ring, final int value)
    {
        return data(8).putInt(ring).putInt(value).array();
    }

    static byte[] address(final int ring, final long at)
    {
        return data(40).putInt(ring).putInt(0).putLong(at).putLong(at + 0x2000).putLong(at + 0x1000).putLong(0).array();
    }

    /** What QEMU says until all rings of a NIC with one pair run. */
    List<Message> conversation(final long features)
    {
        final List<Message> all = new ArrayList<>();
        all.add(message(Request.GET_FEATURES, new byte[0]));
        all.add(message(Request.GET_PROTOCOL_FEATURES, new byte[0]));
        all.add(message(Request.SET_PROTOCOL_FEATURES, longs(1 << 3 | 1 << 15 | 1)));
        all.add(message(Request.GET_QUEUE_NUM, new byte[0]));
        all.add(message(Request.SET_OWNER, new byte[0]));
        all.add(message(Request.SET_FEATURES, longs(features)));
        all.add(message(Request.ADD_MEM_REG, longs(0, GUEST, SIZE, USER, 0), memory.number()));
        for (int ring = 0; ring < 2; ring++)
        {
            all.add(message(Request.SET_VRING_NUM, state(ring, RING)));
            all.add(message(Request.SET_VRING_BASE, state(ring, 0)));
            all.add(message(Request.SET_VRING_ADDR, address(ring, USER + ring * 0x4000L)));
            all.add(message(Request.SET_VRING_KICK, longs(ring), event.number()));
            all.add(message(Request.SET_VRING_CALL, longs(ring), event.number()));
            all.add(message(Request.SET_VRING_ERR, longs(ring), event.number()));
            all.add(message(Request.SET_VRING_ENABLE, state(ring, 1)));
        }
        all.add(message(Request.GET_VRING_BASE, state(0, 0)));
        return all;
    }

    static Message message(final Request request, final byte[] payload, final int... descriptors)
    {
        return new Message(request.code(), VERSION, payload, descriptors);
    }

    /** @return false when the peer has no room or is gone. */
    boolean send(final Message message)
    {
        return send(message.bytes(), message.descriptors());
    }

    boolean send(final byte[] bytes, final int... descriptors)
    {
        buffer.putBytes(0, bytes);
        return bytes.length == transport.send(socket.number(), buffer, 0, bytes.length, descriptors,
            Math.min(descriptors.length, FdList.CAPACITY));
    }

    /** Asks for an ack. @return it, or -1 when the session ended instead. */
    long acked(final Request request, final byte[] payload, final int... descriptors)
    {
        if (!send(new Message(request.code(), VERSION | NEED_REPLY, payload, descriptors)))
        {
            return -1;
        }
        return answer();
    }

    /** The first number of the next answer, or -1 when the session ended. */
    long answer()
    {
        int got = 0;
        int length = HEADER;
        while (got < length)
        {
            assertTrue(0 != Syscalls.poll(socket.number(), Poll.IN | Poll.RDHUP, PATIENCE_MS), "no answer");
            final int result = transport.receive(socket.number(), buffer, got, length - got, received);
            received.closeAll();
            if (0 == result || -Errno.ECONNRESET == result)
            {
                return -1;
            }
            got += Math.max(0, result);
            length = HEADER <= got ? HEADER + buffer.getInt(8, ByteOrder.LITTLE_ENDIAN) : HEADER;
        }
        return HEADER + Long.BYTES <= length ? buffer.getLong(HEADER, ByteOrder.LITTLE_ENDIAN) : 0;
    }

    /** Reads whatever is there. */
    void listen()
    {
        while (0 < transport.receive(socket.number(), buffer, 0, MOST, received))
        {
            received.closeAll();
        }
    }

    /** Takes every protocol feature that is offered; later messages may ask for acks. */
    void negotiate(final long features)
    {
        send(message(Request.GET_PROTOCOL_FEATURES, new byte[0]));
        send(message(Request.SET_PROTOCOL_FEATURES, longs(answer())));
        assertEquals(0, acked(Request.SET_FEATURES, longs(features)));
    }

    boolean isClosedByPeer()
    {
        return 0 != (Syscalls.poll(socket.number(), Poll.RDHUP, 0) & (Poll.RDHUP | Poll.HUP));
    }

    int socket()
    {
        return socket.number();
    }

    @Override
    public void close()
    {
        socket.close();
        memory.close();
        event.close();
    }
}
