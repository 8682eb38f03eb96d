package io.ringtap.vhost.virtio;

import io.ringtap.counters.CounterSet;
import io.ringtap.frontend.DriverRing;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.InflightRegion;
import io.ringtap.vhost.guest.RegionRequest;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;

/**
 * A driver, and one device after another that is killed: chains carry their number, and each has to come back once, in
 * order, whoever serves the ring. Run inside a {@link KillingLoader}.
 */
public final class InflightScenario
{
    private static final int LENGTH = 1 << 17;
    private static final long GUEST = 0x4000_0000L;
    private static final long FRONTEND = 0x7f00_0000_0000L;
    private static final int BUFFERS = 1 << 14;
    private static final int TABLES = 1 << 16;
    private static final int PLACES = 64;
    private static final int TURNS = 24;
    private static final int BATCH = 6;

    private final Random random;
    private final long features;
    private final int size;
    private final Mapping mapping;
    private final GuestMemory memory;
    private final UnsafeBuffer guest;
    private final DriverRing driver;
    private final Fd file;
    private final CounterSet<RingCounter> counters = new CounterSet<>("ring", RingCounter.class);
    private final DescriptorChain[] chains = DescriptorChain.batch(BATCH);
    private final long[] added;
    private InflightRegion region;
    private Virtqueue queue;
    private final ArrayDeque<long[]> held = new ArrayDeque<>();
    private long nextAdded;
    private long nextTaken;
    private long nextPolled;

    private InflightScenario(final int size, final long features, final long seed)
    {
        this.size = size;
        this.features = features;
        random = new Random(seed);
        added = new long[size];
        final Fd fd = MemFd.create("scenario", LENGTH);
        mapping = Mapping.shared(fd.number(), 0, LENGTH, "guest");
        guest = mapping.buffer();
        memory = GuestMemory.map(List.of(new RegionRequest(GUEST, LENGTH, FRONTEND, 0, fd)));
        driver = DriverRing.create(guest, 0, size, GUEST, features);
        file = InflightRegion.file(1, part());
    }

    /**
     * Runs to the end.
     *
     * @param kills stores after which the device is killed, counted from the start and from each kill on.
     * @return stores in all.
     */
    public static long run(final int size, final long features, final long seed, final long... kills)
    {
        final InflightScenario scenario = new InflightScenario(size, features, seed);
        final long before = KillSwitch.stores();
        try
        {
            scenario.play(kills);
            return KillSwitch.stores() - before;
        }
        catch (final RuntimeException | AssertionError ex)
        {
            final StringBuilder where = new StringBuilder();
            for (final long kill : kills)
            {
                where.append(' ').append(kill);
            }
            throw new AssertionError("size " + size + ", features 0x" + Long.toHexString(features) + ", seed " + seed +
                ", kills" + where + ": " + ex.getMessage(), ex);
        }
        finally
        {
            KillSwitch.arm(Long.MAX_VALUE);
            scenario.close();
        }
    }

    private void play(final long[] kills)
    {
        int deaths = 0;
        KillSwitch.arm(kills.length == 0 ? Long.MAX_VALUE : kills[0]);
        int turn = 0;
        boolean isStopped = false;
        while (!isStopped)
        {
            try
            {
                if (queue == null)
                {
                    begin();
                }
                for (; turn < TURNS; turn++)
                {
                    offer();
                    work();
                    poll();
                }
                finish();
                isStopped = true;
            }
            catch (final KillSwitch.Killed death)
            {
                deaths++;
                KillSwitch.arm(deaths < kills.length ? kills[deaths] : Long.MAX_VALUE);
                queue = null;
                region.close();
                poll();
            }
        }
        expect(nextAdded == nextPolled, nextPolled + " of " + nextAdded + " chains came back");
        region.close();
    }

    /** A device starts, told a base that is as wrong as a front-end's guess can be. */
    private void begin()
    {
        region = InflightRegion.map(file, 0, part(), 1, size, part());
        held.clear();
        nextTaken = nextPolled;
        final long shift = FRONTEND - GUEST;
        queue = Virtqueue.open(
            new RingSetup(0, size, driver.startBase(), driver.descriptorAddress() + shift,
                driver.driverAddress() + shift, driver.deviceAddress() + shift, features, region), memory, counters);
    }

