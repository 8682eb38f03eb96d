package io.ringtap.port;

import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Packet;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A packet socket without a ring, for frames that no slot holds: super-frames, which are worth a system call each, and
 * frames whose rest lies in guest memory, which only the kernel may read (it answers EFAULT where we would crash).
 */
final class BulkSocket implements AutoCloseable
{
    private static final int SEND_BUFFER = 8 << 20;

    /** What a short net header lacks; it then begins so much later. */
    private static final int MISSING = FrameLayout.NET_HEADER - PacketSockets.SHORT_HEADER;

    private final Fd fd;
    private final boolean isShort;

    private BulkSocket(final Fd fd, final boolean isShort)
    {
        this.fd = fd;
        this.isShort = isShort;
    }

    static BulkSocket open(final PacketOptions options, final int index)
    {
        final Fd fd = PacketSockets.open(options.name());
        try
        {
            final int netHeader = PacketSockets.engageNetHeader(fd, options.netHeader());
            if (options.bypassesQdisc())
            {
                // As the ring does: of two ways to the driver one could overtake the other.
                PacketSockets.set(fd, Packet.PACKET_QDISC_BYPASS, 1);
            }
            PacketSockets.buffer(fd, Sockets.SO_SNDBUFFORCE, Sockets.SO_SNDBUF, SEND_BUFFER);
            PacketSockets.bind(fd, index, 0, options.name());
            return new BulkSocket(fd, FrameLayout.NET_HEADER != netHeader);
        }
        catch (final RuntimeException e)
        {
            fd.close();
            throw e;
        }
    }

    /** Sends a frame of a batch. @return bytes or a negative errno. */
    int send(final FrameBatch batch, final int i)
    {
        if (!isShort)
        {
            return send(batch, i, 0);
        }
        final UnsafeBuffer arena = batch.arena();
        final int header = batch.netHeader(i);
        final long first = arena.getLong(header);
        final int rest = arena.getInt(header + Long.BYTES);
        arena.putLong(header + MISSING, first);
        arena.putShort(header + MISSING + Long.BYTES, (short)rest);
        final int result = send(batch, i, MISSING);
        arena.putLong(header, first);
        arena.putInt(header + Long.BYTES, rest);
        return result;
    }

    @Override
    public void close()
    {
        fd.close();
    }

    private int send(final FrameBatch batch, final int i, final int skip)
    {
        final UnsafeBuffer arena = batch.arena();
        final int from = batch.netHeader(i) + skip;
        final int length = FrameLayout.NET_HEADER - skip + batch.linearLength(i);
        final int segments = batch.segments(i);
        if (0 == segments)
        {
            return Syscalls.write(fd.number(), arena, from, length);
        }
        final int run = batch.run(i);
        batch.vectors().set(run, arena.addressOffset() + from, length);
        return Syscalls.writev(fd.number(), batch.vectors(), run, segments + 1);
    }
}
