package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.MapKind;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Several queues and a control thread at once: no value is torn, no entry lost, nothing counted twice. */
class ConcurrentMapTest
{
    private static final int WORKERS = 3;
    private static final int ROUNDS = 60_000;
    private static final int PATIENCE = 10_000_000;

    /** Values are four times the same number, which belongs to the key. */
    @ParameterizedTest
    @EnumSource(value = MapKind.class, names = {"HASH", "LRU_HASH", "LPM_TRIE"})
    void shouldNeverShowHalfOfAnUpdate(final MapKind kind) throws InterruptedException
    {
        final int flags = MapKind.LPM_TRIE == kind ? MapFlags.NO_PREALLOC : 0;
        final StoredMap map = MapTests.stored(MapSpec.of("m", kind, 8, 32, 24).withFlags(flags), WORKERS);
        final MapAccess access = MapAccess.of(map);
        final AtomicBoolean done = new AtomicBoolean();
        run(done, () -> control(access, done), worker ->
        {
            final Random random = MapTests.random(kind + "/" + worker);
            final UnsafeBuffer key = new UnsafeBuffer(new byte[8]);
            final UnsafeBuffer value = new UnsafeBuffer(new byte[32]);
            for (int i = 0; i < ROUNDS; i++)
            {
                final int number = random.nextInt(32);
                key.putInt(0, 32);
                key.putInt(4, number * 0x0101_0101);
                if (random.nextInt(3) > 0)
                {
                    fill(value, (long)i << 8 | number);
                    final int result = map.write(0, key, 0, value, 0, MapFlags.ANY);
                    assertTrue(0 == result || BpfErrno.E2BIG == result || BpfErrno.ENOSPC == result ||
                        BpfErrno.ENOMEM == result && MapKind.LRU_HASH == kind, "result " + result);
                }
                else if (random.nextInt(4) == 0)
                {
                    map.remove(key, 0);
                }
                else if (0 == map.read(0, key, 0, value, 0, 0))
                {
                    check(value, number);
                }
            }
        });
        assertTrue(MapTests.keysOf(map).size() <= 24);
    }

    private static void control(final MapAccess access, final AtomicBoolean done)
    {
        while (!done.get())
        {
            for (final byte[] key : access.keys(1000))
            {
                final byte[] value = access.get(key);
                if (null != value)
                {
                    check(new UnsafeBuffer(value), key[4]);
                }
            }
        }
    }

    private static void fill(final UnsafeBuffer value, final long number)
    {
        for (int i = 0; i < value.capacity(); i += 8)
        {
            value.putLong(i, number);
        }
    }

    private static void check(final UnsafeBuffer value, final int number)
    {
        assertEquals(number, value.getLong(0) & 0xff);
        for (int i = 8; i < value.capacity(); i += 8)
        {
            assertEquals(value.getLong(0), value.getLong(i));
        }
    }

