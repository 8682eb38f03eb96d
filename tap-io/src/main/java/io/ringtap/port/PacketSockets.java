package io.ringtap.port;

import io.ringtap.flow.FrameLayout;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Packet;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.SyscallException;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/** Opens and sets up packet sockets, with refusals told in words. Not the data path. */
final class PacketSockets
{
    /** The net header of kernels before 6.5: without num_buffers. */
    static final int SHORT_HEADER = 10;

    private PacketSockets()
    {
    }

    static Fd open(final String name)
    {
        try
        {
            return Sockets.socket(Sockets.AF_PACKET, Sockets.SOCK_RAW | Sockets.SOCK_NONBLOCK, 0);
        }
        catch (final SyscallException e)
        {
            switch (e.errno())
            {
                case Errno.EPERM:
                case Errno.EACCES:
                    throw new PortException("--packet=" + name, "no right to open a packet socket (" + e.errnoName() +
                        ")", "run as root or with the capabilities NET_RAW and NET_ADMIN", e);
                case Errno.EAFNOSUPPORT:
                    throw new PortException("--packet=" + name, "this kernel has no packet sockets (EAFNOSUPPORT)",
                        "load the module (modprobe af_packet)", e);
                default:
                    throw e;
            }
        }
    }

    /**
     * Puts a net header before each frame of the socket, both ways.
     *
     * @param longest that may be asked for.
     * @return its length.
     */
    static int engageNetHeader(final Fd fd, final int longest)
    {
        if (longest == FrameLayout.NET_HEADER && isTaken(fd, Packet.PACKET_VNET_HDR_SZ, FrameLayout.NET_HEADER))
        {
            return FrameLayout.NET_HEADER;
        }
        set(fd, Packet.PACKET_VNET_HDR, 1);
        return SHORT_HEADER;
    }

    static void set(final Fd fd, final int option, final int value)
    {
        Sockets.setOption(fd.number(), Packet.SOL_PACKET, option, value);
    }

    /** Sets what a kernel need not have. @return whether it has it. */
    static boolean isTaken(final Fd fd, final int option, final int value)
    {
        try
        {
            set(fd, option, value);
            return true;
        }
        catch (final SyscallException e)
        {
            return false;
        }
    }

    /** Room for what the kernel holds of ours, or for us; as much as the right goes. */
    static void buffer(final Fd fd, final int forced, final int asked, final int bytes)
    {
        try
        {
            Sockets.setOption(fd.number(), Sockets.SOL_SOCKET, forced, bytes);
        }
        catch (final SyscallException e)
        {
            Sockets.setOption(fd.number(), Sockets.SOL_SOCKET, asked, bytes);
        }
    }

    /** Makes a ring. @param option PACKET_TX_RING or PACKET_RX_RING. */
    static void ring(final Fd fd, final int option, final RingGeometry geometry, final String name)
    {
        try
        {
            Sockets.setOption(
                fd.number(), Packet.SOL_PACKET, option, geometry.request(), RingGeometry.REQUEST_LENGTH);
        }
        catch (final SyscallException e)
        {
            throw new PortException("--packet=" + name, "the kernel makes no ring of " + geometry.bytes() + " bytes (" +
                e.errnoName() + ")", "free memory, or use fewer --queues or a smaller --mtu", e);
        }
    }

    /** @param protocol what is received: ETH_P_ALL or 0 for nothing. */
    static void bind(final Fd fd, final int index, final int protocol, final String name)
    {
        final UnsafeBuffer address = Memory.scratch(Packet.ADDRESS_LENGTH);
        address.putShort(0, (short)Sockets.AF_PACKET);
        address.putShort(Packet.ADDRESS_PROTOCOL, (short)protocol, ByteOrder.BIG_ENDIAN);
        address.putInt(Packet.ADDRESS_INTERFACE, index);
        Sockets.bind(fd.number(), address, Packet.ADDRESS_LENGTH, name);
    }

    /** All frames of the wire, not only those for the interface's own address, for as long as the socket lives. */
    static void promiscuous(final Fd fd, final int index)
    {
        final UnsafeBuffer request = Memory.scratch(Packet.MREQ_LENGTH);
        request.putInt(0, index);
        request.putShort(Packet.MREQ_TYPE, (short)Packet.PACKET_MR_PROMISC);
        Sockets.setOption(
            fd.number(), Packet.SOL_PACKET, Packet.PACKET_ADD_MEMBERSHIP, request, Packet.MREQ_LENGTH);
    }
}
