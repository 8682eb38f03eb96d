package io.ringtap.port;

import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.SmallCopy;
import io.ringtap.flow.VnetHeader;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.Packet;
import io.ringtap.sys.Sockets;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The mapped ring of frames to send: written without a system call, sent by one for all that is in it.
 * <p>
 * One thread writes. Any may flush: a lock keeps flushes and {@link #abandon()} apart, as the kernel's own lock of the
 * ring would. A slot belongs to the kernel from the release store of SEND_REQUEST until the kernel stores AVAILABLE,
 * which an acquire load sees.
 */
final class TransmitRing implements AutoCloseable
{
    /** Everything that was published before the flush has been taken. */
    static final int FLUSHED = 0;
    /** The host has no room; what is in the ring stays. */
    static final int HELD = 1;
    /** The interface is down. */
    static final int DOWN = 2;
    /** The interface was deleted. */
    static final int GONE = 3;
    /** An error without a name of its own. */
    static final int FAILED = 4;

    private static final int SEND_BUFFER = 8 << 20;

    private final Fd fd;
    private final Mapping mapping;
    private final UnsafeBuffer slots;
    private final int[] offsets;
    private final int[] packets;
    private final int netHeader;
    private final int capacity;
    private int cursor;
    private long written;
    private long counted;
    private long writtenBytes;
    private volatile long published;
    private volatile long publishedBytes;
    /** Written under the lock only, like everything below. */
    private volatile long taken;
    private volatile long calls;
    private volatile long unsentBytes;
    private long sentBytes;
    private boolean isLedgerBroken;

    private TransmitRing(final Fd fd, final Mapping mapping, final RingGeometry geometry, final int netHeader)
    {
        this.fd = fd;
        this.mapping = mapping;
        this.netHeader = netHeader;
        slots = mapping.buffer();
        offsets = geometry.offsets();
        packets = new int[geometry.slots()];
        capacity = geometry.slotLength() - Tpacket2Layout.SENT_DATA - netHeader;
    }

    /** @param content bytes of the longest frame. */
    static TransmitRing open(final PacketOptions options, final int index, final int content)
    {
        final RingGeometry geometry = RingGeometry.of(
            Tpacket2Layout.SENT_DATA + FrameLayout.NET_HEADER + content, options.transmitSlots());
        final Fd fd = PacketSockets.open(options.name());
        Mapping mapping = null;
        try
        {
            PacketSockets.set(fd, Packet.PACKET_VERSION, Packet.TPACKET_V2);
            final int netHeader = PacketSockets.engageNetHeader(fd, options.netHeader());
            // A frame that the kernel refuses is passed over; without this the ring would stand still at it.
            PacketSockets.set(fd, Packet.PACKET_LOSS, 1);
            if (options.bypassesQdisc())
            {
                PacketSockets.set(fd, Packet.PACKET_QDISC_BYPASS, 1);
            }
            PacketSockets.buffer(fd, Sockets.SO_SNDBUFFORCE, Sockets.SO_SNDBUF, SEND_BUFFER);
            PacketSockets.ring(fd, Packet.PACKET_TX_RING, geometry, options.name());
            mapping = Mapping.shared(fd.number(), 0, geometry.bytes(), "frames to send to " + options.name());
            PacketSockets.bind(fd, index, 0, options.name());
            return new TransmitRing(fd, mapping, geometry, netHeader);
        }
        catch (final RuntimeException e)
        {
            CloseHelper.quietCloseAll(mapping, fd);
            throw e;
        }
    }

    /** The longest frame that a slot holds. */
    int capacity()
    {
        return capacity;
    }

    int slotCount()
    {
        return offsets.length;
    }

    /** Bytes of the net header that this kernel takes. */
    int netHeader()
    {
        return netHeader;
    }

    boolean isFull()
    {
        return !isFree(cursor);
    }

    /** Writes a frame without segments, not longer than {@link #capacity()}, into a ring that is not full. */
    void put(final FrameBatch batch, final int i)
    {
        final UnsafeBuffer arena = batch.arena();
        final int from = batch.netHeader(i);
        final int length = batch.length(i);
        final int slot = offsets[cursor];
        final int data = slot + Tpacket2Layout.SENT_DATA;
        slots.putLong(data, arena.getLong(from));
        slots.putShort(data + Long.BYTES, arena.getShort(from + Long.BYTES));
        // All of the frame is called header, so the kernel copies it at once. Else it copies 14 bytes, refers to the
        // ring's page for the rest, and copies that into a page of its own when the frame changes namespaces.
        slots.putShort(data + VnetHeader.HDR_LEN_OFFSET, (short)length);
        SmallCopy.copy(arena, from + FrameLayout.NET_HEADER, slots, data + netHeader, length);
        slots.putInt(slot + Tpacket2Layout.LENGTH, netHeader + length);
        slots.putIntRelease(slot + Tpacket2Layout.STATUS, Packet.TP_STATUS_SEND_REQUEST);
        packets[cursor] = batch.packets(i);
        cursor = next(cursor);
        written++;
        writtenBytes += length;
    }

    /** Frames written so far, less those abandoned. */
    long written()
    {
        return written;
    }

    /** Frames that a flush knows to exist. */
    long published()
    {
        return published;
    }

    /** Frames that the kernel has taken. */
    long taken()
    {
        return taken;
    }

    long calls()
    {
        return calls;
    }

    /** Bytes that the kernel took out of the ring and did not send. */
    long unsentBytes()
    {
        return unsentBytes;
    }

    /** The writer tells how far it has come. */
    void publish()
    {
        // In this order, and read in the other: a flush never knows of bytes whose frame it does not know of.
        published = written;
        publishedBytes = writtenBytes;
    }

    /** One system call that sends whatever is in the ring. @return what became of that which was published before. */
    synchronized int flush()
    {
        if (!mapping.isOpen())
        {
            return GONE;
        }
        final long bytes = publishedBytes;
        final long target = published;
        final int result = Sockets.kick(fd.number(), Sockets.MSG_DONTWAIT);
        calls++;
        sentBytes += Math.max(0, result);
        isLedgerBroken |= result < 0;
        if (0 == target || !isWaiting((int)((target - 1) % offsets.length)))
        {
            taken = target;
            settleLedger(bytes);
            return FLUSHED;
        }
        switch (-result)
        {
            case Errno.ENETDOWN:
                return DOWN;
            case Errno.ENXIO:
            case Errno.ENODEV:
                return GONE;
            default:
                // A positive result with frames left: the send buffer is full.
                return result >= 0 || -Errno.EAGAIN == result || -Errno.ENOBUFS == result ? HELD : FAILED;
        }
    }

    /** Asks the kernel about the interface. @return {@link #FLUSHED} when it is there and up. */
    synchronized int probe()
    {
        final int result = Sockets.kick(fd.number(), Sockets.MSG_DONTWAIT);
        isLedgerBroken = true;
        return -Errno.ENETDOWN == result ? DOWN : -Errno.ENXIO == result || -Errno.ENODEV == result ? GONE : FLUSHED;
    }

    /** The writer takes back what the kernel has not taken. @return frames. */
    synchronized int abandon()
    {
        int count = 0;
        int i = previous(cursor);
        while (count < offsets.length && isWaiting(i))
        {
            slots.putIntRelease(offsets[i] + Tpacket2Layout.STATUS, Packet.TP_STATUS_AVAILABLE);
            writtenBytes -= slots.getInt(offsets[i] + Tpacket2Layout.LENGTH) - netHeader;
            cursor = i;
            i = previous(i);
            count++;
        }
        written -= count;
        publish();
        taken = written;
        isLedgerBroken = true;
        return count;
    }

    /** Whether the next frame takes the slot of one that the writer has not counted. */
    boolean mustCount()
    {
        return written - counted >= offsets.length;
    }

    /**
     * The writer counts the next frame after those counted so far.
     *
     * @param end as {@link #taken()} or {@link #published()}.
     * @return its slot; -1 when so many are counted.
     */
    int nextUncounted(final long end)
    {
        return counted < end || mustCount() ? (int)(counted++ % offsets.length) : -1;
    }

    int packets(final int slot)
    {
        return packets[slot];
    }

    int length(final int slot)
    {
        return slots.getInt(offsets[slot] + Tpacket2Layout.LENGTH) - netHeader;
    }

    @Override
    public synchronized void close()
    {
        // The socket first: with it the kernel gives up the ring, so the mapping is the last to hold its pages.
        fd.close();
        mapping.close();
    }

    /** The kernel tells bytes only, and not those of a call that ended with an error. */
    private void settleLedger(final long bytes)
    {
        if (!isLedgerBroken && sentBytes < bytes)
        {
            unsentBytes += bytes - sentBytes;
        }
        if (isLedgerBroken || sentBytes < bytes)
        {
            sentBytes = bytes;
            isLedgerBroken = false;
        }
    }

    private int next(final int i)
    {
        return i + 1 == offsets.length ? 0 : i + 1;
    }

    private int previous(final int i)
    {
        return 0 == i ? offsets.length - 1 : i - 1;
    }

    private boolean isWaiting(final int i)
    {
        return Packet.TP_STATUS_SEND_REQUEST == slots.getIntVolatile(offsets[i] + Tpacket2Layout.STATUS);
    }

    private boolean isFree(final int i)
    {
        final int status = slots.getIntVolatile(offsets[i] + Tpacket2Layout.STATUS);
        return 0 == (status & (Packet.TP_STATUS_SEND_REQUEST | Packet.TP_STATUS_SENDING));
    }
}
