package io.ringtap.vhost.virtio;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.Random;

import static io.ringtap.vhost.virtio.RingFixture.BORDER;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Random chains through every kind of ring: what one side wrote is what the other reads, in order, for ever. */
class RandomChainTest
{
    private static final int TURNS = 2000;
    private static final int SIZE = 16;
    /** Each chain has a place of its own for its buffers, around the border of two regions. */
    private static final int PLACE = 4096;

    @ParameterizedTest
    @EnumSource
    void shouldCarryTheSameBytes(final RingKind kind)
    {
        final long seed = System.nanoTime();
        carry(kind, seed);
    }

    @ParameterizedTest
    @EnumSource
    void shouldCarryTheSameBytesOfAKnownSeed(final RingKind kind)
    {
        carry(kind, 1);
    }

    private void carry(final RingKind kind, final long seed)
    {
        final Random random = new Random(seed);
        final DescriptorChain[] chains = DescriptorChain.batch(SIZE);
        // both indexes of a split ring wrap under way
        try (RingFixture ring = new RingFixture(SIZE, kind.features, kind.name().startsWith("SPLIT") ? 65000 : 0))
        {
            final Queue<Sent> sent = new ArrayDeque<>();
            final Queue<Sent> answered = new ArrayDeque<>();
            for (int turn = 0; turn < TURNS; turn++)
            {
                offer(ring, random, sent, turn);
                final int taken = ring.queue.take(chains, 1 + random.nextInt(SIZE));
                final int kept = taken <= 0 ? 0 : random.nextInt(taken + 1);
                for (int i = 0; i < kept; i++)
                {
                    final Sent chain = sent.remove();
                    assertArrayEquals(chain.bytes, ring.read(chains[i]), "seed " + seed);
                    assertEquals(chain.room, chains[i].writable().length(), "seed " + seed);
                    chain.answer = new byte[random.nextInt(chain.room + 1)];
                    random.nextBytes(chain.answer);
                    assertEquals(chain.answer.length, ring.write(chains[i], chain.answer));
                    ring.queue.complete(chains[i].ticket(), chain.answer.length);
                    answered.add(chain);
                }
                ring.queue.untake(Math.max(0, taken) - kept);
                ring.queue.publish();
                collect(ring, answered, seed);
            }
            assertTrue(sent.size() <= SIZE);
        }
        catch (final RuntimeException ex)
        {
            throw new AssertionError("seed " + seed, ex);
        }
    }

    private static void offer(final RingFixture ring, final Random random, final Queue<Sent> sent, final int turn)
    {
        final int chains = random.nextInt(5);
        for (int c = 0; c < chains; c++)
        {
            final int readable = random.nextInt(4);
            final int writable = readable == 0 ? 1 + random.nextInt(3) : random.nextInt(3);
            final int count = readable + writable;
            final long[] addresses = new long[count];
            final int[] lengths = new int[count];
            final Sent chain = new Sent();
            final int place = (turn * 4 + c) % 64 - 32;
            long at = BORDER + (long)place * PLACE - PLACE / 2;
            for (int i = 0; i < count; i++)
            {
                addresses[i] = at;
                lengths[i] = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(i == 0 ? 900 : 200);
                at += lengths[i] + random.nextInt(3);
                if (i < readable)
                {
                    final byte[] bytes = new byte[lengths[i]];
                    random.nextBytes(bytes);
                    ring.guest.putBytes(ring.at(addresses[i]), bytes);
                    chain.append(bytes);
                }
                else
                {
                    chain.room += lengths[i];
                }
            }
            chain.addresses = Arrays.copyOfRange(addresses, readable, count);
            chain.lengths = Arrays.copyOfRange(lengths, readable, count);
            final long table = RingFixture.TABLES + (turn * 4 + c) % 64 * 256;
            chain.id = random.nextBoolean() ? ring.driver.add(addresses, lengths, readable, writable) :
                ring.driver.addIndirect(table, addresses, lengths, readable, writable);
            if (chain.id >= 0)
            {
                sent.add(chain);
            }
        }
        ring.driver.publish();
    }

    private static void collect(final RingFixture ring, final Queue<Sent> answered, final long seed)
    {
        while (!answered.isEmpty())
        {
            final Sent chain = answered.remove();
            assertEquals(chain.id, ring.driver.poll(), "seed " + seed);
            assertEquals(chain.answer.length, ring.driver.usedLength(), "seed " + seed);
            int read = 0;
            for (int i = 0; i < chain.addresses.length; i++)
            {
                for (int b = 0; b < chain.lengths[i] && read < chain.answer.length; b++)
                {
                    assertEquals(chain.answer[read++], ring.guest.getByte(ring.at(chain.addresses[i]) + b));
                }
            }
        }
        assertEquals(-1, ring.driver.poll());
    }

    /** A chain in the device's hands. */
    private static final class Sent
    {
        private byte[] bytes = new byte[0];
        private int room;
        private int id;
        private byte[] answer;
        private long[] addresses;
        private int[] lengths;

        private void append(final byte[] more)
        {
            final int before = bytes.length;
            bytes = Arrays.copyOf(bytes, before + more.length);
            System.arraycopy(more, 0, bytes, before, more.length);
        }
    }
}