    /** Each worker has keys of its own, so that it knows what must be there. */
    @ParameterizedTest
    @EnumSource(value = MapKind.class, names = {"HASH", "PERCPU_HASH"})
    void shouldLoseNoEntry(final MapKind kind) throws InterruptedException
    {
        final StoredMap map = MapTests.stored(MapSpec.of("m", kind, 6, 8, WORKERS * 40), WORKERS);
        final AtomicBoolean done = new AtomicBoolean();
        final List<List<String>> left = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++)
        {
            left.add(new ArrayList<>());
        }
        run(done, () -> MapAccess.of(map).keys(100), worker ->
        {
            final Random random = MapTests.random(kind + "/" + worker);
            final long[] model = new long[40];
            final UnsafeBuffer key = new UnsafeBuffer(new byte[6]);
            final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);
            for (int i = 1; i <= ROUNDS; i++)
            {
                final int number = random.nextInt(40);
                key.putInt(0, number << 8 | worker);
                final int at = map.lookupOn(worker, key, 0);
                assertEquals(model[number], StoredMap.MISSING == at ? 0 : map.values().getLong(at));
                if (random.nextInt(3) == 0)
                {
                    assertEquals(0 == model[number] ? BpfErrno.ENOENT : 0, map.remove(key, 0));
                    model[number] = 0;
                }
                else
                {
                    value.putLong(0, i);
                    assertEquals(0, map.write(worker, key, 0, value, 0, MapFlags.ANY));
                    model[number] = i;
                }
            }
            for (int number = 0; number < 40; number++)
            {
                key.putInt(0, number << 8 | worker);
                if (0 != model[number])
                {
                    left.get(worker).add(HexFormat.of().formatHex(key.byteArray()));
                }
            }
        });
        final List<String> all = new ArrayList<>();
        left.forEach(all::addAll);
        all.sort(null);
        assertEquals(all, new ArrayList<>(MapTests.keysOf(map)));
        assertEquals(0, fillUp(map) - (WORKERS * 40 - all.size()), "slots are lost");
    }

    /** How many entries there is room for. */
    private static int fillUp(final StoredMap map)
    {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[6]);
        final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);
        int count = 0;
        key.putShort(4, (short)-1);
        while (0 == map.write(0, key, 0, value, 0, MapFlags.NOEXIST) && count < 1000)
        {
            count++;
            key.putInt(0, count);
        }
        return count;
    }

    @Test
    void shouldKeepValuesWholeUnderTheirLock() throws InterruptedException
    {
        for (final MapKind kind : List.of(MapKind.HASH, MapKind.ARRAY))
        {
            final StoredMap map = MapTests.stored(
                new MapSpec("m", kind, 4, 32, 4, 0, 0, null, null, 0), WORKERS);
            final MapAccess access = MapAccess.of(map);
            final byte[] key = {1, 0, 0, 0};
            access.put(key, new byte[32]);
            final AtomicBoolean done = new AtomicBoolean();
            run(done, () ->
            {
                while (!done.get())
                {
                    checkLocked(new UnsafeBuffer(access.get(key)));
                }
            }, worker ->
            {
                final UnsafeBuffer value = new UnsafeBuffer(new byte[32]);
                final UnsafeBuffer copy = new UnsafeBuffer(new byte[32]);
                for (int i = 0; i < ROUNDS; i++)
                {
                    fill(value, (long)i << 8 | worker);
                    assertEquals(0, map.write(0, new UnsafeBuffer(key), 0, value, 0, MapFlags.LOCK));
                    assertEquals(0, map.read(0, new UnsafeBuffer(key), 0, copy, 0, MapFlags.LOCK));
                    checkLocked(copy);
                }
            });
        }
    }

    private static void checkLocked(final UnsafeBuffer value)
    {
        assertEquals(0, value.getInt(0), "the lock shows");
        assertEquals(value.getInt(4), value.getInt(12));
        assertEquals(value.getLong(8), value.getLong(16));
        assertEquals(value.getLong(8), value.getLong(24));
    }

    @ParameterizedTest
    @EnumSource(value = MapKind.class, names = {"QUEUE", "STACK"})
    void shouldPopWhatWasPushedOnce(final MapKind kind) throws InterruptedException
    {
        final QueueMap map = (QueueMap)new MapFactory(WORKERS).create(MapSpec.of("q", kind, 0, 8, 16));
        final long[] pushed = new long[WORKERS];
        final long[] popped = new long[WORKERS];
        run(new AtomicBoolean(), () -> { }, worker ->
        {
            final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);
            for (int i = 0; i < ROUNDS; i++)
            {
                value.putLong(0, (long)i * WORKERS + worker + 1);
                pushed[worker] += 0 == map.push(value, 0, MapFlags.ANY) ? value.getLong(0) : 0;
                popped[worker] += 0 == map.pop(value, 0, true) ? value.getLong(0) : 0;
            }
        });
        final UnsafeBuffer value = new UnsafeBuffer(new byte[8]);
        long rest = 0;
        while (0 == map.pop(value, 0, true))
        {
            rest += value.getLong(0);
        }
        assertEquals(pushed[0] + pushed[1] + pushed[2], popped[0] + popped[1] + popped[2] + rest);
    }

    @Test
    void shouldHandOutRecordsInOrderOfEachProducer() throws InterruptedException
    {
        final RingBufMap ring =
            (RingBufMap)new MapFactory(WORKERS).create(MapSpec.of("ring", MapKind.RINGBUF, 0, 0, 4096));
        final long[] next = new long[WORKERS];
        final long[] sent = new long[WORKERS];
        final AtomicBoolean done = new AtomicBoolean();
        final Runnable reader = () -> ring.consume((index, buffer, offset, length) ->
        {
            final int worker = (int)(buffer.getLong(offset) & 0xff);
            assertEquals(next[worker], buffer.getLong(offset) >>> 8);
            next[worker]++;
            for (int i = 8; i < length; i++)
            {
                assertEquals((byte)length, buffer.getByte(offset + i));
            }
        }, Integer.MAX_VALUE);
        run(done, () ->
        {
            while (!done.get())
            {
                reader.run();
            }
        }, worker ->
        {
            final Random random = MapTests.random("ring/" + worker);
            for (int i = 0; i < ROUNDS; i++)
            {
                final int length = 8 + random.nextInt(100);
                int at = ring.reserve(length);
                for (int tries = 0; at < 0 && tries < PATIENCE; tries++)
                {
                    // Full: on a busy machine the reader may not have run yet.
                    Thread.yield();
                    at = ring.reserve(length);
                }
                assertTrue(at >= 0, "nobody reads any more");
                final boolean isDiscarded = 0 == random.nextInt(5);
                ring.values().setMemory(at, length, (byte)length);
                ring.values().putLong(at, sent[worker] << 8 | worker);
                sent[worker] += isDiscarded ? 0 : 1;
                ring.commit(at, isDiscarded);
            }
        });
        reader.run();
        for (int i = 0; i < WORKERS; i++)
        {
            assertTrue(sent[i] > 0);
            assertEquals(sent[i], next[i]);
        }
        assertEquals(ring.produced(), ring.consumed());
    }

    private static void run(final AtomicBoolean done, final Runnable control, final Work work)
        throws InterruptedException
    {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++)
        {
            final int worker = i;
            workers.add(start(() -> work.run(worker), failure));
        }
        final Thread other = start(control, failure);
        for (final Thread thread : workers)
        {
            thread.join();
        }
        done.set(true);
        other.join();
        if (null != failure.get())
        {
            throw new AssertionError(failure.get());
        }
    }

    private static Thread start(final Runnable what, final AtomicReference<Throwable> failure)
    {
        final Thread thread = new Thread(what);
        thread.setUncaughtExceptionHandler((t, e) -> failure.compareAndSet(null, e));
        thread.start();
        return thread;
    }

    /** What a worker does. */
    private interface Work
    {
        void run(int worker);
    }
}
