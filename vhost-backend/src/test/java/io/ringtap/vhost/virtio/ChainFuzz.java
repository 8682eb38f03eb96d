package io.ringtap.vhost.virtio;

import static io.ringtap.vhost.virtio.RingFixture.BUFFERS;
import static io.ringtap.vhost.virtio.RingFixture.GUEST;
import static io.ringtap.vhost.virtio.RingFixture.TABLES;

import io.ringtap.frontend.DriverRing;
import io.ringtap.frontend.SplitDriverRing;
import io.ringtap.vhost.guest.GuestBuffers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Fuzz target: a driver that writes what it likes into a ring, between the steps of the device. Nothing is thrown, and
 * no chain is longer than the limits say. Found by name, run by {@code FuzzIT}.
 */
public final class ChainFuzz
{
    private static final int SIZE = 16;
    private static final int RING = 4096;
    private static final int TABLE_BYTES = 64 * 16;
    private static final int PADDING = 32;
    private static final int MOST_STEPS = 400;
    private static final RingKind[] KINDS = RingKind.values();
    private static final RingFixture[] FIXTURES = new RingFixture[KINDS.length];
    private static final DescriptorChain[] BATCH = DescriptorChain.batch(SIZE);
    private static final UnsafeBuffer SCRATCH = new UnsafeBuffer(new byte[1 << 17]);

    private final RingFixture fixture;
    private final RingKind kind;
    private final DriverRing driver;
    private Virtqueue queue;

    private ChainFuzz(final int index)
    {
        kind = KINDS[index];
        if (null == FIXTURES[index])
        {
            FIXTURES[index] = new RingFixture(SIZE, kind.features);
        }
        fixture = FIXTURES[index];
        fixture.guest.setMemory((int)(TABLES - GUEST), TABLE_BYTES, (byte)0);
        driver = DriverRing.create(fixture.guest, RING, SIZE, GUEST, kind.features);
        open(driver.startBase());
    }

    /** The target. */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        if (data.length > 1)
        {
            final ByteBuffer in = ByteBuffer.wrap(Arrays.copyOf(data, data.length + PADDING));
            final ChainFuzz fuzz = new ChainFuzz(in.get() & KINDS.length - 1);
            for (int i = 0; i < MOST_STEPS && in.position() < data.length; i++)
            {
                fuzz.step(in);
            }
            fuzz.device();
        }
    }

    /** Inputs to begin with: chains as a driver makes them, one of each fault, on every kind of ring. */
    public static List<byte[]> seeds()
    {
        final List<byte[]> seeds = new ArrayList<>();
        for (int kind = 0; kind < KINDS.length; kind++)
        {
            seeds.add(new byte[] {(byte)kind, 8, 0, 100, 8, 1, 40, 9, 10, 8, 0, 60, 9, 11, 10});
            for (int flags = 0; flags < 8; flags++)
            {
                seeds.add(ByteBuffer.allocate(48).put((byte)kind)
                    .put((byte)0).put((byte)0).put((byte)flags).put((byte)1).put((byte)0).putShort((short)64)
                    .put((byte)4).put((byte)0).put((byte)(flags & 3)).put((byte)1).put((byte)1).putShort((short)64)
                    .put((byte)6).put((byte)0).put((byte)0).put((byte)7).put((byte)1).put((byte)10).array());
            }
        }
        return seeds;
    }

    private void step(final ByteBuffer in)
    {
        switch (in.get() & 15)
        {
            case 0, 1, 2, 3 -> descriptor(in, driver.descriptorAddress(), SIZE + 1);
            case 4, 5 -> descriptor(in, TABLES, 64);
            case 6 ->
            {
                final int slot = in.get() & SIZE - 1;
                final int head = in.get() & 0xff;
                if (driver instanceof SplitDriverRing split)
                {
                    split.pokeAvailable(slot, head > 250 ? 0xff00 | head : head % (SIZE + 1));
                }
            }
            case 7 ->
            {
                final int lead = in.get();
                if (driver instanceof SplitDriverRing split)
                {
                    split.pokeAvailableIndex(split.usedIndex() + lead);
                }
            }
            case 8 -> driver.add(BUFFERS + in.get() * 4096L, 1 + (in.get() & 0xff), (in.get() & 1) != 0);
            case 9 -> driver.publish();
            case 11 ->
            {
                queue.arm();
                queue.disarm();
            }
            case 12 -> open(in.getShort() & 0xffff);
            case 13 -> queue.publish();
            case 14 -> fixture.guest.putByte(RING + (in.getShort() & 0x3ff), in.get());
            default -> device();
        }
    }

    private void descriptor(final ByteBuffer in, final long table, final int entries)
    {
        final int index = (in.get() & 0xff) % entries;
        final int flags = in.get() & 0xff;
        final int next = in.get() & 0xff;
        final int what = in.get();
        final int number = in.getShort() & 0xffff;
        // Of the high bits of the flags a packed ring's laps are made.
        final int lap = kind.features >>> NetFeatures.RING_PACKED == 0 ? 0 : (flags & 0x30) == 0x10 ?
            DescriptorLayout.AVAILABLE : (flags & 0x30) == 0x20 ? DescriptorLayout.USED : 0;
        final long address = switch (what & 3)
        {
            case 0 -> BUFFERS + number * 16L;
            case 1 -> TABLES + (number & 63) * 16;
            case 2 -> RingFixture.BORDER - number;
            default -> in.getLong();
        };
        final int length = switch (what >> 2 & 3)
        {
            case 0 -> number & 0x7ff;
            case 1 -> 16 * (number & 31);
            case 2 -> number;
            default -> in.getInt();
        };
        driver.pokeTable(table, index, address, length, flags & 7 | lap,
            next > 250 ? 0xff00 | next : next % (SIZE + 2));
    }

    /** What a worker does, within its limits. */
    private void device()
    {
        final int taken = queue.take(BATCH, SIZE);
        if (taken > SIZE || taken < 0 && taken != Virtqueue.BROKEN)
        {
            throw new IllegalStateException("took " + taken);
        }
        for (int i = 0; i < taken; i++)
        {
            final DescriptorChain chain = BATCH[i];
            int written = 0;
            if (!chain.isMalformed())
            {
                final int length = chain.readable().length();
                if (length > GuestBuffers.MAX_BYTES || length != chain.readable().copyIn(0, SCRATCH, 0, length))
                {
                    throw new IllegalStateException("readable " + length);
                }
                written = chain.writable().copyOut(0, SCRATCH, 0, Math.min(4, chain.writable().length()));
            }
            queue.complete(chain.ticket(), written);
        }
        queue.publish();
        if (taken == Virtqueue.BROKEN)
        {
            open(driver.startBase());
        }
    }

    private void open(final int base)
    {
        try
        {
            queue = Virtqueue.open(RingFixture.setup(driver, base, kind.features), fixture.memory, fixture.counters);
        }
        catch (final RingFaultException refused)
        {
            if (base == driver.startBase())
            {
                throw refused;
            }
        }
    }
}
