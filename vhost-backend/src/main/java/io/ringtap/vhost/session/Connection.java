package io.ringtap.vhost.session;

import static io.ringtap.vhost.protocol.MessageHeaderFlyweight.LENGTH;
import static io.ringtap.vhost.protocol.MessageHeaderFlyweight.MAX_PAYLOAD_LENGTH;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.FdList;
import io.ringtap.sys.FdMessage;
import io.ringtap.sys.Memory;
import io.ringtap.vhost.protocol.MessageHeaderFlyweight;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The bytes and descriptors of one front-end at a time: messages are put together from whatever pieces the stream
 * delivers, replies leave when the peer reads. Never waits.
 * <p>
 * Reads never go beyond the message at hand. The kernel would otherwise join the end of one message and the start of
 * the next in one read, and nobody could tell whose the descriptors are that came with it.
 */
final class Connection implements AutoCloseable
{
    /** The peer has closed, or is gone. */
    static final int CLOSED = -1;
    /** Nothing more to read for now. */
    static final int WAITING = 0;
    /** A whole message is there until {@link #next()}. */
    static final int MESSAGE = 1;

    /** Replies that may wait for a peer which does not read; hundreds, on top of what the kernel keeps for it. */
    static final int MAX_UNSENT = 8192;

    private final FdMessage transport = new FdMessage();
    private final UnsafeBuffer in = Memory.scratch(LENGTH + MAX_PAYLOAD_LENGTH);
    private final UnsafeBuffer out = Memory.scratch(MAX_UNSENT);
    private final MessageHeaderFlyweight header = new MessageHeaderFlyweight().wrap(in, 0);
    private final FdList descriptors = new FdList();
    private final FdList strays = new FdList();
    private final int[] attached = new int[1];
    private Fd socket;
    private int received;
    private int expected = LENGTH;
    private int unsentFrom;
    private int unsentTo;

    /** @param connected a non-blocking stream socket; owned from now on. */
    void open(final Fd connected)
    {
        socket = connected;
    }

    boolean isOpen()
    {
        return null != socket;
    }

    int number()
    {
        return socket.number();
    }

    /**
     * Reads on until a message is whole.
     *
     * @return {@link #MESSAGE}, {@link #WAITING} or {@link #CLOSED}.
     * @throws ProtocolViolationException when where the next message starts is no longer known for sure.
     */
    int receive()
    {
        while (received < expected)
        {
            // Descriptors belong to the byte they were sent with, and only the first of a message may have any.
            final FdList arriving = 0 == received ? descriptors : strays;
            final int length = transport.receive(socket.number(), in, received, expected - received, arriving);
            if (length <= 0)
            {
                return -Errno.EAGAIN == length ? WAITING : CLOSED;
            }

            if (0 != strays.size() || strays.isTruncated())
            {
                throw new ProtocolViolationException("descriptors came in the middle of a message");
            }

            received += length;
            if (LENGTH == expected && LENGTH == received)
            {
                onHeader();
            }
        }

        return MESSAGE;
    }

    /** Done with the message: descriptors that nobody took are closed. */
    void next()
    {
        descriptors.closeAll();
        received = 0;
        expected = LENGTH;
    }

    boolean isInsideMessage()
    {
        return 0 != received;
    }

    MessageHeaderFlyweight header()
    {
        return header;
    }

    /** Holds the payload from {@link MessageHeaderFlyweight#LENGTH} on; what follows it is from older messages. */
    MutableDirectBuffer buffer()
    {
        return in;
    }

    int payloadLength()
    {
        return expected - LENGTH;
    }

    FdList descriptors()
    {
        return descriptors;
    }

    /**
     * Sends, or keeps for later what the peer has no room for.
     *
     * @throws ProtocolViolationException when the peer has let too much wait.
     */
    void send(final DirectBuffer from, final int offset, final int length)
    {
        send(from, offset, length, null);
    }

    /**
     * As the other, with a descriptor, which stays the caller's. It is not kept for later: a peer that leaves its
     * replies unread until there is no room for this one does not get it.
     *
     * @throws ProtocolViolationException in that case too.
     */
    void send(final DirectBuffer from, final int offset, final int length, final Fd descriptor)
    {
        int sent = 0;
        if (unsentFrom == unsentTo)
        {
            attached[0] = null == descriptor ? 0 : descriptor.number();
            final int result =
                transport.send(socket.number(), from, offset, length, attached, null == descriptor ? 0 : 1);
            if (-Errno.EPIPE == result || -Errno.ECONNRESET == result)
            {
                // Nobody is left to read it; what the peer had said before it went is still to be read.
                return;
            }

            sent = Math.max(0, result);
        }

        if (0 == sent && null != descriptor)
        {
            throw new ProtocolViolationException(
                "the front-end leaves its replies unread, and a descriptor cannot be sent to it");
        }

        if (sent < length)
        {
            keep(from, offset + sent, length - sent);
        }
    }

    /** Whether replies wait for the peer to read. */
    boolean hasUnsent()
    {
        return unsentFrom != unsentTo;
    }

    /** Sends what waits, as far as the peer has room. */
    void flush()
    {
        while (hasUnsent())
        {
            final int result = transport.send(socket.number(), out, unsentFrom, unsentTo - unsentFrom, null, 0);
            if (-Errno.EAGAIN == result)
            {
                return;
            }

            unsentFrom = result < 0 ? unsentTo : unsentFrom + result;
        }

        unsentFrom = 0;
        unsentTo = 0;
    }

    @Override
    public void close()
    {
        if (null != socket)
        {
            next();
            strays.closeAll();
            unsentFrom = 0;
            unsentTo = 0;
            socket.close();
            socket = null;
        }
    }

    private void onHeader()
    {
        if (MessageHeaderFlyweight.VERSION != header.version())
        {
            throw new ProtocolViolationException("message of version " + header.version() + ", only 1 is known");
        }

        final long size = header.size();
        if (size > MAX_PAYLOAD_LENGTH)
        {
            throw new ProtocolViolationException(
                "message of " + size + " bytes of payload, limit is " + MAX_PAYLOAD_LENGTH);
        }

        expected = LENGTH + (int)size;
    }

    private void keep(final DirectBuffer from, final int offset, final int length)
    {
        final int unsent = unsentTo - unsentFrom;
        if (length > MAX_UNSENT - unsent)
        {
            throw new ProtocolViolationException(
                "the front-end leaves its replies unread: " + unsent + " bytes wait, limit is " + MAX_UNSENT);
        }

        if (length > MAX_UNSENT - unsentTo)
        {
            out.putBytes(0, out, unsentFrom, unsent);
            unsentFrom = 0;
            unsentTo = unsent;
        }

        out.putBytes(unsentTo, from, offset, length);
        unsentTo += length;
    }
}
