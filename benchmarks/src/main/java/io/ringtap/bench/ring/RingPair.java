package io.ringtap.bench.ring;

import io.ringtap.counters.CounterSet;
import io.ringtap.frontend.DriverRing;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.RegionRequest;
import io.ringtap.vhost.virtio.DescriptorChain;
import io.ringtap.vhost.virtio.RingCounter;
import io.ringtap.vhost.virtio.RingSetup;
import io.ringtap.vhost.virtio.Virtqueue;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.List;

/** A driver's and a device's half of one ring over shared memory, and an arena that frames are copied to and from. */
final class RingPair implements AutoCloseable
{
    private static final int SIZE = 1024;
    private static final int LENGTH = 8 << 20;
    private static final int NET_HEADER = 12;
    private static final long GUEST = 0x1_0000_0000L;
    private static final long FRONTEND = 0x7f00_0000_0000L;
    private static final int TABLES = 1 << 20;
    private static final int BUFFERS = 2 << 20;
    /** Of a DPDK mbuf; a power of two would put all frames into the same few cache sets. */
    private static final int BUFFER_STRIDE = 2368;
    private static final int RECEIVE_BUFFER = 1536;
    private static final int ARENA_STRIDE = 1856;
    private static final int ARENA_FRAMES = 128;

    private final Mapping mapping;
    private final Mapping arenaMapping = Mapping.anonymous(ARENA_STRIDE * ARENA_FRAMES, "arena");
    private final UnsafeBuffer arena = arenaMapping.buffer();
    private final GuestMemory memory;
    private final DriverRing driver;
    private final Virtqueue queue;
    private final DescriptorChain[] chains = DescriptorChain.batch(SIZE);
    private final long[] addresses = new long[2];
    private final int[] lengths = new int[2];
    private final ChainShape shape;
    private final int frame;
    private final boolean isCopying;
    private int offered;
    private int copied;
    private long seen;

    RingPair(final long features, final ChainShape shape, final int frame, final boolean isCopying)
    {
        this.shape = shape;
        this.frame = frame;
        this.isCopying = isCopying;
        final Fd fd = MemFd.create("ring-cost", LENGTH);
        mapping = Mapping.shared(fd.number(), 0, LENGTH, "guest");
        final UnsafeBuffer window = mapping.buffer();
        window.setMemory(0, LENGTH, (byte)1);
        memory = GuestMemory.map(List.of(new RegionRequest(GUEST, LENGTH, FRONTEND, 0, fd)));
        driver = DriverRing.create(window, 0, SIZE, GUEST, features);
        final long shift = FRONTEND - GUEST;
        queue = Virtqueue.open(
            new RingSetup(0, SIZE, driver.startBase(), driver.descriptorAddress() + shift,
                driver.driverAddress() + shift, driver.deviceAddress() + shift, features),
            memory, new CounterSet<>("ring", RingCounter.class));
        queue.disarm();
        driver.disarm();
    }

    /** The driver's turn. */
    void offer(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final int place = offered++ % SIZE;
            final long address = GUEST + BUFFERS + (long)place * BUFFER_STRIDE;
            addresses[0] = address;
            addresses[1] = address + 64;
            lengths[0] = NET_HEADER;
            lengths[1] = frame;
            switch (shape)
            {
                case ONE_BUFFER -> driver.add(address, NET_HEADER + frame, false);
                case TWO_BUFFERS -> driver.add(addresses, lengths, 2, 0);
                case TABLE -> driver.addIndirect(GUEST + TABLES + place * 64L, addresses, lengths, 2, 0);
                case RECEIVE -> driver.add(address, RECEIVE_BUFFER, true);
                default -> throw new IllegalStateException(shape.label());
            }
        }
        driver.publish();
    }

    /** The device's turn, which is what is measured. */
    int serve()
    {
        final int taken = queue.take(chains, chains.length);
        final boolean isReceive = shape == ChainShape.RECEIVE;
        final int length = NET_HEADER + frame;
        for (int i = 0; i < taken; i++)
        {
            final int at = copied++ % ARENA_FRAMES * ARENA_STRIDE;
            if (!isCopying)
            {
                seen += chains[i].readable().length();
            }
            else if (isReceive)
            {
                chains[i].writable().copyOut(0, arena, at, length);
            }
            else
            {
                chains[i].readable().copyIn(0, arena, at, length);
            }
        }
        for (int i = 0; i < taken; i++)
        {
            queue.complete(chains[i].ticket(), isReceive ? length : 0);
        }
        queue.publish();
        return taken;
    }

    /** The driver takes back what was used. */
    void collect()
    {
        while (driver.poll() >= 0)
        {
            seen++;
        }
    }

    @Override
    public void close()
    {
        memory.close();
        mapping.close();
        arenaMapping.close();
    }
}