    private void offer()
    {
        for (int i = random.nextInt(4); i > 0; i--)
        {
            // a chain is not longer than the ring, in a table neither
            final int readable = Math.min(size, random.nextInt(3));
            final int count = Math.min(size, Math.max(1, readable + random.nextInt(2)));
            final long[] addresses = new long[count];
            final int[] lengths = new int[count];
            final int place = BUFFERS + (int)(nextAdded % PLACES) * 128;
            for (int k = 0; k < count; k++)
            {
                addresses[k] = GUEST + place + 16 * k;
                lengths[k] = 8 + k;
            }
            guest.putLong(place, nextAdded);
            final int id = random.nextInt(4) == 0 ?
                driver.addIndirect(GUEST + TABLES + nextAdded % PLACES * 128, addresses, lengths, readable,
                    count - readable) :
                driver.add(addresses, lengths, readable, count - readable);
            if (id >= 0)
            {
                added[id] = nextAdded++;
            }
        }
        driver.publish();
    }

    /** Takes some, puts some of them back, keeps some for later, gives some back. */
    private void work()
    {
        final int taken = Math.max(0, queue.take(chains, 1 + random.nextInt(BATCH)));
        for (int i = 0; i < taken; i++)
        {
            final DescriptorChain chain = chains[i];
            expect(!chain.isMalformed(), "chain " + nextTaken + " is malformed");
            final boolean isReadable = chain.readable().length() > 0;
            if (isReadable)
            {
                final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
                chain.readable().copyIn(0, bytes, 0, 8);
                expect(bytes.getLong(0) == nextTaken,
                    "chain " + bytes.getLong(0) + " was taken instead of " + nextTaken);
            }
            expect(nextTaken < nextAdded, "chain " + nextTaken + " was never added");
            held.add(new long[]{nextTaken++, chain.ticket(), isReadable ? 1 : 0});
        }
        final int back = random.nextInt(taken + 1);
        queue.untake(back);
        for (int i = 0; i < back; i++)
        {
            held.removeLast();
            nextTaken--;
        }
        giveBack(random.nextInt(held.size() + 1));
    }

    private void giveBack(final int count)
    {
        int left = count;
        while (left > 0)
        {
            int run = 0;
            final long[] tickets = new long[left];
            while (run < left && held.peekFirst()[2] == 1 && random.nextInt(3) > 0)
            {
                tickets[run++] = held.removeFirst()[1];
            }
            if (run > 0)
            {
                queue.completeRead(tickets, run);
                left -= run;
            }
            else
            {
                final long[] chain = held.removeFirst();
                queue.complete(chain[1], chain[2] == 1 ? 0 : (int)(chain[0] % 8));
                left--;
            }
            if (random.nextInt(3) == 0)
            {
                queue.publish();
            }
        }
        queue.publish();
    }

    private void poll()
    {
        for (int id = driver.poll(); id != DriverRing.NONE; id = driver.poll())
        {
            expect(added[id] == nextPolled, "chain " + added[id] + " came back instead of " + nextPolled);
            nextPolled++;
        }
    }

    /** Everything comes back, then the device stops as it should, and a successor finds nothing in the region. */
    private void finish()
    {
        while (nextPolled < nextAdded)
        {
            work();
            giveBack(held.size());
            poll();
        }
        queue.rest();
        final Mapping view = Mapping.shared(file.number(), 0, part(), "region");
        final UnsafeBuffer bytes = view.buffer();
        final boolean isPacked = NetFeatures.has(features, NetFeatures.RING_PACKED);
        for (int i = 0; i < size; i++)
        {
            final int entry = isPacked ? 32 + 32 * i : 16 + 16 * i;
            expect(bytes.getByte(entry) == 0, "entry " + i + " is still in flight");
        }
        expect(bytes.getShort(8) == 0, "the region is still in use");
        view.close();
    }

    private int part()
    {
        return InflightLayout.length(size, NetFeatures.has(features, NetFeatures.RING_PACKED));
    }

    private static void expect(final boolean isTrue, final String otherwise)
    {
        if (!isTrue)
        {
            throw new AssertionError(otherwise);
        }
    }

    private void close()
    {
        memory.close();
        mapping.close();
        file.close();
    }
}
