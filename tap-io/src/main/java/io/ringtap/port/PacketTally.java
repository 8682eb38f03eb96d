package io.ringtap.port;

import io.ringtap.counters.CounterSet;

/** Carries what rings and doorbells count by themselves over to a queue's counters. Used by the queue's worker. */
final class PacketTally
{
    private final CounterSet<PortCounter> counters;
    private long calls;
    private long unsentBytes;
    private long rung;
    private long flushes;
    private long lingers;

    PacketTally(final CounterSet<PortCounter> counters)
    {
        this.counters = counters;
    }

    /** The next ring is a new one. */
    void restart()
    {
        calls = 0;
        unsentBytes = 0;
    }

    /**
     * Counts what the kernel has taken; with a doorbell what was handed to it, since nobody would count the last frames
     * of a burst otherwise. Of those that it gives back as many are not counted later.
     *
     * @param doorbell null for none.
     */
    void count(final TransmitRing ring, final Doorbell doorbell)
    {
        final long end = null == doorbell ? ring.taken() : ring.published();
        long frames = 0;
        long packets = 0;
        long bytes = 0;
        for (int slot = ring.nextUncounted(end); slot >= 0; slot = ring.nextUncounted(end))
        {
            frames++;
            packets += ring.packets(slot);
            bytes += ring.length(slot);
        }
        counters.add(PortCounter.TX_FRAMES, frames);
        counters.add(PortCounter.TX_PACKETS, packets);
        counters.add(PortCounter.TX_BYTES, bytes);
        calls = add(PortCounter.TX_CALLS, calls, ring.calls());
        unsentBytes = add(PortCounter.TX_UNSENT_BYTES, unsentBytes, ring.unsentBytes());
        if (null != doorbell)
        {
            rung = add(PortCounter.DOORBELL_RUNG, rung, doorbell.rung());
            flushes = add(PortCounter.DOORBELL_FLUSHES, flushes, doorbell.flushes());
            lingers = add(PortCounter.DOORBELL_LINGERS, lingers, doorbell.lingers());
        }
    }

    private long add(final PortCounter counter, final long before, final long now)
    {
        counters.add(counter, now - before);
        return now;
    }
}
