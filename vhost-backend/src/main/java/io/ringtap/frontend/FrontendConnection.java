package io.ringtap.frontend;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.FdList;
import io.ringtap.sys.FdMessage;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.protocol.MessageHeaderFlyweight;
import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.protocol.Reply;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * The front-end's end of the socket: sends one request and waits for what the protocol says comes back. A reply is
 * checked to the bit, as QEMU does.
 */
public final class FrontendConnection implements AutoCloseable
{
    private static final int[] NO_DESCRIPTORS = {};

    private final Fd socket;
    private final int timeoutMs;
    private final FdMessage message = new FdMessage();
    private final FdList received = new FdList();
    private final UnsafeBuffer buffer =
        Memory.scratch(MessageHeaderFlyweight.LENGTH + MessageHeaderFlyweight.MAX_PAYLOAD_LENGTH);
    private final MessageHeaderFlyweight header = new MessageHeaderFlyweight().wrap(buffer, 0);
    private boolean hasReplyAck;

    /**
     * @param socket    connected, blocking or not; owned by this object.
     * @param timeoutMs the longest wait for a reply.
     */
    public FrontendConnection(final Fd socket, final int timeoutMs)
    {
        this.socket = socket;
        this.timeoutMs = timeoutMs;
    }

    /** REPLY_ACK was negotiated: {@link #command} may ask for acks from now on. */
    public void hasReplyAck(final boolean negotiated)
    {
        hasReplyAck = negotiated;
    }

    /** Where the payload of the next request is written, and that of the last reply lies, from {@link #payload()}. */
    public MutableDirectBuffer buffer()
    {
        return buffer;
    }

    /** Offset of the payload in {@link #buffer()}. */
    public int payload()
    {
        return MessageHeaderFlyweight.LENGTH;
    }

    /** Whether the back-end hung up. */
    public boolean isPeerGone()
    {
        return (Syscalls.poll(socket.number(), Poll.RDHUP, 0) & (Poll.RDHUP | Poll.HUP | Poll.ERR)) != 0;
    }

    /**
     * Sends a request that has no reply of its own.
     *
     * @param length      of the payload in {@link #buffer()}.
     * @param descriptors that go with it; they stay the caller's.
     * @param wantsAck    whether to ask for an ack, where REPLY_ACK allows it, and to wait for it.
     * @throws FrontendException when the back-end refuses or is gone.
     */
    public void command(
        final Request request, final int length, final int[] descriptors, final boolean wantsAck)
    {
        final boolean waits = wantsAck && hasReplyAck || Reply.ACK_ALWAYS == request.reply();
        send(request, length, descriptors, wantsAck && hasReplyAck);
        if (waits)
        {
            expect(request, Long.BYTES);
            final long ack = buffer.getLong(payload(), ByteOrder.LITTLE_ENDIAN);
            if (0 != ack)
            {
                throw new FrontendException("back-end refused " + request + " (ack " + ack + ")");
            }
        }
    }

    /** As the other, with a u64 for a payload. */
    public void command(final Request request, final long value, final boolean wantsAck)
    {
        buffer.putLong(payload(), value, ByteOrder.LITTLE_ENDIAN);
        command(request, Long.BYTES, NO_DESCRIPTORS, wantsAck);
    }

    /** As the other, without a payload. */
    public void command(final Request request, final boolean wantsAck)
    {
        command(request, 0, NO_DESCRIPTORS, wantsAck);
    }

    /**
     * Sends a request whose reply has a layout of its own, and waits for it.
     *
     * @param length of the payload in {@link #buffer()}.
     * @param replyLength that must come back, in {@link #buffer()}.
     */
    public void ask(final Request request, final int length, final int replyLength)
    {
        ask(request, length, NO_DESCRIPTORS, replyLength);
    }

    /** As the other, with descriptors; they stay the caller's. */
    public void ask(final Request request, final int length, final int[] descriptors, final int replyLength)
    {
        send(request, length, descriptors, false);
        expect(request, replyLength);
    }

    /** As the other, where a descriptor comes with the reply; it is the caller's. */
    public Fd askForDescriptor(final Request request, final int length, final int replyLength)
    {
        send(request, length, NO_DESCRIPTORS, false);
        receiveReply(request, replyLength);
        if (1 != received.size())
        {
            final int count = received.size();
            received.closeAll();
            throw new FrontendException(count + " descriptors came with the reply to " + request + ", expected 1");
        }
        final Fd descriptor = received.take(0);
        received.closeAll();
        return descriptor;
    }

    /** Asks for a u64. */
    public long ask(final Request request)
    {
        ask(request, 0, Long.BYTES);
        return buffer.getLong(payload(), ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close()
    {
        received.closeAll();
        socket.close();
    }

    private void send(
        final Request request, final int length, final int[] descriptors, final boolean needsReply)
    {
        header.request(request.code())
            .flags(MessageHeaderFlyweight.VERSION | (needsReply ? MessageHeaderFlyweight.NEED_REPLY : 0))
            .size(length);
        final int total = MessageHeaderFlyweight.LENGTH + length;
        int sent = 0;
        while (sent < total)
        {
            final int result = message.send(
                socket.number(), buffer, sent, total - sent, descriptors, 0 == sent ? descriptors.length : 0);
            if (result > 0)
            {
                sent += result;
            }
            else if (-Errno.EAGAIN != result)
            {
                throw FrontendException.absent("back-end hung up before " + request);
            }
            else if (0 == Syscalls.poll(socket.number(), Poll.OUT, timeoutMs))
            {
                throw new FrontendException("back-end did not take " + request + " within " + timeoutMs + " ms");
            }
        }
    }

    private void expect(final Request request, final int length)
    {
        receiveReply(request, length);
        received.closeAll();
    }

    private void receiveReply(final Request request, final int length)
    {
        receive(request, 0, MessageHeaderFlyweight.LENGTH);
        if (header.request() != request.code() || header.flags() != MessageHeaderFlyweight.REPLY_FLAGS ||
            header.size() > MessageHeaderFlyweight.MAX_PAYLOAD_LENGTH)
        {
            throw new FrontendException(
                "reply to " + request + " has request " + header.request() + ", flags 0x" +
                Integer.toHexString(header.flags()) + ", size " + header.size() + "; expected request " +
                request.code() + ", flags 0x5, size " + length);
        }
        final int size = (int)header.size();
        receive(request, MessageHeaderFlyweight.LENGTH, size);
        if (size != length)
        {
            received.closeAll();
            throw new FrontendException(
                0 == size ? "back-end refused " + request + " (empty reply)" :
                "reply to " + request + " has " + size + " bytes, expected " + length);
        }
    }

    private void receive(final Request request, final int offset, final int length)
    {
        int got = 0;
        while (got < length)
        {
            if (0 == Syscalls.poll(socket.number(), Poll.IN, timeoutMs))
            {
                throw new FrontendException("no reply to " + request + " within " + timeoutMs + " ms");
            }
            final int result =
                message.receive(socket.number(), buffer, offset + got, length - got, received);
            if (0 == result || -Errno.ECONNRESET == result)
            {
                throw FrontendException.absent("back-end hung up instead of replying to " + request);
            }
            if (result > 0)
            {
                got += result;
            }
        }
    }
}
