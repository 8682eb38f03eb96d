package io.ringtap.vhost.session;

import io.ringtap.counters.CounterSet;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.vhost.protocol.ConfigFlyweight;
import io.ringtap.vhost.protocol.InflightFlyweight;
import io.ringtap.vhost.protocol.MessageHeaderFlyweight;
import io.ringtap.vhost.protocol.Reply;
import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.protocol.U64Flyweight;
import io.ringtap.vhost.protocol.VringStateFlyweight;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Turns answers into bytes. */
final class ReplyProxy
{
    private static final int PAYLOAD = MessageHeaderFlyweight.LENGTH;

    private final UnsafeBuffer buffer = Memory.scratch(
        PAYLOAD + ConfigFlyweight.HEADER_LENGTH + ConfigSpace.MAX_LENGTH);
    private final MessageHeaderFlyweight header = new MessageHeaderFlyweight().wrap(buffer, 0);
    private final U64Flyweight u64 = new U64Flyweight().wrap(buffer, PAYLOAD);
    private final VringStateFlyweight vringState = new VringStateFlyweight().wrap(buffer, PAYLOAD);
    private final ConfigFlyweight config = new ConfigFlyweight().wrap(buffer, PAYLOAD);
    private final InflightFlyweight inflight = new InflightFlyweight().wrap(buffer, PAYLOAD);
    private final Connection connection;
    private final CounterSet<SessionCounter> counters;

    ReplyProxy(final Connection connection, final CounterSet<SessionCounter> counters)
    {
        this.connection = connection;
        this.counters = counters;
    }

    void u64(final Request request, final long value)
    {
        u64.value(value);
        send(request.code(), U64Flyweight.LENGTH);
    }

    void vringState(final Request request, final int ring, final int num)
    {
        vringState.index(ring).num(num);
        send(request.code(), VringStateFlyweight.LENGTH);
    }

    /** A piece of the config space, as long as it was asked for. */
    void config(final ConfigFlyweight asked, final DirectBuffer space)
    {
        final int offset = (int)asked.configOffset();
        final int size = (int)asked.size();
        config.configOffset(offset).size(size).flags(asked.flags());
        buffer.putBytes(config.bytesOffset(), space, offset, size);
        send(Request.GET_CONFIG.code(), ConfigFlyweight.HEADER_LENGTH + size);
    }

    /**
     * A region for what is in flight, from its file's beginning on.
     *
     * @param length of the payload, as in the request.
     */
    void inflight(final long size, final int rings, final int ringSize, final int length, final Fd file)
    {
        buffer.setMemory(PAYLOAD, InflightFlyweight.PADDED_LENGTH, (byte)0);
        inflight.mmapSize(size).mmapOffset(0).queueCount(rings).queueSize(ringSize);
        header.request(Request.GET_INFLIGHT_FD.code()).flags(MessageHeaderFlyweight.REPLY_FLAGS).size(length);
        connection.send(buffer, 0, PAYLOAD + length, file);
        counters.increment(SessionCounter.REPLIES);
    }

    /** 0 for done, anything else for a failure; also to requests that have no row. */
    void ack(final int code, final long result)
    {
        u64.value(result);
        send(code, U64Flyweight.LENGTH);
    }

    /** Tells of a failure in the way of the request's own answer. */
    void failure(final Request request)
    {
        if (Reply.EMPTY == request.reply().failure())
        {
            send(request.code(), 0);
        }
        else
        {
            ack(request.code(), request.reply().failure());
        }
    }

    private void send(final int code, final int length)
    {
        header.request(code).flags(MessageHeaderFlyweight.REPLY_FLAGS).size(length);
        connection.send(buffer, 0, PAYLOAD + length);
        counters.increment(SessionCounter.REPLIES);
    }
}
