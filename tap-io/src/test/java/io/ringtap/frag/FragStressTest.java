package io.ringtap.frag;

import io.ringtap.RandomSeed;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Several queues allocate, pass fragments to each other and release them; in the end nothing is missing. */
class FragStressTest
{
    private static final int THREADS = 4;
    private static final int STEPS = 400_000;
    private static final int PAGES = 64;

    private final ConcurrentLinkedQueue<Integer> passedOn = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @ParameterizedTest
    @EnumSource
    @Timeout(120)
    void shouldKeepTheBalance(final FragStrategy strategy) throws InterruptedException
    {
        final long seed = RandomSeed.seed(FragStressTest.class);
        try (PageArena arena = new PageArena(PAGES))
        {
            final FragAllocator[] allocators = strategy.create(arena, THREADS);
            final Thread[] threads = new Thread[THREADS];
            for (int t = 0; t < THREADS; t++)
            {
                final FragAllocator allocator = allocators[t];
                final Random random = new Random(seed + t);
                final int name = t + 1;
                threads[t] = new Thread(() -> run(arena.buffer(), allocator, random, name));
                threads[t].start();
            }
            for (final Thread thread : threads)
            {
                thread.join();
            }
            for (Integer fragment = passedOn.poll(); fragment != null; fragment = passedOn.poll())
            {
                allocators[0].release(fragment);
            }
            assertNull(failure.get(), "seed " + seed);
            assertEquals(0, arena.report().fragmentsOut(), "seed " + seed);
            for (final FragAllocator allocator : allocators)
            {
                allocator.close();
            }
            assertEquals(PAGES, arena.report().freePages(), "seed " + seed);
        }
    }

    private void run(final UnsafeBuffer buffer, final FragAllocator allocator, final Random random, final int name)
    {
        try
        {
            final Holder holder = new Holder(buffer, allocator, random, name);
            for (int i = 0; i < STEPS; i++)
            {
                holder.step();
            }
            holder.releaseAll();
        }
        catch (final Throwable ex)
        {
            failure.compareAndSet(null, ex);
        }
    }

    /** One queue: what it holds carries its mark at both ends, so that an overlap shows. */
    private final class Holder
    {
        private final UnsafeBuffer buffer;
        private final FragAllocator allocator;
        private final Random random;
        private final int name;
        private final int[] held = new int[64];
        private final int[] length = new int[64];
        private final int[] batch = new int[16];
        private int count;
        private int lengthOfNext;

        Holder(final UnsafeBuffer buffer, final FragAllocator allocator, final Random random, final int name)
        {
            this.buffer = buffer;
            this.allocator = allocator;
            this.random = random;
            this.name = name;
        }

        void step()
        {
            final int what = random.nextInt(8);
            if (what < 3 && count < held.length)
            {
                keep(allocator.allocate(size()));
            }
            else if (what == 3 && count + batch.length <= held.length)
            {
                lengthOfNext = size();
                final int got = allocator.allocate(lengthOfNext, 1 + random.nextInt(batch.length), batch);
                for (int i = 0; i < got; i++)
                {
                    keep(batch[i]);
                }
            }
            else if (what == 4 && count >= batch.length)
            {
                for (int i = 0; i < batch.length; i++)
                {
                    batch[i] = take(random.nextInt(count));
                }
                allocator.release(batch, batch.length);
            }
            else if (what == 5 && count > 0)
            {
                final int fragment = take(random.nextInt(count));
                allocator.retain(fragment);
                passedOn.add(fragment);
                allocator.release(fragment);
            }
            else if (what == 6)
            {
                final Integer fragment = passedOn.poll();
                if (fragment != null)
                {
                    allocator.release(fragment);
                }
            }
            else if (count > 0)
            {
                allocator.release(take(random.nextInt(count)));
            }
        }

        private int size()
        {
            lengthOfNext = random.nextInt(50) == 0 ? 33_000 + random.nextInt(33_000) : 8 + random.nextInt(9216);
            return lengthOfNext;
        }

        private void keep(final int fragment)
        {
            if (fragment != FragAllocator.EXHAUSTED)
            {
                buffer.putInt(fragment, name);
                buffer.putInt(fragment + lengthOfNext - 4, -name);
                held[count] = fragment;
                length[count++] = lengthOfNext;
            }
        }

        private int take(final int i)
        {
            final int fragment = held[i];
            if (buffer.getInt(fragment) != name || buffer.getInt(fragment + length[i] - 4) != -name)
            {
                throw new IllegalStateException("fragment " + fragment + " of thread " + name + " was overwritten");
            }
            held[i] = held[--count];
            length[i] = length[count];
            return fragment;
        }

        void releaseAll()
        {
            while (count > 0)
            {
                allocator.release(take(count - 1));
            }
        }
    }
}
