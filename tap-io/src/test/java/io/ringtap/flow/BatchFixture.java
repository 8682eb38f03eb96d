package io.ringtap.flow;

import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.FragStrategy;
import io.ringtap.frag.PageArena;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** An arena with two batches over it, and frames put into them and read back as byte arrays. */
final class BatchFixture implements AutoCloseable
{
    static final int PAGES = 512;

    final PageArena arena = new PageArena(PAGES);
    final UnsafeBuffer buffer = arena.buffer();
    final FragAllocator fragments = FragStrategy.PER_QUEUE.create(arena);
    final FrameBatch batch = new FrameBatch(buffer, 256, 2048);
    final FrameBatch plain = new FrameBatch(buffer, 1024, 1024);
    final Coalescer coalescer = new Coalescer(fragments);
    final Segmenter segmenter = new Segmenter(fragments);
    final FlowSorter sorter = new FlowSorter(256);
    private final List<Integer> extra = new ArrayList<>();

    /** Adds a frame with a complete checksum. */
    int add(final byte[] frame)
    {
        final int i = addRaw(frame, frame.length);
        VnetHeader.clear(buffer, batch.netHeader(i));
        return i;
    }

    /** Adds a frame with its checksum as the flag says. */
    int add(final TestFrame frame, final boolean isPartial)
    {
        if (!isPartial)
        {
            return add(frame.bytes());
        }
        final byte[] bytes = frame.partialBytes();
        final int i = addRaw(bytes, bytes.length);
        VnetHeader.partial(
            buffer, batch.netHeader(i), frame.transport(), frame.checksumField() - frame.transport());
        return i;
    }

    int add(final TestFrame frame)
    {
        return add(frame, false);
    }

    /** Adds a frame of which {@code linear} bytes lie in a slot and the rest in pieces elsewhere in the arena. */
    int addRaw(final byte[] frame, final int linear)
    {
        final int length = Math.max(FrameLayout.SMALL_SLOT, FrameLayout.HEADROOM + linear);
        final int slot = fragments.allocate(length);
        // What an older frame left behind must never show.
        buffer.setMemory(slot, length, (byte)0xEE);
        buffer.putBytes(slot + FrameLayout.HEADROOM, frame, 0, linear);
        final int i = batch.add(slot, length, slot + FrameLayout.HEADROOM, linear, batch.frames());
        int at = linear;
        while (at < frame.length)
        {
            final int piece = Math.min(frame.length - at, 1 + (at * 7919 & 0xFFF));
            final int place = fragments.allocate(piece);
            buffer.putBytes(place, frame, at, piece);
            batch.vectors().set(batch.claimSegments(1, piece), arena.address() + place, piece);
            extra.add(place);
            at += piece;
        }
        return i;
    }

    /** Every byte of a frame, wherever it lies. */
    static byte[] read(final FrameBatch from, final int i)
    {
        final byte[] frame = new byte[from.length(i)];
        from.arena().getBytes(from.offset(i), frame, 0, from.linearLength(i));
        int at = from.linearLength(i);
        for (int v = from.run(i) + 1; v <= from.run(i) + from.segments(i); v++)
        {
            final int piece = from.vectors().length(v);
            new UnsafeBuffer(from.vectors().base(v), piece).getBytes(0, frame, at, piece);
            at += piece;
        }
        assertEquals(frame.length, at, "length of the parts");
        return frame;
    }

    int gsoType(final int i)
    {
        return VnetHeader.gsoType(buffer, batch.netHeader(i));
    }

    int gsoSize(final int i)
    {
        return VnetHeader.gsoSize(buffer, batch.netHeader(i));
    }

    /** The ready list as plain frames with complete checksums, in order. */
    List<byte[]> segmented()
    {
        return segmented(Offloads.NONE);
    }

    List<byte[]> segmented(final int offloads)
    {
        final List<byte[]> result = new ArrayList<>();
        for (int k = 0; k < batch.readyCount(); k++)
        {
            final int i = batch.ready(k);
            if (VnetHeader.fits(buffer, batch.netHeader(i), offloads))
            {
                result.add(read(batch, i));
                continue;
            }
            final int count = segmenter.segment(batch, i, plain, offloads);
            assertEquals(Math.max(1, batch.packets(i)), count);
            for (int s = 0; s < plain.frames(); s++)
            {
                result.add(read(plain, s));
            }
            clear(plain);
        }
        return result;
    }

    void clear(final FrameBatch from)
    {
        from.release(fragments);
    }

    /** Releases everything and checks that nothing is missing. */
    void clear()
    {
        releaseAll();
        assertEquals(0, arena.report().fragmentsOut(), "fragments out");
    }

    void releaseAll()
    {
        clear(batch);
        clear(plain);
        extra.forEach(fragments::release);
        extra.clear();
    }

    @Override
    public void close()
    {
        clear();
        batch.close();
        plain.close();
        arena.close();
    }
}
