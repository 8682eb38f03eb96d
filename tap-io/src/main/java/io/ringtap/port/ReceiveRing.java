package io.ringtap.port;

import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.SmallCopy;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Packet;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The mapped ring of received frames, as a cursor over it. A slot is ours from the kernel's store of USER, which an
 * acquire load sees, until our release store of KERNEL. A frame that does not fit a slot comes through the socket
 * itself, whole, in its turn (PACKET_COPY_THRESH).
 */
final class ReceiveRing implements AutoCloseable
{
    /** Super-frames that wait to be read. */
    private static final int RECEIVE_BUFFER = 16 << 20;
    private static final int COPY_FROM = 1;

    private final Fd fd;
    private final Mapping mapping;
    private final UnsafeBuffer slots;
    private final UnsafeBuffer statistics = Memory.scratch(Packet.STATS_LENGTH);
    private final int[] offsets;
    private final int netHeader;
    private final boolean seesOutgoing;
    private int cursor;
    private int slot;
    private int status;

    private ReceiveRing(
        final Fd fd, final Mapping mapping, final int[] offsets, final int netHeader, final boolean seesOutgoing)
    {
        this.fd = fd;
        this.mapping = mapping;
        this.offsets = offsets;
        this.netHeader = netHeader;
        this.seesOutgoing = seesOutgoing;
        slots = mapping.buffer();
        slot = offsets[0];
    }

    /** @param content bytes of the longest frame that a slot is to hold. */
    static ReceiveRing open(
        final PacketOptions options, final int index, final int content, final PacketFanout fanout)
    {
        final RingGeometry geometry = RingGeometry.of(
            Tpacket2Layout.RECEIVED_HEAD + FrameLayout.NET_HEADER + content, options.receiveSlots());
        final Fd fd = PacketSockets.open(options.name());
        Mapping mapping = null;
        try
        {
            PacketSockets.set(fd, Packet.PACKET_VERSION, Packet.TPACKET_V2);
            // The short one on every kernel: in a ring the kernel writes that many bytes before the frame, whatever
            // length was set (tpacket_rcv).
            final int netHeader = PacketSockets.engageNetHeader(fd, PacketSockets.SHORT_HEADER);
            final boolean seesOutgoing = !PacketSockets.isTaken(fd, Packet.PACKET_IGNORE_OUTGOING, 1);
            PacketSockets.set(fd, Packet.PACKET_COPY_THRESH, COPY_FROM);
            PacketSockets.buffer(fd, Sockets.SO_RCVBUFFORCE, Sockets.SO_RCVBUF, RECEIVE_BUFFER);
            PacketSockets.ring(fd, Packet.PACKET_RX_RING, geometry, options.name());
            mapping = Mapping.shared(fd.number(), 0, geometry.bytes(), "frames received from " + options.name());
            PacketSockets.bind(fd, index, Packet.ETH_P_ALL, options.name());
            PacketSockets.promiscuous(fd, index);
            fanout.join(fd, index);
            return new ReceiveRing(fd, mapping, geometry.offsets(), netHeader, seesOutgoing);
        }
        catch (final RuntimeException e)
        {
            CloseHelper.quietCloseAll(mapping, fd);
            throw e;
        }
    }

    int descriptor()
    {
        return fd.number();
    }

    /** Looks at the slot under the cursor. @return whether it holds a frame. */
    boolean isReady()
    {
        status = slots.getIntVolatile(slot + Tpacket2Layout.STATUS);
        return 0 != (status & Packet.TP_STATUS_USER);
    }

    /** The frame at hand is one that this host sends, on a kernel that cannot leave those out. */
    boolean isOutgoing()
    {
        return seesOutgoing && Packet.PACKET_OUTGOING == slots.getByte(slot + Tpacket2Layout.PACKET_TYPE);
    }

    /** The frame at hand was too long for its slot and waits in the socket. */
    boolean isInSocket()
    {
        return 0 != (status & Packet.TP_STATUS_COPY);
    }

    /** The frame at hand is not whole, and there was no room for it in the socket. */
    boolean isCut()
    {
        return !isInSocket() &&
            slots.getInt(slot + Tpacket2Layout.SNAP_LENGTH) < slots.getInt(slot + Tpacket2Layout.LENGTH);
    }

    /** The kernel has dropped frames since it was last asked. */
    boolean isLosing()
    {
        return 0 != (status & Packet.TP_STATUS_LOSING);
    }

    /** The tag that the kernel took out of the frame at hand: protocol and control information; 0 for none. */
    int vlanTag()
    {
        if (0 == (status & Packet.TP_STATUS_VLAN_VALID))
        {
            return 0;
        }
        final int protocol = 0 == (status & Packet.TP_STATUS_VLAN_TPID_VALID) ? VlanTag.CUSTOMER :
            slots.getShort(slot + Tpacket2Layout.VLAN_TPID) & 0xffff;
        return protocol << Short.SIZE | slots.getShort(slot + Tpacket2Layout.VLAN_TCI) & 0xffff;
    }

    /**
     * Copies the frame at hand, which is in its slot, behind a net header of full length.
     *
     * @param room bytes that there are from {@code offset} on.
     * @return bytes, the net header included; nothing is copied when they are more than there is room for.
     */
    int copyTo(final UnsafeBuffer to, final int offset, final int room)
    {
        final int length = slots.getInt(slot + Tpacket2Layout.SNAP_LENGTH);
        final int frame = slot + (slots.getShort(slot + Tpacket2Layout.MAC) & 0xffff);
        final int bytes = FrameLayout.NET_HEADER + length;
        if (bytes <= room)
        {
            final int header = frame - netHeader;
            to.putLong(offset, slots.getLong(header));
            to.putShort(offset + Long.BYTES, slots.getShort(header + Long.BYTES));
            SmallCopy.copy(slots, frame, to, offset + FrameLayout.NET_HEADER, length);
        }
        return bytes;
    }

    /** Reads the frame at hand, which is in the socket. @return as {@link #copyTo}, or a negative errno. */
    int read(final ReceiveBuffers buffers, final UnsafeBuffer arena, final int j)
    {
        final int missing = FrameLayout.NET_HEADER - netHeader;
        final int result = Syscalls.readv(fd.number(), buffers.vectors(), buffers.vector(j, missing), 2);
        if (result > 0 && missing > 0)
        {
            final int header = buffers.readOffset(j);
            arena.putLong(header, arena.getLong(header + missing));
            arena.putShort(header + Long.BYTES, arena.getShort(header + missing + Long.BYTES));
        }
        return result > 0 ? result + missing : result;
    }

    /** Gives the slot back and moves on. */
    void advance()
    {
        slots.putIntRelease(slot + Tpacket2Layout.STATUS, Packet.TP_STATUS_KERNEL);
        cursor = cursor + 1 == offsets.length ? 0 : cursor + 1;
        slot = offsets[cursor];
    }

    /** Frames that the kernel dropped since this was asked for the last time. */
    int dropped()
    {
        Sockets.option(
            fd.number(), Packet.SOL_PACKET, Packet.PACKET_STATISTICS, statistics, Packet.STATS_LENGTH);
        return statistics.getInt(Packet.STATS_DROPS);
    }

    /** Takes the error that the kernel noted on the socket, which would wake every sleeper otherwise. @return errno. */
    int error()
    {
        Sockets.option(fd.number(), Sockets.SOL_SOCKET, Sockets.SO_ERROR, statistics, Integer.BYTES);
        return statistics.getInt(0);
    }

    @Override
    public void close()
    {
        fd.close();
        mapping.close();
    }
}
