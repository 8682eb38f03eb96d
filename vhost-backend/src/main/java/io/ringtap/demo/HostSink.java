package io.ringtap.demo;

import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An application on the host that reads datagrams: an open UDP socket with receive offload, so that a super-frame costs
 * one read. What it counts has gone the whole way.
 */
final class HostSink implements Runnable, AutoCloseable
{
    private static final int SOL_UDP = 17;
    private static final int UDP_GRO = 104;
    private static final int RECEIVE_BUFFER = 8 * 1024 * 1024;
    private static final int ADDRESS_LENGTH = 16;
    private static final int MOST = 0x10000;
    private static final int WAIT_MS = 50;

    private final Fd socket = Sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM | Sockets.SOCK_NONBLOCK, 0);
    private final UnsafeBuffer datagram = Memory.scratch(MOST);
    private final AtomicLong bytes = new AtomicLong();
    private final Thread thread = new Thread(this, "demo-host-sink");
    private volatile boolean isStopped;

    HostSink(final int port)
    {
        // struct sockaddr_in of netinet/in.h: family, port in network order, any address.
        final UnsafeBuffer address = Memory.scratch(ADDRESS_LENGTH);
        address.putShort(0, (short)Sockets.AF_INET, ByteOrder.LITTLE_ENDIAN);
        address.putShort(2, (short)port, ByteOrder.BIG_ENDIAN);
        Sockets.setOption(socket.number(), Sockets.SOL_SOCKET, Sockets.SO_RCVBUF, RECEIVE_BUFFER);
        Sockets.setOption(socket.number(), SOL_UDP, UDP_GRO, 1);
        Sockets.bind(socket.number(), address, ADDRESS_LENGTH, "UDP port " + port);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run()
    {
        while (!isStopped)
        {
            final int length = Syscalls.read(socket.number(), datagram, 0, MOST);
            if (length > 0)
            {
                bytes.lazySet(bytes.get() + length);
            }
            else
            {
                Syscalls.poll(socket.number(), Poll.IN, WAIT_MS);
            }
        }
    }

    /** Bytes of payload so far. */
    long bytes()
    {
        return bytes.get();
    }

    @Override
    public void close()
    {
        isStopped = true;
        try
        {
            thread.join();
        }
        catch (final InterruptedException ignored)
        {
            Thread.currentThread().interrupt();
        }
        socket.close();
    }
}
