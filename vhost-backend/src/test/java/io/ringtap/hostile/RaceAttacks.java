package io.ringtap.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

import static io.ringtap.hostile.HostileDriver.SEND;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** A second processor of the guest changes what the device reads, while it reads it (CVE-2020-14374 and its kin). */
final class RaceAttacks
{
    private static final int CHAINS = 150;
    private static final int SPINS = 2_000;
    private static final int ENTRY = 16;

    private final List<Attack> attacks = new ArrayList<>();

    static List<Attack> all()
    {
        final RaceAttacks table = new RaceAttacks();
        table.race("the net header", (d, random) -> d.memory().putByte(
            at(d, d.headerAddress()) + random.nextInt(HostileDriver.HEADER), (byte)random.nextInt()));
        table.race("the frame's headers", (d, random) -> d.memory().putByte(
            at(d, d.frameAddress()) + random.nextInt(WireFrames.LENGTH), (byte)random.nextInt()));
        table.race("addresses of descriptors", (d, random) -> d.memory().putLong(
            descriptor(d, random), random.nextBoolean() ? d.frameAddress() : random.nextLong()));
        table.race("lengths of descriptors", (d, random) -> d.memory().putInt(
            descriptor(d, random) + 8, random.nextBoolean() ? WireFrames.LENGTH : random.nextInt()));
        table.race("flags of descriptors", (d, random) -> d.memory().putShort(
            descriptor(d, random) + (d.ring(SEND) instanceof RawSplitRing ? 12 : 14), (short)random.nextInt()));
        table.race("next indexes or ids", (d, random) -> d.memory().putShort(
            descriptor(d, random) + (d.ring(SEND) instanceof RawSplitRing ? 14 : 12), (short)random.nextInt()));
        table.race("the indirect table", (d, random) -> d.memory().putLong(
            at(d, d.tableAddress()) + 8 * random.nextInt(8), random.nextBoolean() ? 0 : random.nextLong()));
        table.race("the driver's part of the ring", (d, random) -> d.memory().putShort(
            at(d, d.ring(SEND).driver().driverAddress()) + 2 * random.nextInt(2), (short)random.nextInt()));
        table.race("the device's part of the ring", (d, random) -> d.memory().putShort(
            at(d, d.ring(SEND).driver().deviceAddress()) + 2 * random.nextInt(2), (short)random.nextInt()));
        return table.attacks;
    }

    private void race(final String name, final BiConsumer<HostileDriver, Random> change)
    {
        final long seed = Long.getLong("ringtap.seed", name.hashCode());
        attacks.add(Attack.sending("a race over " + name, Verdict.ITSELF, (d) -> run(d, new Random(seed), change)));
    }

    private static void run(
        final HostileDriver driver, final Random random, final BiConsumer<HostileDriver, Random> change)
    {
        final AtomicBoolean isOver = new AtomicBoolean();
        final Thread other = new Thread(() ->
        {
            while (!isOver.get())
            {
                change.accept(driver, random);
            }
        }, "second processor");
        other.start();
        for (int i = 0; i < CHAINS; i++)
        {
            if (0 == i % 3)
            {
                driver.offer(SEND, driver.table(driver.header(), driver.frame(200 + 40 * i)));
            }
            else
            {
                driver.offer(SEND, driver.header(), driver.frame(WireFrames.LENGTH + 40 * i));
            }
            for (int spin = 0; spin < SPINS && RawRing.NONE == driver.ring(SEND).poll(); spin++)
            {
                Thread.onSpinWait();
            }
        }
        isOver.set(true);
        join(other);
    }

    private static void join(final Thread thread)
    {
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        assertFalse(thread.isAlive());
    }

    private static int at(final HostileDriver driver, final long guestAddress)
    {
        return (int)(guestAddress - driver.start());
    }

    private static int descriptor(final HostileDriver driver, final Random random)
    {
        return at(driver, driver.ring(SEND).driver().descriptorAddress()) + ENTRY * random.nextInt(Attack.SIZE);
    }
}
