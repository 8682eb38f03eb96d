package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.RandomSeed;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** The thread that flushes: it is woken when it sleeps, leaves nothing behind, and costs the worker no system call. */
class DoorbellTest extends PacketFixture
{
    private static final long PATIENCE_NS = 5_000_000_000L;
    private static final int BURSTS = 3_000;

    private long sent;

    @Test
    void shouldLoseNoWakeUpInManyBurstsWhateverTheLinger()
    {
        final Random random = RandomSeed.random(DoorbellTest.class);
        for (final int lingerUs : new int[]{PacketOptions.ADAPTIVE_LINGER, 0, 5, 200})
        {
            open(options().doorbell(true).lingerUs(lingerUs).transmitSlots(128));
            final long before = received();
            sent = 0;
            for (int burst = 0; burst < BURSTS; burst++)
            {
                burst(1 + random.nextInt(PortRig.BATCH));
                pause(random);
                if (0 == burst % 100)
                {
                    // The flusher alone has to bring these out: nothing is sent meanwhile.
                    await(before, "after burst " + burst);
                }
            }
            await(before, "at the end");
            assertEquals(sent, rig.count(PortCounter.TX_FRAMES), rig::counts);
            assertTrue(rig.count(PortCounter.DOORBELL_RUNG) <= BURSTS, rig::counts);
            assertEquals(0, rig.count(PortCounter.TX_UNSENT_BYTES), rig::counts);
            close();
        }
    }

    @Test
    void shouldSendEverythingBeforeItCloses()
    {
        for (int round = 0; round < 200; round++)
        {
            open(options().doorbell(true));
            final long before = received();
            sent = 0;
            burst(1 + round % PortRig.BATCH);
            close();
            assertEquals(sent, received() - before, "round " + round);
        }
    }

    @Test
    void shouldKeepOrderBetweenRingAndSocket()
    {
        open(options().doorbell(true));
        try (PacketSocket host = new PacketSocket(FAR, true))
        {
            for (int round = 0; round < 200; round++)
            {
                for (int i = 0; i < 3; i++)
                {
                    TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(3 * round + i, 60));
                    if (1 == i)
                    {
                        rig.transmitAll();
                        final int slot = rig.allocator.allocate(32_000);
                        final byte[] big = TestFrames.superFrame(20_000);
                        rig.arena.buffer().putBytes(slot + 64 - 12, TestFrames.superHeader(12, 1000));
                        rig.arena.buffer().putBytes(slot + 64, big);
                        rig.batch.add(slot, 32_000, slot + 64, big.length, 0);
                    }
                }
                rig.transmitAll();
                assertArrayEquals(TestFrames.numbered(3 * round, 60), next(host));
                assertArrayEquals(TestFrames.numbered(3 * round + 1, 60), next(host));
                assertEquals(20_054, next(host).length);
                assertArrayEquals(TestFrames.numbered(3 * round + 2, 60), next(host));
            }
        }
    }

    @Test
    void shouldGoOnAfterTheLinkWasDown()
    {
        open(options().doorbell(true));
        NetNamespace.run("ip", "link", "set", NEAR, "down");
        sent = 0;
        burst(10);
        final long deadline = System.nanoTime() + PATIENCE_NS;
        while (10 != rig.count(PortCounter.TX_LINK_DOWN))
        {
            assertTrue(System.nanoTime() < deadline, rig::counts);
            rig.queue.flush();
        }
        NetNamespace.run("ip", "link", "set", NEAR, "up");
        final long before = received();
        sent = 0;
        burst(20);
        await(before, "after the link came up");
    }

    private static byte[] next(final PacketSocket host)
    {
        return PacketSocket.withoutNetHeader(host.receive());
    }

    private void burst(final int frames)
    {
        for (int i = 0; i < frames; i++)
        {
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 60));
        }
        rig.transmitAll();
        sent += frames;
    }

    /** From nothing at all to longer than any lingering. */
    private static void pause(final Random random)
    {
        switch (random.nextInt(4))
        {
            case 0:
                break;
            case 1:
                LockSupport.parkNanos(random.nextInt(300_000));
                break;
            default:
                final long until = System.nanoTime() + random.nextInt(60_000);
                while (System.nanoTime() < until)
                {
                    Thread.onSpinWait();
                }
                break;
        }
    }

    private void await(final long before, final String when)
    {
        final long deadline = System.nanoTime() + PATIENCE_NS;
        while (received() - before < sent)
        {
            assertTrue(System.nanoTime() < deadline, () -> when + ": " + (received() - before) + " of " + sent +
                " frames came; " + rig.counts());
        }
        assertEquals(sent, received() - before, when);
    }

    private static long received()
    {
        try
        {
            for (final String line : Files.readString(Path.of("/proc/thread-self/net/dev")).split("\n"))
            {
                if (line.strip().startsWith(FAR + ":"))
                {
                    return Long.parseLong(line.substring(line.indexOf(':') + 1).strip().split(" +")[1]);
                }
            }
        }
        catch (final IOException e)
        {
            throw new AssertionError(e);
        }
        throw new AssertionError(FAR + " has no counters");
    }
}
