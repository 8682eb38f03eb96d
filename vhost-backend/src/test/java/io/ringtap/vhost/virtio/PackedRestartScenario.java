package io.ringtap.vhost.virtio;

import io.ringtap.counters.CounterSet;
import io.ringtap.frontend.DriverRing;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.RegionRequest;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;

/**
 * A driver on a packed ring that nobody tracks, one device after another that is killed, and a front-end that knows the
 * ring from its start alone, as QEMU does, and may return chains by itself while no device is there. Each chain has to
 * come back once, in order. Run inside a {@link KillingLoader}.
 */
public final class PackedRestartScenario
{
    /** What the front-end does while nobody serves: nothing, or return chains from where it believes the ring to be. */
    public static final int NO_DROPS = 0;
    /** QEMU as it is: a count of its own runs below 0 after the first chain, and it never returns another. */
    public static final int ONE_DROP = 1;
    public static final int ALL_DROPS = 2;

    private static final int LENGTH = 1 << 17;
    private static final long GUEST = 0x4000_0000L;
    private static final long FRONTEND = 0x7f00_0000_0000L;
    private static final int BUFFERS = 1 << 14;
    private static final int TABLES = 1 << 16;
    private static final int PLACES = 128;
    private static final int BATCH = 6;
    private static final int WRITTEN = 8;
    private static final int LAP_FLAGS = DescriptorLayout.AVAILABLE | DescriptorLayout.USED;

    private final Random random;
    private final int size;
    private final int drops;
    private final long features;
    private final Mapping mapping;
    private final GuestMemory memory;
    private final UnsafeBuffer guest;
    private final DriverRing driver;
    private final CounterSet<RingCounter> counters = new CounterSet<>("ring", RingCounter.class);
    private final DescriptorChain[] chains = DescriptorChain.batch(BATCH);
    private final long[] added;
    private final ArrayDeque<long[]> held = new ArrayDeque<>();
    private Virtqueue queue;
    /** Where the front-end believes the ring to be. */
    private int told = PackedLayout.place(0, true);
    private boolean hasDropped;
    private long dropped;
    private long empty;
    private long nextAdded;
    private long nextPolled;

    private PackedRestartScenario(final int size, final int drops, final long seed)
    {
        this.size = size;
        this.drops = drops;
        features = RingFixture.PACKED | (seed % 2 == 0 ? RingFixture.EVENT : 0);
        random = new Random(seed);
        added = new long[size];
        final Fd fd = MemFd.create("scenario", LENGTH);
        mapping = Mapping.shared(fd.number(), 0, LENGTH, "guest");
        guest = mapping.buffer();
        memory = GuestMemory.map(List.of(new RegionRequest(GUEST, LENGTH, FRONTEND, 0, fd)));
        driver = DriverRing.create(guest, 0, size, GUEST, features);
    }

    /** Runs to the end. @return chains that came back, of those the ones returned with no bytes, and dropped ones. */
    public static long[] run(final int size, final int drops, final long seed, final int restarts)
    {
        final PackedRestartScenario scenario = new PackedRestartScenario(size, drops, seed);
        try
        {
            for (int i = 0; i < restarts; i++)
            {
                scenario.live();
                scenario.away();
            }
            scenario.finish();
            return new long[]{scenario.nextPolled, scenario.empty, scenario.dropped};
        }
        catch (final RuntimeException | AssertionError ex)
        {
            throw new AssertionError(
                "size " + size + ", drops " + drops + ", seed " + seed + ": " + ex.getMessage(), ex);
        }
        finally
        {
            KillSwitch.arm(Long.MAX_VALUE);
            scenario.memory.close();
            scenario.mapping.close();
        }
    }

    /** A device starts, serves for a while and is killed, or stops as it should. */
    private void live()
    {
        KillSwitch.arm(random.nextInt(random.nextInt(4) == 0 ? 4 * size + 8 : 40));
        try
        {
            start();
            for (int turn = random.nextInt(12); turn >= 0; turn--)
            {
                offer();
                work();
                poll();
            }
            if (random.nextInt(10) == 0)
            {
                stop();
            }
        }
        catch (final KillSwitch.Killed death)
        {
            poll();
        }
        KillSwitch.arm(Long.MAX_VALUE);
    }

