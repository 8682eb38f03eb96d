package io.ringtap.bench.path;

import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.Side;
import io.ringtap.it.rig.Await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** A back-end and what it is connected to; a counter somewhere on the way tells how much came through. */
public final class PathSide extends Side
{
    private static final Duration RAMP = Duration.ofMillis(300);
    private static final double MILLISECOND_NS = 1e6;

    private final BackEnd backEnd;
    private final List<Runnable> starts = new ArrayList<>();
    private final List<Runnable> stops = new ArrayList<>();
    private final List<AutoCloseable> closing = new ArrayList<>();
    private LongSupplier counter;
    private double scale = 1e-6;
    private double perPacket = 1;

    public PathSide(final String label, final BackEnd backEnd)
    {
        super(label);
        this.backEnd = backEnd;
        starts.add(backEnd::start);
        stops.add(backEnd::stop);
        closing.add(backEnd);
    }

    /** Started after what was named before, stopped and closed before it. */
    public PathSide with(final FrontEnd frontEnd)
    {
        starts.add(frontEnd::start);
        stops.add(0, frontEnd::stop);
        closing.add(0, frontEnd);
        return this;
    }

    /** Something else that works only while this side is measured. */
    public PathSide with(final Runnable start, final Runnable stop)
    {
        starts.add(start);
        stops.add(0, stop);
        return this;
    }

    /** What counts: packets, reported in millions a second. */
    public PathSide counting(final LongSupplier packets)
    {
        counter = packets;
        return this;
    }

    /** What one count is worth in the unit of the row. */
    public PathSide scale(final double ofOne)
    {
        scale = ofOne;
        return this;
    }

    /** Counts in a packet, where something else than packets is counted. */
    public PathSide countsPerPacket(final double counts)
    {
        perPacket = counts;
        return this;
    }

    public BackEnd backEnd()
    {
        return backEnd;
    }

    @Override
    public Sample measure(final double seconds)
    {
        try
        {
            starts.forEach(Runnable::run);
            Await.pause(RAMP);
            // The clock is read before each count: a count that takes a while to be asked for does so both times.
            final long startNs = System.nanoTime();
            final long cpuBeforeMs = backEnd.view().processorTimeMs();
            final long before = counter.getAsLong();
            Await.pause(Duration.ofNanos((long)(seconds * 1e9)));
            final long endNs = System.nanoTime();
            final long cpuMs = backEnd.view().processorTimeMs() - cpuBeforeMs;
            final double count = counter.getAsLong() - before;
            return new Sample(count * scale / ((endNs - startNs) / 1e9), cpuMs * MILLISECOND_NS / (count / perPacket));
        }
        finally
        {
            stops.forEach(Runnable::run);
        }
    }

    @Override
    public void close()
    {
        for (final AutoCloseable each : closing)
        {
            try
            {
                each.close();
            }
            catch (final Exception ex)
            {
                System.err.println("ringtap bench: " + label() + " did not end well: " + ex.getMessage());
            }
        }
    }
}
