package io.ringtap.port;

import io.ringtap.flow.FrameBatch;
import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.FragStrategy;
import io.ringtap.frag.PageArena;

import java.util.function.BiFunction;

/** A port under test with its memory; closing it shows that every fragment came back. */
final class PortRig implements AutoCloseable
{
    static final int BATCH = 64;

    final PageArena arena;
    final FragAllocator allocator;
    final PacketPort port;
    final PortQueue queue;
    final FrameBatch batch;

    PortRig(final int pages, final BiFunction<PageArena, FragAllocator, PacketPort> opener)
    {
        arena = new PageArena(pages);
        allocator = FragStrategy.PER_QUEUE.create(arena);
        port = opener.apply(arena, allocator);
        queue = port.queue(0);
        batch = new FrameBatch(arena.buffer(), BATCH, 4 * BATCH);
    }

    static PortRig tap(final TapOptions options)
    {
        return new PortRig(64, (arena, allocator) -> TapPort.open(options, arena.buffer(), (i) -> allocator));
    }

    static PortRig registeredTap(final TapOptions options)
    {
        return new PortRig(64, (arena, allocator) ->
            TapPort.open(options.registeredArena(arena), arena.buffer(), (i) -> allocator));
    }

    static PortRig packet(final PacketOptions options)
    {
        return new PortRig(128, (arena, allocator) ->
            PacketRingPort.open(options.batch(BATCH), arena.buffer(), (i) -> allocator));
    }

    long count(final PortCounter counter)
    {
        return queue.counters().get(counter);
    }

    /** Sends the batch until the port took it all, and releases it. */
    void transmitAll()
    {
        while (!batch.isDrained())
        {
            queue.transmit(batch);
        }
        queue.flush();
        TestFrames.finish(batch, allocator);
    }

    /** Receives a batch, waiting for up to two seconds. @return frames. */
    int receive()
    {
        final long deadline = System.nanoTime() + 2_000_000_000L;
        while (0 == queue.receive(batch, BATCH))
        {
            if (System.nanoTime() > deadline)
            {
                throw new AssertionError("nothing was received: " + counts());
            }
        }
        return batch.frames();
    }

    /** Every counter that is not zero. */
    String counts()
    {
        final StringBuilder text = new StringBuilder();
        for (final PortCounter counter : queue.counters().counters())
        {
            if (0 != count(counter))
            {
                text.append(counter.label()).append(' ').append(count(counter)).append(' ');
            }
        }
        return text.toString();
    }

    /** Fragments that are neither with their allocator nor in the arena. */
    long fragmentsOut()
    {
        return arena.report().fragmentsOut();
    }

    @Override
    public void close()
    {
        queue.release(batch);
        port.close();
        batch.close();
        final long out = fragmentsOut();
        arena.close();
        if (0 != out)
        {
            throw new AssertionError(out + " fragments were lost");
        }
    }
}
