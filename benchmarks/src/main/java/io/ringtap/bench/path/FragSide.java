package io.ringtap.bench.path;

import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.Side;
import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.FragStrategy;
import io.ringtap.frag.PageArena;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.concurrent.atomic.AtomicLongArray;

/** An allocator of fragments under so many threads, each doing what a worker does with a batch. */
public final class FragSide extends Side
{
    private static final int BATCH = 64;
    private static final int SLOT = 2048;
    private static final int FRAME = 64;
    private static final int PAGES_PER_THREAD = 128;
    private static final int PADDING = 16;

    private final PageArena arena;
    private final FragAllocator[] allocators;
    private final AtomicLongArray slots;
    private volatile boolean isRunning;

    public FragSide(final String label, final FragStrategy strategy, final int threads)
    {
        super(label);
        arena = new PageArena(PAGES_PER_THREAD * threads);
        allocators = strategy.create(arena, threads);
        slots = new AtomicLongArray(PADDING * threads);
    }

    @Override
    public Sample measure(final double seconds)
    {
        isRunning = true;
        final Thread[] threads = new Thread[allocators.length];
        final long before = total();
        final long startNs = System.nanoTime();
        for (int i = 0; i < threads.length; i++)
        {
            final int index = i;
            threads[i] = new Thread(() -> work(index), "frag-" + i);
            threads[i].start();
        }
        try
        {
            Thread.sleep((long)(seconds * 1000));
            isRunning = false;
            for (final Thread thread : threads)
            {
                thread.join();
            }
        }
        catch (final InterruptedException ex)
        {
            isRunning = false;
            Thread.currentThread().interrupt();
        }
        return Sample.of((total() - before) * 1e3 / (System.nanoTime() - startNs));
    }

    @Override
    public void close()
    {
        for (final FragAllocator allocator : allocators)
        {
            allocator.close();
        }
        arena.close();
    }

    private void work(final int index)
    {
        final FragAllocator allocator = allocators[index];
        final UnsafeBuffer buffer = arena.buffer();
        final int[] batch = new int[BATCH];
        long done = slots.get(PADDING * index);
        while (isRunning)
        {
            final int count = allocator.allocate(SLOT, BATCH, batch);
            for (int i = 0; i < count; i++)
            {
                buffer.setMemory(batch[i], FRAME, (byte)i);
            }
            allocator.release(batch, count);
            done += count;
            slots.lazySet(PADDING * index, done);
        }
    }

    private long total()
    {
        long sum = 0;
        for (int i = 0; i < allocators.length; i++)
        {
            sum += slots.get(PADDING * i);
        }
        return sum;
    }
}
