package io.ringtap.flow;

import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.Memory;
import org.agrona.concurrent.UnsafeBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Makes plain frames of what a receiver cannot take: super-frames are cut (GSO in the kernel's words), checksums that
 * were only begun are completed. The frames are copies in fragments of their own; the original is left as it is.
 * <p>
 * Headers are read from a private copy, once, since segments may lie in a guest's memory and change under our eyes;
 * payload is summed after it was copied, so what is sent is always sound.
 */
public final class Segmenter
{
    /** The headers are not what the net header says. */
    public static final int MALFORMED = -1;
    /** The packets do not fit into the target batch; it is untouched. */
    public static final int NO_ROOM = -2;
    /** No fragments are free; the target batch is untouched. */
    public static final int EXHAUSTED = -3;

    /** Most packets of one frame. With a segment size of a guest's choice it could be 65,000. */
    public static final int MAX_PACKETS = 1024;

    private static final int ALIGNMENT = 64;
    private static final int FRAGMENT_HEADER = 8;

    private final FragAllocator fragments;
    private final FrameReader reader = new FrameReader();
    private final SuperFrame shape = new SuperFrame();
    private final UnsafeBuffer headers = Memory.scratch(SuperFrame.MAX_HEADERS);
    private final int[] slots = new int[MAX_PACKETS];
    private int slotLength;
    /** Fragments taken for the frame at hand, and how many of them a batch has. */
    private int reserved;
    private int used;
    private int fragmentId = (int)System.nanoTime();

    /** @param fragments slots of the new frames come from here; whoever clears the target batch releases them. */
    public Segmenter(final FragAllocator fragments)
    {
        this.fragments = fragments;
    }

    /**
     * Appends what frame {@code i} stands for to another batch, as the receiver can take it.
     *
     * @param offloads {@link Offloads} of the receiver: with CSUM the new frames' checksums are left begun.
     * @return how many frames were added; or {@link #MALFORMED}, {@link #NO_ROOM}, {@link #EXHAUSTED}, and none was.
     */
    public int segment(final FrameBatch from, final int i, final FrameBatch to, final int offloads)
    {
        final UnsafeBuffer arena = from.arena();
        final int netHeader = from.netHeader(i);
        if (VnetHeader.GSO_NONE == VnetHeader.gsoType(arena, netHeader))
        {
            return copyWhole(from, i, to, offloads);
        }
        reader.wrap(from, i);
        final int length = from.length(i);
        final int available = reader.read(headers, 0, Math.min(length, SuperFrame.MAX_HEADERS));
        if (!shape.parse(arena, netHeader, headers, available, length))
        {
            return MALFORMED;
        }
        shape.hasFixedId = from.hasFixedId(i);
        reader.wrap(from, i);
        if (VnetHeader.GSO_UDP == shape.gsoType)
        {
            reader.skip(shape.transport);
            return fragment(to);
        }
        reader.skip(shape.headers);
        final int count = shape.packets();
        final int room = reserve(to, count, shape.headers + Math.min(shape.gsoSize, shape.payload));
        return room == count ? cut(to, count, (offloads & Offloads.CSUM) != 0) : room;
    }

    /** Takes fragments for all packets at once, so that nothing has to be undone later. */
    private int reserve(final FrameBatch to, final int count, final int frameLength)
    {
        if (count > Math.min(MAX_PACKETS, Math.min(to.capacity() - to.frames(), to.vectorsFree())))
        {
            return NO_ROOM;
        }
        forget();
        final int needed = FrameLayout.HEADROOM + frameLength;
        slotLength = Math.max(FrameLayout.SMALL_SLOT, (needed + ALIGNMENT - 1) & -ALIGNMENT);
        final int got = fragments.allocate(slotLength, count, slots);
        if (got < count)
        {
            fragments.release(slots, got);
            return EXHAUSTED;
        }
        reserved = count;
        used = 0;
        return count;
    }

    private int cut(final FrameBatch to, final int count, final boolean leaveBegun)
    {
        final UnsafeBuffer arena = to.arena();
        int left = shape.payload;
        for (int packet = 0; packet < count; packet++)
        {
            final int bytes = Math.min(left, shape.gsoSize);
            final int frame = slots[packet] + FrameLayout.HEADROOM;
            left -= bytes;
            SmallCopy.copy(headers, 0, arena, frame, shape.headers);
            reader.read(arena, frame + shape.headers, bytes);
            shape.write(arena, frame, packet, bytes, 0 == left);
            if (leaveBegun)
            {
                VnetHeader.partial(arena, frame - VnetHeader.LENGTH, shape.transport, shape.checksumOffset);
            }
            else
            {
                final int transport = frame + shape.transport;
                store(arena, transport, Checksum.sum(arena, transport, shape.headers - shape.transport + bytes));
                VnetHeader.clear(arena, frame - VnetHeader.LENGTH);
            }
            used++;
            to.add(slots[packet], slotLength, frame, shape.headers + bytes, 0);
        }
        return count;
    }

    /** Gives back what a failure left over: the rest of a frame may be in memory that its owner took away. */
    public void forget()
    {
        while (used < reserved)
        {
            fragments.release(slots[used++]);
        }
    }

    /** TCP has no "none" to avoid: the kernel's segmenter writes its zero as it is. */
    private void store(final UnsafeBuffer arena, final int transport, final long sum)
    {
        final int checksum = ~Checksum.fold(sum) & 0xFFFF;
        arena.putShort(transport + shape.checksumOffset,
            (short)(0 == checksum && !shape.isTcp ? 0xFFFF : checksum), LITTLE_ENDIAN);
    }

    /** A frame that is only not complete, or that fits already. */
    private int copyWhole(final FrameBatch from, final int i, final FrameBatch to, final int offloads)
    {
        final int length = from.length(i);
        final int room = reserve(to, 1, length);
        if (room < 0)
        {
            return room;
        }
        final UnsafeBuffer arena = to.arena();
        final int frame = slots[0] + FrameLayout.HEADROOM;
        arena.putBytes(frame - VnetHeader.LENGTH, from.arena(), from.netHeader(i), VnetHeader.LENGTH);
        reader.wrap(from, i);
        reader.read(arena, frame, length);
        used++;
        to.add(slots[0], slotLength, frame, length, 0);
        if (!VnetHeader.fits(arena, frame - VnetHeader.LENGTH, offloads) && !Checksum.complete(to, to.frames() - 1))
        {
            to.removeLast();
            fragments.release(slots[0]);
            return MALFORMED;
        }
        return 1;
    }

    /** UFO: one datagram becomes IP fragments (udp4_ufo_fragment, udp6_ufo_fragment); the first holds its header. */
    private int fragment(final FrameBatch to)
    {
        final int size = shape.gsoSize & ~7;
        if (0 == size || shape.isV6 && !isPlainV6())
        {
            return MALFORMED;
        }
        final int inFront = shape.transport + (shape.isV6 ? FRAGMENT_HEADER : 0);
        final int datagram = shape.headers - shape.transport + shape.payload;
        final int count = reserve(to, (datagram + size - 1) / size, inFront + size);
        if (count < 0)
        {
            return count;
        }
        final UnsafeBuffer arena = to.arena();
        fragmentId++;
        long sum = 0;
        for (int packet = 0; packet < count; packet++)
        {
            final int offset = packet * size;
            final int bytes = Math.min(datagram - offset, size);
            final int frame = slots[packet] + FrameLayout.HEADROOM;
            final boolean isLast = packet == count - 1;
            arena.putBytes(frame, headers, 0, shape.transport);
            shape.writeFragment(arena, frame, offset, bytes, isLast);
            if (shape.isV6)
            {
                writeFragmentHeader(arena, frame, offset, isLast);
            }
            reader.read(arena, frame + inFront, bytes);
            // Every fragment but the last is a multiple of eight bytes long, so the sums simply add up.
            sum += Checksum.sum(arena, frame + inFront, bytes);
            VnetHeader.clear(arena, frame - VnetHeader.LENGTH);
            used++;
            to.add(slots[packet], slotLength, frame, inFront + bytes, 0);
        }
        if (shape.isPartial)
        {
            store(arena, slots[0] + FrameLayout.HEADROOM + inFront, sum);
        }
        return count;
    }

    private boolean isPlainV6()
    {
        return shape.transport == shape.network + 40 && headers.getByte(shape.network + 6) == HeadParser.UDP;
    }

    private void writeFragmentHeader(
        final UnsafeBuffer arena, final int frame, final int offset, final boolean isLast)
    {
        final int at = frame + shape.transport;
        arena.putByte(frame + shape.network + 6, (byte)44);
        arena.putShort(at, (short)HeadParser.UDP, LITTLE_ENDIAN);
        arena.putShort(at + 2, (short)Checksum.swap(offset | (isLast ? 0 : 1)), LITTLE_ENDIAN);
        arena.putInt(at + 4, fragmentId, LITTLE_ENDIAN);
    }
}
