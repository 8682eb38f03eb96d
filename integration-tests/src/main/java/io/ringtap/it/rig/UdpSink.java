package io.ringtap.it.rig;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A UDP socket inside a namespace that counts the generator's datagrams and looks at their flow and sequence numbers.
 * Its buffer takes a whole burst, so what is missing was lost before it.
 */
public final class UdpSink implements AutoCloseable
{
    private static final int AF_INET6 = 10;
    private static final int SOCK_DGRAM = 2;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int BUFFER_BYTES = 512 << 20;
    private static final int ADDRESS_LENGTH = 28;
    private static final int FLOW_AT = 8;
    private static final int SEQUENCE_AT = 10;
    private static final int HEADER = 18;

    private final Fd socket;
    private final UnsafeBuffer datagram = Memory.scratch(1 << 16);
    private final long[] next;
    private long received;
    private long outOfOrder;
    private long foreign;
    private int shortest = Integer.MAX_VALUE;
    private int longest;

    private UdpSink(final Fd socket, final int flows)
    {
        this.socket = socket;
        next = new long[flows];
    }

    /** Listens on all addresses of both families. */
    public static UdpSink open(final Netns netns, final int port, final int flows)
    {
        return NetnsThread.call(netns, () ->
        {
            final Fd socket = Sockets.socket(AF_INET6, SOCK_DGRAM, 0);
            Sockets.setOption(socket.number(), SOL_SOCKET, SO_RCVBUFFORCE, BUFFER_BYTES);
            final UnsafeBuffer address = Memory.scratch(ADDRESS_LENGTH);
            address.putShort(0, (short)AF_INET6);
            address.putShort(2, (short)port, ByteOrder.BIG_ENDIAN);
            Sockets.bind(socket.number(), address, ADDRESS_LENGTH, "UDP port " + port);
            Syscalls.setNonBlocking(socket.number());
            return new UdpSink(socket, flows);
        });
    }

    /** Reads until so many datagrams came or the time is over. */
    public void await(final long datagrams, final long timeoutMs)
    {
        final long deadlineNs = System.nanoTime() + timeoutMs * 1_000_000;
        while (received < datagrams && System.nanoTime() < deadlineNs)
        {
            final int n = Syscalls.read(socket.number(), datagram, 0, datagram.capacity());
            if (0 <= n)
            {
                judge(n);
            }
            else if (-Errno.EAGAIN != n)
            {
                throw new RigException("reading datagrams: " + Errno.nameOf(-n));
            }
            else
            {
                Thread.onSpinWait();
            }
        }
    }

    public long received()
    {
        return received;
    }

    /** Datagrams that did not follow the one before them in their flow. */
    public long outOfOrder()
    {
        return outOfOrder;
    }

    /** Datagrams that no generator made. */
    public long foreign()
    {
        return foreign;
    }

    public int shortest()
    {
        return shortest;
    }

    public int longest()
    {
        return longest;
    }

    @Override
    public void close()
    {
        socket.close();
    }

    private void judge(final int length)
    {
        final int flow = length < HEADER ? -1 : datagram.getShort(FLOW_AT, ByteOrder.LITTLE_ENDIAN) & 0xffff;
        if (flow < 0 || next.length <= flow)
        {
            foreign++;
            return;
        }
        received++;
        shortest = Math.min(shortest, length);
        longest = Math.max(longest, length);
        final long sequence = datagram.getLong(SEQUENCE_AT, ByteOrder.LITTLE_ENDIAN);
        if (sequence != next[flow])
        {
            outOfOrder++;
        }
        next[flow] = sequence + 1;
    }
}
