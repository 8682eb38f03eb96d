package io.ringtap.xdp.bpf.helper;

import org.agrona.concurrent.UnsafeBuffer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What programs print, for people: the last lines, and no more of them a second than people read. One for the whole
 * process, as the kernel's trace pipe. Writing allocates nothing.
 */
public final class TraceLog
{
    /** Lines that are kept. */
    public static final int LINES = 1024;
    /** Bytes of one line. */
    public static final int LINE_LENGTH = 256;
    /** Lines a second; what is more is counted. */
    public static final int LINES_PER_SECOND = 1000;

    private static final long SECOND = 1_000_000_000L;
    private static final int PATIENCE = 1000;
    private static final TraceLog SHARED = new TraceLog();

    private final UnsafeBuffer text = new UnsafeBuffer(new byte[LINES * LINE_LENGTH]);
    private final int[] lengths = new int[LINES];
    private final int[] queues = new int[LINES];
    private final long[] times = new long[LINES];
    private final AtomicInteger lock = new AtomicInteger();
    /** Under the lock. */
    private long written;
    private long dropped;
    private long second;
    private int inSecond;

    TraceLog()
    {
    }

    /** The one that helpers write to. */
    public static TraceLog shared()
    {
        return SHARED;
    }

    /**
     * Takes the next line, which nobody else can touch until {@link #end}.
     *
     * @return where in {@link #text()} it is to be written; -1, and the line is counted, when it must not be.
     */
    int begin(final int queue, final long now)
    {
        for (int spins = 0; !lock.compareAndSet(0, 1); spins++)
        {
            if (spins > PATIENCE)
            {
                return -1;
            }
            Thread.yield();
        }
        if (now - second >= SECOND || now < second)
        {
            second = now;
            inSecond = 0;
        }
        if (inSecond >= LINES_PER_SECOND)
        {
            dropped++;
            lock.setRelease(0);
            return -1;
        }
        inSecond++;
        final int line = (int)(written % LINES);
        queues[line] = queue;
        times[line] = now;
        return line * LINE_LENGTH;
    }

    /** The line is written. */
    void end(final int length)
    {
        lengths[(int)(written % LINES)] = length;
        written++;
        lock.setRelease(0);
    }

    UnsafeBuffer text()
    {
        return text;
    }

    /** Lines that were more than the limit a second. */
    public long dropped()
    {
        lock();
        final long count = dropped;
        lock.setRelease(0);
        return count;
    }

    /** Lines ever written: the number of the next one. */
    public long written()
    {
        lock();
        final long count = written;
        lock.setRelease(0);
        return count;
    }

    /** Lines that are still there, from a number on. */
    public List<Line> lines(final long from)
    {
        final List<Line> lines = new ArrayList<>();
        lock();
        try
        {
            for (long i = Math.max(Math.max(0, from), written - LINES); i < written; i++)
            {
                final int line = (int)(i % LINES);
                final byte[] bytes = new byte[lengths[line]];
                text.getBytes(line * LINE_LENGTH, bytes);
                lines.add(new Line(i, times[line], queues[line], new String(bytes, StandardCharsets.UTF_8)));
            }
        }
        finally
        {
            lock.setRelease(0);
        }
        return lines;
    }

    private void lock()
    {
        while (!lock.compareAndSet(0, 1))
        {
            Thread.yield();
        }
    }

    /**
     * One line.
     *
     * @param number counts from 0.
     * @param timeNs CLOCK_MONOTONIC.
     * @param queue  that printed it.
     * @param text   without the line's end.
     */
    public record Line(long number, long timeNs, int queue, String text)
    {
    }
}
