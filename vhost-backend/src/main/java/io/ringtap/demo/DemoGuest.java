package io.ringtap.demo;

import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestQueue;
import io.ringtap.frontend.GuestStack;
import io.ringtap.frontend.Pktgen;
import io.ringtap.frontend.PktgenConfig;
import io.ringtap.frontend.Sink;
import io.ringtap.frontend.SinkCounter;
import org.agrona.concurrent.SystemNanoClock;

import java.util.ArrayList;
import java.util.List;

/** The guest of the demonstration, on its own thread: answers pings, and generates or counts frames when told to. */
final class DemoGuest implements Runnable, AutoCloseable
{
    private static final int POLL_LIMIT = 64;
    private static final int SPINS = 2000;
    private static final int BUSY_WAIT_MS = 1;
    private static final int IDLE_WAIT_MS = 50;
    private static final int RING_SIZE = 1024;
    private static final int DRAIN_MS = 300;
    private static final List<SinkCounter> FAULTS = List.of(
        SinkCounter.ALTERED, SinkCounter.BAD_CHECKSUM, SinkCounter.LATE, SinkCounter.DUPLICATES, SinkCounter.STALE);
    private static final int TRANSMIT_BYTES = 2 * 1024 * 1024;

    private final Frontend frontend;
    private final GuestQueue queue;
    private final GuestStack stack;
    private final int flows;
    private final List<String> faults = new ArrayList<>();
    private final Thread thread = new Thread(this, "demo-guest");
    private volatile Pktgen generator;
    private volatile Sink sink;
    private volatile boolean isStopped;

    /**
     * @param way       how the backend is reached.
     * @param addresses who the guest is.
     * @param flows     most flows that are counted.
     */
    DemoGuest(final FrontendConfig way, final GuestAddresses addresses, final int flows)
    {
        frontend = new Frontend(way.ringSize(RING_SIZE).transmitBytes(TRANSMIT_BYTES));
        frontend.connect();
        queue = frontend.nic().queue(0);
        stack = new GuestStack("guest", addresses, queue, GuestStack.NO_PORT);
        this.flows = flows;
        frontend.start();
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run()
    {
        int idle = 0;
        while (!isStopped)
        {
            final Pktgen source = generator;
            final Sink counting = sink;
            int work = queue.poll(null != counting ? counting : stack, POLL_LIMIT);
            if (null != source)
            {
                work += source.doWork();
            }
            queue.flush();
            idle = 0 == work ? idle + 1 : 0;
            if (idle > 0 && (null == source || idle > SPINS))
            {
                queue.await(null == source ? IDLE_WAIT_MS : BUSY_WAIT_MS, null != source);
            }
        }
    }

    /** Lets the guest generate from now on. */
    Pktgen generate(final PktgenConfig config)
    {
        final Pktgen source = new Pktgen(config.conclude(true), queue, SystemNanoClock.INSTANCE, 0, 1);
        generator = source;
        return source;
    }

    /** Ends generating. */
    void rest()
    {
        generator = null;
    }

    /** Counts test frames from now on, instead of answering; begins anew each time. */
    Sink count()
    {
        final Sink fresh = new Sink("guest", flows, true);
        sink = fresh;
        return fresh;
    }

    /** Answers again, and remembers what was wrong with the frames that were counted. */
    void answer() throws InterruptedException
    {
        final Sink counted = sink;
        sink = null;
        Thread.sleep(DRAIN_MS);
        for (final SinkCounter fault : FAULTS)
        {
            final long count = counted.counters().get(fault);
            if (count > 0)
            {
                faults.add(fault.label() + " " + count);
            }
        }
    }

    /** What was wrong with frames that arrived; loss is not, since a blast is meant to overrun somebody. */
    List<String> faults()
    {
        return List.copyOf(faults);
    }

    @Override
    public void close()
    {
        isStopped = true;
        try
        {
            thread.join();
        }
        catch (final InterruptedException ignored)
        {
            Thread.currentThread().interrupt();
        }
        frontend.close();
    }
}
