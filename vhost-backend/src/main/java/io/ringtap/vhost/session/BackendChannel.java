package io.ringtap.vhost.session;

import java.util.ArrayDeque;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.FdList;
import io.ringtap.sys.FdMessage;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.protocol.BackendRequest;
import io.ringtap.vhost.protocol.IotlbFlyweight;
import io.ringtap.vhost.protocol.MessageHeaderFlyweight;
import io.ringtap.vhost.protocol.U64Flyweight;
import io.ringtap.vhost.protocol.VringStateFlyweight;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Our own requests to the front-end, on the socket of SET_BACKEND_REQ_FD. Never waits: answers are taken when they
 * come, in the order of the requests, and a front-end that lets its channel run full is one that does not answer.
 */
final class BackendChannel implements AutoCloseable
{
    /** What becomes of an answer. */
    interface Answer
    {
        /** @param isRefused the front-end did not do it. */
        void on(boolean isRefused);
    }

    private static final int PAYLOAD = MessageHeaderFlyweight.LENGTH;
    private static final int REPLY_LENGTH = PAYLOAD + U64Flyweight.LENGTH;
    /** Requests without an answer; more than pages that can be missed at a time. */
    private static final int MAX_OPEN = 512;

    private final FdMessage transport = new FdMessage();
    private final UnsafeBuffer out = Memory.scratch(PAYLOAD + IotlbFlyweight.LENGTH);
    private final UnsafeBuffer in = Memory.scratch(REPLY_LENGTH);
    private final MessageHeaderFlyweight header = new MessageHeaderFlyweight().wrap(out, 0);
    private final IotlbFlyweight iotlb = new IotlbFlyweight().wrap(out, PAYLOAD);
    private final VringStateFlyweight vring = new VringStateFlyweight().wrap(out, PAYLOAD);
    private final U64Flyweight answer = new U64Flyweight().wrap(in, PAYLOAD);
    private final FdList strays = new FdList();
    private final ArrayDeque<Answer> open = new ArrayDeque<>();
    private final Fd socket;
    private int received;

    /** @param socket owned from now on. */
    BackendChannel(final Fd socket)
    {
        this.socket = socket;
        Syscalls.setNonBlocking(socket.number());
    }

    int number()
    {
        return socket.number();
    }

    /**
     * Asks for a translation that the guest's IOMMU has, or has not.
     *
     * @param onAnswer null when answers were not negotiated: then none is asked for.
     * @return false when the front-end takes no more requests.
     */
    boolean iotlbMiss(final long iova, final int permission, final Answer onAnswer)
    {
        iotlb.set(iova, 0, 0, permission, IotlbFlyweight.TYPE_MISS);
        return send(BackendRequest.IOTLB_MSG, IotlbFlyweight.LENGTH, onAnswer);
    }

    /**
     * Tells of a ring, or of the device.
     *
     * @param ring     negative for a message without one.
     * @param onAnswer null when none is wanted.
     * @return false when the front-end takes no more requests for now.
     */
    boolean tell(final BackendRequest request, final int ring, final Answer onAnswer)
    {
        vring.index(ring).num(0);
        return send(request, ring < 0 ? 0 : VringStateFlyweight.LENGTH, onAnswer);
    }

    /** Takes the answers that are there. @return false when the channel is of no use any more. */
    boolean receive()
    {
        while (true)
        {
            final int length = transport.receive(socket.number(), in, received, REPLY_LENGTH - received, strays);
            strays.closeAll();
            if (length <= 0)
            {
                return -Errno.EAGAIN == length;
            }

            received += length;
            if (REPLY_LENGTH == received)
            {
                received = 0;
                final Answer next = open.poll();
                if (null == next)
                {
                    return false;
                }

                next.on(0 != answer.value());
            }
        }
    }

    @Override
    public void close()
    {
        socket.close();
    }

    private boolean send(final BackendRequest request, final int length, final Answer onAnswer)
    {
        if (MAX_OPEN == open.size())
        {
            return false;
        }

        header.request(request.code())
            .flags(MessageHeaderFlyweight.VERSION |
                (null == onAnswer ? 0 : MessageHeaderFlyweight.NEED_REPLY))
            .size(length);
        // Whole or not at all: a stream socket splits no message that is shorter than what it has room for.
        final int sent = transport.send(socket.number(), out, 0, PAYLOAD + length, null, 0);
        if (PAYLOAD + length != sent)
        {
            return false;
        }

        if (null != onAnswer)
        {
            open.add(onAnswer);
        }

        return true;
    }
}
