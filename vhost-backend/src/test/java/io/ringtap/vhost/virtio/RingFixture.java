package io.ringtap.vhost.virtio;

import io.ringtap.counters.CounterSet;
import io.ringtap.frontend.DriverRing;
import io.ringtap.frontend.PackedDriverRing;
import io.ringtap.frontend.SplitDriverRing;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.RegionRequest;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A driver and a device over the same shared memory, mapped twice as in real life: two regions that touch in guest
 * addresses, the rings at the beginning of the first.
 */
final class RingFixture implements AutoCloseable
{
    static final long GUEST = 0x1_0000_0000L;
    static final long FRONTEND = 0x7f12_0000_0000L;
    static final int LENGTH = 8 << 20;
    /** Guest address where the second region begins. */
    static final long BORDER = GUEST + LENGTH / 2;
    /** Guest address of memory for tables, and of memory for buffers. */
    static final long TABLES = GUEST + (1 << 20);
    static final long BUFFERS = GUEST + (2 << 20);
    static final long BASIC = NetFeatures.bit(NetFeatures.VERSION_1) | NetFeatures.bit(NetFeatures.INDIRECT_DESC);
    static final long EVENT = BASIC | NetFeatures.bit(NetFeatures.EVENT_IDX);
    static final long PACKED = BASIC | NetFeatures.bit(NetFeatures.RING_PACKED);

    final UnsafeBuffer guest;
    final GuestMemory memory;
    final CounterSet<RingCounter> counters = new CounterSet<>("ring 0", RingCounter.class);
    final DriverRing driver;
    final Virtqueue queue;
    final DescriptorChain chain = new DescriptorChain();
    private final Mapping guestMapping;
    private final long[] countersBefore = new long[RingCounter.values().length];

    RingFixture(final int size, final long features)
    {
        this(size, features, 0);
    }

    /** @param start both indexes of a split ring. */
    RingFixture(final int size, final long features, final int start)
    {
        final Fd fd = MemFd.create("ring-fixture", LENGTH);
        guestMapping = Mapping.shared(fd.number(), 0, LENGTH, "guest");
        guest = guestMapping.buffer();
        memory = map(fd);
        driver = DriverRing.create(guest, 4096, size, GUEST, features);
        if (driver instanceof SplitDriverRing split && start != 0)
        {
            split.startAt(start);
        }
        queue = Virtqueue.open(setup(driver, start == 0 ? driver.startBase() : start, features), memory, counters);
    }

    static RingSetup setup(final DriverRing driver, final int base, final long features)
    {
        final long shift = FRONTEND - GUEST;
        return new RingSetup(0, driver.size(), base, driver.descriptorAddress() + shift,
            driver.driverAddress() + shift, driver.deviceAddress() + shift, features);
    }

    static GuestMemory map(final Fd fd)
    {
        final Fd again = Fd.of(Syscalls.dup(fd.number()).release());
        return GuestMemory.map(List.of(
            new RegionRequest(GUEST, LENGTH / 2, FRONTEND, 0, fd),
            new RegionRequest(BORDER, LENGTH / 2, FRONTEND + 4L * LENGTH, LENGTH / 2, again)));
    }

    SplitDriverRing split()
    {
        return (SplitDriverRing)driver;
    }

    PackedDriverRing packed()
    {
        return (PackedDriverRing)driver;
    }

    int at(final long guestAddress)
    {
        return (int)(guestAddress - GUEST);
    }

    /** From here on {@link #counted} counts. */
    void mark()
    {
        for (final RingCounter counter : RingCounter.values())
        {
            countersBefore[counter.ordinal()] = counters.get(counter);
        }
    }

    /** Asserts that this fault, and no other, was counted once since {@link #mark}. */
    void assertOnlyFault(final RingCounter expected)
    {
        for (final RingCounter counter : RingCounter.values())
        {
            if (counter.ordinal() >= RingCounter.BUFFER_STRADDLES.ordinal())
            {
                assertEquals(counter == expected ? 1 : 0, counted(counter), counter.label());
            }
        }
    }

    long counted(final RingCounter counter)
    {
        return counters.get(counter) - countersBefore[counter.ordinal()];
    }

    /** Takes one chain and gives it back with a length; the driver must get it. */
    void turn(final int expectedId, final int length)
    {
        assertEquals(Virtqueue.TAKEN, queue.take(chain));
        queue.complete(chain.ticket(), length);
        queue.publish();
        assertEquals(expectedId, driver.poll());
        assertEquals(length, driver.usedLength());
    }

    byte[] read(final DescriptorChain from)
    {
        final byte[] bytes = new byte[from.readable().length()];
        assertEquals(bytes.length, from.readable().copyIn(0, new UnsafeBuffer(bytes), 0, bytes.length));
        return bytes;
    }

    int write(final DescriptorChain to, final byte[] bytes)
    {
        final UnsafeBuffer scratch = Memory.scratch(Math.max(1, bytes.length));
        scratch.putBytes(0, bytes);
        return to.writable().copyOut(0, scratch, 0, bytes.length);
    }

    @Override
    public void close()
    {
        memory.close();
        guestMapping.close();
    }
}
