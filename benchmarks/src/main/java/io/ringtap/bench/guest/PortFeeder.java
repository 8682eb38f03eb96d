package io.ringtap.bench.guest;

import com.sun.management.OperatingSystemMXBean;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.FragStrategy;
import io.ringtap.frag.PageArena;
import io.ringtap.port.PacketOptions;
import io.ringtap.port.PacketRingPort;
import io.ringtap.port.PortCounter;
import io.ringtap.port.PortQueue;
import io.ringtap.sys.Affinity;

import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * A worker without a guest: hands the same batch to a port of packet rings over and over and says how fast that went,
 * as the loops in C do. So the port is measured alone, and with a doorbell there is a CPU for its thread.
 */
public final class PortFeeder
{
    private static final int BATCH = 64;
    private static final int SLOT = 512;
    private static final int PAGES = 64;
    private static final int ETHERNET = 14;
    private static final double WARM_UP_SECONDS = 1.5;
    private static final double NANOS = 1e9;
    private static final int ROUNDS_PER_LOOK = 16;

    private final PortQueue queue;
    private final FrameBatch batch;

    private PortFeeder(final PortQueue queue, final FrameBatch batch)
    {
        this.queue = queue;
        this.batch = batch;
    }

    public static void main(final String[] args)
    {
        final GuestOptions words = new GuestOptions(Arrays.asList(args));
        final PacketOptions options = new PacketOptions()
            .name(words.text("device", null))
            .flushThreshold(words.number("flush", BATCH))
            .doorbell(words.isOn("doorbell"));
        final PageArena arena = new PageArena(PAGES);
        final FragAllocator fragments = FragStrategy.PER_QUEUE.create(arena);
        // Opened before this thread is pinned, so that the doorbell's thread may run elsewhere.
        try (PacketRingPort port = PacketRingPort.open(options, arena.buffer(), (queue) -> fragments))
        {
            Affinity.pin(words.number("cpu", 0));
            final FrameBatch batch = new FrameBatch(arena.buffer(), BATCH, BATCH);
            fill(batch, fragments, words.number("size", 64));
            final PortFeeder feeder = new PortFeeder(port.queue(0), batch);
            feeder.feed(WARM_UP_SECONDS);
            feeder.report(Double.parseDouble(words.text("seconds", "1")));
        }
    }

    private static void fill(final FrameBatch batch, final FragAllocator fragments, final int length)
    {
        for (int i = 0; i < BATCH; i++)
        {
            final int slot = fragments.allocate(SLOT);
            final int frame = slot + FrameLayout.HEADROOM;
            batch.arena().setMemory(slot, SLOT, (byte)0);
            // To a MAC address that nobody has: 02:00:00:00:00:77.
            batch.arena().putByte(frame, (byte)2);
            batch.arena().putByte(frame + 5, (byte)0x77);
            batch.arena().putByte(frame + 6, (byte)2);
            batch.arena().putByte(frame + 12, (byte)8);
            batch.arena().putByte(frame + ETHERNET, (byte)0x45);
            batch.add(slot, SLOT, frame, length, 0);
        }
    }

    private void feed(final double seconds)
    {
        final long endNs = System.nanoTime() + (long)(seconds * NANOS);
        while (System.nanoTime() < endNs)
        {
            for (int i = 0; i < ROUNDS_PER_LOOK; i++)
            {
                batch.sent(0);
                while (!batch.isDrained())
                {
                    queue.transmit(batch);
                    queue.flush();
                }
            }
        }
    }

    private void report(final double seconds)
    {
        final OperatingSystemMXBean process = (OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
        final long cpuNs = process.getProcessCpuTime();
        final long startNs = System.nanoTime();
        final long before = queue.counters().get(PortCounter.TX_FRAMES);
        final long callsBefore = queue.counters().get(PortCounter.TX_CALLS);
        final long rungBefore = queue.counters().get(PortCounter.DOORBELL_RUNG);
        feed(seconds);
        System.out.println("{\"mode\":\"feeder\",\"packets\":" +
            (queue.counters().get(PortCounter.TX_FRAMES) - before) + ",\"bytes\":0,\"errors\":0,\"calls\":" +
            (queue.counters().get(PortCounter.TX_CALLS) - callsBefore) + ",\"rung\":" +
            (queue.counters().get(PortCounter.DOORBELL_RUNG) - rungBefore) + ",\"seconds\":" +
            (System.nanoTime() - startNs) / NANOS + ",\"cpuSeconds\":" +
            (process.getProcessCpuTime() - cpuNs) / NANOS + "}");
    }
}