    private void start()
    {
        held.clear();
        final long shift = FRONTEND - GUEST;
        queue = Virtqueue.open(new RingSetup(0, size, told | told << 16, driver.descriptorAddress() + shift,
            driver.driverAddress() + shift, driver.deviceAddress() + shift, features), memory, counters);
    }

    /** The front-end asks where the ring is. */
    private void stop()
    {
        giveBack(held.size());
        queue.rest();
        expect(queue.base() >>> 16 == (queue.base() & 0xffff), "chains are out");
        told = queue.base() & 0xffff;
    }

    /** Nobody serves: the driver goes on, and the front-end looks at each of its kicks. */
    private void away()
    {
        for (int kicks = random.nextInt(4); kicks >= 0; kicks--)
        {
            drop();
            offer();
            poll();
        }
    }

    private void drop()
    {
        while (drops == ALL_DROPS || drops == ONE_DROP && !hasDropped)
        {
            final boolean wrap = PackedLayout.wrap(told);
            final int at = PackedLayout.index(told) * DescriptorLayout.LENGTH + DescriptorLayout.REST_OFFSET;
            final long rest = guest.getLong(at);
            if ((DescriptorLayout.packedFlags(rest) & LAP_FLAGS) !=
                (wrap ? DescriptorLayout.AVAILABLE : DescriptorLayout.USED))
            {
                return;
            }
            guest.putLong(at, DescriptorLayout.packedRest(0, DescriptorLayout.packedId(rest), wrap ? LAP_FLAGS : 0));
            told = PackedLayout.plus(told, 1, size);
            hasDropped = true;
            dropped++;
        }
    }

    private void offer()
    {
        for (int i = random.nextInt(random.nextInt(8) == 0 ? size + 1 : 4); i > 0; i--)
        {
            final int place = BUFFERS + (int)(nextAdded % PLACES) * 128;
            final int id;
            if (size > 1 && random.nextInt(3) == 0)
            {
                id = driver.addIndirect(GUEST + TABLES + nextAdded % PLACES * 128,
                    new long[]{GUEST + place, GUEST + place + 16}, new int[]{8, 8}, 1, 1);
            }
            else
            {
                id = driver.add(GUEST + place, 8, false);
            }
            if (id >= 0)
            {
                guest.putLong(place, nextAdded);
                added[id] = nextAdded++;
            }
        }
        driver.publish();
    }

    /** Takes some, puts some of them back, keeps some for later, gives some back. */
    private void work()
    {
        final int taken = queue.take(chains, 1 + random.nextInt(BATCH));
        expect(taken >= 0, "the ring is broken by " + queue.brokenBy());
        for (int i = 0; i < taken; i++)
        {
            expect(!chains[i].isMalformed(), "a chain is malformed");
            final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
            chains[i].readable().copyIn(0, bytes, 0, 8);
            final long number = bytes.getLong(0);
            final long before = held.isEmpty() ? nextPolled - 1 : held.peekLast()[0];
            expect(number > before && number < nextAdded, "chain " + number + " was taken after " + before);
            held.add(new long[]{number, chains[i].ticket()});
        }
        final int back = random.nextInt(taken + 1);
        queue.untake(back);
        for (int i = 0; i < back; i++)
        {
            held.removeLast();
        }
        giveBack(random.nextInt(held.size() + 1));
    }

    private void giveBack(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            queue.complete(held.removeFirst()[1], WRITTEN);
        }
        queue.publish();
    }

    private void poll()
    {
        for (int id = driver.poll(); id != DriverRing.NONE; id = driver.poll())
        {
            expect(added[id] == nextPolled, "chain " + added[id] + " came back instead of " + nextPolled);
            expect(driver.usedLength() == 0 || driver.usedLength() == WRITTEN, "of " + driver.usedLength() + " bytes");
            empty += driver.usedLength() == 0 ? 1 : 0;
            nextPolled++;
        }
    }

    private void finish()
    {
        start();
        for (int turn = 0; nextPolled < nextAdded; turn++)
        {
            expect(turn < 100 + 10 * size, nextPolled + " of " + nextAdded + " chains came back");
            work();
            giveBack(held.size());
            poll();
        }
    }

    private static void expect(final boolean isTrue, final String otherwise)
    {
        if (!isTrue)
        {
            throw new AssertionError(otherwise);
        }
    }
}
