package io.ringtap.port;

import io.ringtap.frag.PageArena;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Xdp;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An AF_XDP socket on one queue of a device: the arena is its memory, registered once as a whole, and four rings say
 * who has which part of it. After its device was deleted it is of no use any more.
 */
final class XskSocket implements AutoCloseable
{
    private static final int RECEIVE = 0;
    private static final int TRANSMIT = 1;
    private static final int FILL = 2;
    private static final int COMPLETION = 3;
    private static final int ADDRESS_SHIFT = 3;

    private final Fd fd = Sockets.socket(Sockets.AF_XDP, Sockets.SOCK_RAW, 0);
    private final boolean hasFragments;
    private final boolean isZeroCopy;
    private XskRing receive;
    private XskRing transmit;
    private XskRing fill;
    private XskRing completion;

    /**
     * @param chunk bytes of a buffer for received frames.
     * @param mode  GENERIC and NATIVE ask for copies, ZEROCOPY insists on none, AUTO leaves it to the driver.
     */
    XskSocket(
        final PageArena arena, final int chunk, final int ringSize, final int linkIndex, final int queue,
        final XskMode mode)
    {
        try
        {
            register(arena, chunk);
            makeRings(ringSize);
            hasFragments = bind(linkIndex, queue, mode);
            final UnsafeBuffer options = Memory.scratch(Integer.BYTES);
            Sockets.option(fd.number(), Xdp.SOL_XDP, Xdp.XDP_OPTIONS, options, Integer.BYTES);
            isZeroCopy = 0 != (options.getInt(0) & Xdp.XDP_OPTIONS_ZEROCOPY);
        }
        catch (final RuntimeException e)
        {
            close();
            throw e;
        }
    }

    int number()
    {
        return fd.number();
    }

    /** Frames may lie in several buffers. */
    boolean hasFragments()
    {
        return hasFragments;
    }

    boolean isZeroCopy()
    {
        return isZeroCopy;
    }

    XskRing receive()
    {
        return receive;
    }

    XskRing transmit()
    {
        return transmit;
    }

    XskRing fill()
    {
        return fill;
    }

    XskRing completion()
    {
        return completion;
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(receive, transmit, fill, completion, fd);
    }

    private void register(final PageArena arena, final int chunk)
    {
        final UnsafeBuffer memory = Memory.scratch(Xdp.UMEM_REG_LENGTH);
        memory.putLong(0, arena.address());
        memory.putLong(Xdp.UMEM_REG_SIZE, arena.length());
        memory.putInt(Xdp.UMEM_REG_CHUNK, chunk);
        // Frames are sent from where they lie, and fragments begin anywhere.
        memory.putInt(Xdp.UMEM_REG_FLAGS, Xdp.XDP_UMEM_UNALIGNED_CHUNK_FLAG);
        Sockets.setOption(fd.number(), Xdp.SOL_XDP, Xdp.XDP_UMEM_REG, memory, Xdp.UMEM_REG_LENGTH);
        arena.countRegistration();
    }

    private void makeRings(final int size)
    {
        final int number = fd.number();
        Sockets.setOption(number, Xdp.SOL_XDP, Xdp.XDP_UMEM_FILL_RING, size);
        Sockets.setOption(number, Xdp.SOL_XDP, Xdp.XDP_UMEM_COMPLETION_RING, size);
        Sockets.setOption(number, Xdp.SOL_XDP, Xdp.XDP_RX_RING, size);
        Sockets.setOption(number, Xdp.SOL_XDP, Xdp.XDP_TX_RING, size);
        raiseBudget(size);
        final UnsafeBuffer offsets = Memory.scratch(Xdp.OFFSETS_LENGTH);
        final int length = Sockets.option(number, Xdp.SOL_XDP, Xdp.XDP_MMAP_OFFSETS, offsets, Xdp.OFFSETS_LENGTH);
        if (Xdp.OFFSETS_LENGTH != length)
        {
            // Before Linux 5.4: rings without flags, memory without free addresses.
            throw new SyscallException("getsockopt XDP_MMAP_OFFSETS", Errno.EOPNOTSUPP, length + " bytes");
        }
        receive = new XskRing(
            number, Xdp.XDP_PGOFF_RX_RING, offsets, RECEIVE, size, Xdp.DESCRIPTOR_SHIFT, false);
        transmit = new XskRing(
            number, Xdp.XDP_PGOFF_TX_RING, offsets, TRANSMIT, size, Xdp.DESCRIPTOR_SHIFT, true);
        fill = new XskRing(
            number, Xdp.XDP_UMEM_PGOFF_FILL_RING, offsets, FILL, size, ADDRESS_SHIFT, true);
        completion = new XskRing(
            number, Xdp.XDP_UMEM_PGOFF_COMPLETION_RING, offsets, COMPLETION, size, ADDRESS_SHIFT, false);
    }

    /** A call sends 32 frames unless a newer kernel is told otherwise. */
    private void raiseBudget(final int size)
    {
        try
        {
            Sockets.setOption(fd.number(), Xdp.SOL_XDP, Xdp.XDP_MAX_TX_SKB_BUDGET, size);
        }
        catch (final SyscallException e)
        {
            if (Errno.ENOPROTOOPT != e.errno())
            {
                throw e;
            }
        }
    }

    /** @return whether frames over several buffers were granted. */
    private boolean bind(final int linkIndex, final int queue, final XskMode mode)
    {
        final int way = switch (mode)
        {
            case AUTO -> 0;
            case ZEROCOPY -> Xdp.XDP_ZEROCOPY;
            default -> Xdp.XDP_COPY;
        };
        try
        {
            bind(linkIndex, queue, way | Xdp.XDP_USE_NEED_WAKEUP | Xdp.XDP_USE_SG);
            return true;
        }
        catch (final SyscallException e)
        {
            if (Errno.EINVAL != e.errno() && Errno.EOPNOTSUPP != e.errno())
            {
                throw e;
            }
            bind(linkIndex, queue, way | Xdp.XDP_USE_NEED_WAKEUP);
            return false;
        }
    }

    private void bind(final int linkIndex, final int queue, final int flags)
    {
        final UnsafeBuffer address = Memory.scratch(Xdp.ADDRESS_LENGTH);
        address.putShort(0, (short)Sockets.AF_XDP);
        address.putShort(Xdp.ADDRESS_FLAGS, (short)flags);
        address.putInt(Xdp.ADDRESS_INTERFACE, linkIndex);
        address.putInt(Xdp.ADDRESS_QUEUE, queue);
        Sockets.bind(fd.number(), address, Xdp.ADDRESS_LENGTH, "queue " + queue);
    }
}
