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
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A back-end that writes down what it is sent and answers as the test wants, good or bad, in a thread of its own. */
class BackendScript implements AutoCloseable
{
    /** Bits of {@link #misbehave}. */
    enum Fault
    {
        REFUSE, WRONG_FLAGS, WRONG_REQUEST, WRONG_SIZE, HANG_UP, SILENCE, IN_PIECES
    }

    private static final int HEADER = MessageHeaderFlyweight.LENGTH;

    final UnsafeBuffer buffer = Memory.scratch(HEADER + MessageHeaderFlyweight.MAX_PAYLOAD_LENGTH);
    final FdList fds = new FdList();
    private final Fd socket;
    private final FdMessage message = new FdMessage();
    private final MessageHeaderFlyweight header = new MessageHeaderFlyweight().wrap(buffer, 0);
    private final List<String> log = new ArrayList<>();
    private final Map<Request, Long> values = new EnumMap<>(Request.class);
    private final Map<Request, Fault> faults = new EnumMap<>(Request.class);
    private final Thread thread = new Thread(this::run, "backend-script");
    private volatile boolean isClosed;
    private volatile Throwable failure;

    BackendScript(final Fd socket, final long features, final long protocolFeatures)
    {
        this.socket = socket;
        values.put(Request.GET_FEATURES, features);
        values.put(Request.GET_PROTOCOL_FEATURES, protocolFeatures);
        values.put(Request.GET_QUEUE_NUM, 8L);
        values.put(Request.GET_MAX_MEM_SLOTS, 32L);
        values.put(Request.GET_STATUS, 0L);
        thread.setDaemon(true);
    }

    BackendScript answer(final Request request, final long value)
    {
        values.put(request, value);
        return this;
    }

    BackendScript misbehave(final Request request, final Fault fault)
    {
        faults.put(request, fault);
        return this;
    }

    BackendScript launch()
    {
        thread.start();
        return this;
    }

    /** What came since the last call, like {@code SET_VRING_NUM+NR[0,256]} and {@code SET_VRING_KICK[0]+1fd}. */
    List<String> log()
    {
        synchronized (log)
        {
            final List<String> copy = new ArrayList<>(log);
            log.clear();
            return copy;
        }
    }

    Throwable failure()
    {
        return failure;
    }

    /** Called for each message with its payload in {@link #buffer} from {@code at} and its descriptors. */
    void onMessage(final Request request, final int at, final int size)
    {
        // For those who play a real back-end.
    }

    /** Called between messages. */
    void onIdle()
    {
        // For those who play a real back-end.
    }

    @Override
    public void close()
    {
        isClosed = true;
        try
        {
            thread.join(5000);
        }
        catch (final InterruptedException interrupt)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void run()
    {
        try
        {
            while (!isClosed)
            {
                if (0 == Syscalls.poll(socket.number(), Poll.IN, 0))
                {
                    onIdle();
                }
                else if (!receive(0, HEADER) || !handle())
                {
                    break;
                }
            }
        }
        catch (final Throwable thrown)
        {
            failure = thrown;
        }
        finally
        {
            fds.closeAll();
            socket.close();
        }
    }

    private boolean handle()
    {
        final Request request = Request.byCode(header.request());
        final int size = (int)header.size();
        final boolean needsReply = header.needsReply();
        if (!receive(HEADER, size))
        {
            return false;
        }
        synchronized (log)
        {
            log.add(describe(request, size, needsReply));
        }
        onMessage(request, HEADER, size);
        fds.closeAll();
        final Fault fault = faults.get(request);
        if (Fault.HANG_UP == fault)
        {
            return false;
        }
        final boolean isOwn = request.reply().isOwn();
        if ((isOwn || needsReply) && Fault.SILENCE != fault)
        {
            reply(request, isOwn ? size : 0, fault);
        }
        return true;
    }

    private void reply(final Request request, final int requestSize, final Fault fault)
    {
        int size = Long.BYTES;
        if (Reply.VRING_STATE == request.reply())
        {
            buffer.putInt(HEADER + 4, (int)(long)values.getOrDefault(request, 7L), ByteOrder.LITTLE_ENDIAN);
            size = requestSize;
        }
        else
        {
            final long ack = Fault.REFUSE == fault ? 1 : 0;
            buffer.putLong(
                HEADER, request.reply().isOwn() ? values.getOrDefault(request, ack) : ack, ByteOrder.LITTLE_ENDIAN);
        }
        header.request(Fault.WRONG_REQUEST == fault ? request.code() + 1 : request.code())
            .flags(Fault.WRONG_FLAGS == fault ? 0x1 : MessageHeaderFlyweight.REPLY_FLAGS)
            .size(Fault.WRONG_SIZE == fault ? size - 4 : size);
        final int total = HEADER + (Fault.WRONG_SIZE == fault ? size - 4 : size);
        final int step = Fault.IN_PIECES == fault ? 3 : total;
        for (int at = 0; at < total; at += step)
        {
            message.send(socket.number(), buffer, at, Math.min(step, total - at), new int[0], 0);
        }
    }

    private boolean receive(final int offset, final int length)
    {
        int got = 0;
        while (got < length)
        {
            final int result = message.receive(socket.number(), buffer, offset + got, length - got, fds);
            if (result > 0)
            {
                got += result;
            }
            else if (-Errno.EAGAIN != result)
            {
                return false;
            }
        }
        return true;
    }

    private String describe(final Request request, final int size, final boolean needsReply)
    {
        final StringBuilder text = new StringBuilder(request.name()).append(needsReply ? "+NR" : "");
        switch (request.payload())
        {
            case VRING_STATE -> text.append('[').append(buffer.getInt(HEADER)).append(',')
                .append(buffer.getInt(HEADER + 4)).append(']');
            case VRING_DESCRIPTOR -> text.append('[').append(buffer.getLong(HEADER)).append(']');
            case VRING_ADDRESS -> text.append('[').append(buffer.getInt(HEADER)).append(']');
            case U64 -> text.append("[0x").append(Long.toHexString(buffer.getLong(HEADER))).append(']');
            case MEMORY_REGIONS -> text.append('[').append(buffer.getInt(HEADER)).append(" regions]");
            default -> text.append(size > 0 ? "[" + size + " bytes]" : "");
        }
        return text.append(0 == fds.size() ? "" : "+" + fds.size() + "fd").toString();
    }
}
