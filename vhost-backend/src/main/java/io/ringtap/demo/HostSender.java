package io.ringtap.demo;

import io.ringtap.frontend.FrameWriter;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Packet;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * A packet socket that generated frames are written to, so that they reach the TAP as the host's own would: each frame
 * goes with a virtio_net_hdr in front, which lets a super-frame cost one call.
 */
final class HostSender implements FrameWriter, AutoCloseable
{
    /** Struct virtio_net_hdr without num_buffers, as PACKET_VNET_HDR takes it (linux/virtio_net.h). */
    private static final int HEADER = 10;
    /** Frames begin at a multiple of 8. */
    private static final int FRAME_OFFSET = 16;
    private static final int MOST = 65536;
    private static final int ADDRESS_LENGTH = 20;

    private final Fd socket = Sockets.socket(Sockets.AF_PACKET, Sockets.SOCK_RAW, 0);
    private final UnsafeBuffer buffer = Memory.scratch(FRAME_OFFSET + MOST);
    private int length;
    private boolean isFull;

    HostSender(final int interfaceIndex)
    {
        // struct sockaddr_ll of linux/if_packet.h: family, protocol, index.
        final UnsafeBuffer address = Memory.scratch(ADDRESS_LENGTH);
        address.putShort(0, (short)Sockets.AF_PACKET, ByteOrder.LITTLE_ENDIAN);
        address.putInt(4, interfaceIndex, ByteOrder.LITTLE_ENDIAN);
        Sockets.bind(socket.number(), address, ADDRESS_LENGTH, "interface " + interfaceIndex);
        Sockets.setOption(socket.number(), Packet.SOL_PACKET, Packet.PACKET_VNET_HDR, 1);
    }

    @Override
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    @Override
    public int headerLength()
    {
        return HEADER;
    }

    @Override
    public int maxFrame()
    {
        return MOST;
    }

    @Override
    public int claim(final int frameLength)
    {
        if (isFull)
        {
            return FULL;
        }
        buffer.setMemory(0, FRAME_OFFSET, (byte)0);
        length = frameLength;
        return FRAME_OFFSET;
    }

    /** Whether the interface's queue took no more; nothing is sent until {@link #resume}. */
    boolean isFull()
    {
        return isFull;
    }

    void resume()
    {
        isFull = false;
    }

    /** Sends at once; what the interface's queue does not take is lost, as it would be for any sender. */
    @Override
    public void commit()
    {
        final int result = Syscalls.write(socket.number(), buffer, FRAME_OFFSET - HEADER, HEADER + length);
        isFull = -Errno.ENOBUFS == result || -Errno.EAGAIN == result;
    }

    @Override
    public void flush()
    {
        // Nothing is staged.
    }

    @Override
    public void close()
    {
        socket.close();
    }
}
