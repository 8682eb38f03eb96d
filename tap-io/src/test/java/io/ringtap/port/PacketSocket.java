package io.ringtap.port;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Interfaces;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Packet;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.Arrays;

/** The host's end of an interface: what enters the host through it can be read here, what is sent here leaves by it. */
final class PacketSocket implements AutoCloseable
{
    /** The short net header that a packet socket carries with PACKET_VNET_HDR. */
    static final int NET_HEADER = 10;

    private static final int ADDRESS_LENGTH = 20;
    private static final int BIGGEST = 80_000;

    private final Fd fd = Sockets.socket(Sockets.AF_PACKET, Sockets.SOCK_RAW | Sockets.SOCK_NONBLOCK, 0);
    private final UnsafeBuffer memory = Memory.scratch(BIGGEST);

    PacketSocket(final String name, final boolean withNetHeader)
    {
        Sockets.setOption(fd.number(), Packet.SOL_PACKET, Packet.PACKET_VNET_HDR, withNetHeader ? 1 : 0);
        Sockets.setOption(fd.number(), Packet.SOL_PACKET, Packet.PACKET_IGNORE_OUTGOING, 1);
        final UnsafeBuffer address = Memory.scratch(ADDRESS_LENGTH);
        address.putShort(0, (short)Sockets.AF_PACKET);
        address.putShort(2, (short)Packet.ETH_P_ALL, ByteOrder.BIG_ENDIAN);
        try (Interfaces interfaces = Interfaces.open())
        {
            address.putInt(4, interfaces.index(name));
        }
        Sockets.bind(fd.number(), address, ADDRESS_LENGTH, name);
    }

    void send(final byte[] frame)
    {
        memory.putBytes(0, frame);
        int result;
        do
        {
            result = Syscalls.write(fd.number(), memory, 0, frame.length);
        }
        while (-Errno.EAGAIN == result || -Errno.ENOBUFS == result);
        if (frame.length != result)
        {
            throw new AssertionError(result < 0 ? Errno.nameOf(-result) : "sent " + result + " of " + frame.length);
        }
    }

    /** For a blast: what does not go is not missed. @return whether the frame went. */
    boolean trySend(final byte[] frame)
    {
        memory.putBytes(0, frame);
        return Syscalls.write(fd.number(), memory, 0, frame.length) > 0;
    }

    /** The next frame, waited for up to two seconds. */
    byte[] receive()
    {
        final byte[] frame = poll(2_000);
        if (null == frame)
        {
            throw new AssertionError("no frame came");
        }
        return frame;
    }

    /** The next frame or null. */
    byte[] poll(final int timeoutMs)
    {
        int result = Syscalls.read(fd.number(), memory, 0, BIGGEST);
        if (-Errno.EAGAIN == result)
        {
            Syscalls.poll(fd.number(), Poll.IN, timeoutMs);
            result = Syscalls.read(fd.number(), memory, 0, BIGGEST);
        }
        if (result < 0)
        {
            return null;
        }
        final byte[] frame = new byte[result];
        memory.getBytes(0, frame);
        return frame;
    }

    static byte[] withoutNetHeader(final byte[] frame)
    {
        return Arrays.copyOfRange(frame, NET_HEADER, frame.length);
    }

    @Override
    public void close()
    {
        fd.close();
    }
}
