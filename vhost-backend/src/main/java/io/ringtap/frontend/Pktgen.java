package io.ringtap.frontend;

import org.agrona.concurrent.NanoClock;

/**
 * Generates numbered test frames into one transmit queue. Several generators share the flows of one configuration, each
 * taking every n-th, so that the order inside a flow stays that of one queue.
 */
public final class Pktgen
{
    /** The longest time that a paced generator makes up for after it could not send. */
    private static final long MAX_CATCH_UP_NS = 10_000_000;

    private final FrameWriter out;
    private final NanoClock clock;
    private final FrameTemplate[] templates;
    private final int firstFlow;
    private final int flowStep;
    private final int flowCount;
    private final int sourcePort;
    private final int burst;
    private final int run;
    private final int segments;
    private final double packetsPerNs;
    private final long[] nextSequence;
    private final int[] nextByte;
    private final long total;
    private long sent;
    private long sentFrames;
    private long sentBytes;
    private int flowIndex;
    private int sizeIndex;
    private int leftOfRun;
    private long paceStartNs;
    private double paceSent;
    private boolean hasStarted;

    /**
     * @param config    concluded.
     * @param out       where frames go.
     * @param clock     for the rate.
     * @param index     of this generator.
     * @param ofTotal   how many generators share the configuration.
     */
    public Pktgen(
        final PktgenConfig config, final FrameWriter out, final NanoClock clock, final int index, final int ofTotal)
    {
        this.out = out;
        this.clock = clock;
        final FrameSpec spec = config.spec();
        final int[] sizes = config.sizes();
        templates = new FrameTemplate[sizes.length];
        for (int i = 0; i < sizes.length; i++)
        {
            templates[i] = new FrameTemplate(spec, sizes[i] - spec.headersLength(), config.segments());
            if (templates[i].length() > out.maxFrame())
            {
                throw new IllegalArgumentException(
                    "frame of " + templates[i].length() + " bytes, limit of the queue is " + out.maxFrame());
            }
        }
        firstFlow = index;
        flowStep = ofTotal;
        flowCount = (config.flows() - index + ofTotal - 1) / ofTotal;
        sourcePort = spec.sourcePort();
        burst = config.burst();
        run = config.run();
        segments = config.segments();
        packetsPerNs = config.rate() / ofTotal / 1e9;
        total = 0 == flowCount ? 0 : share(config.count(), index, ofTotal, config.flows());
        nextSequence = new long[Math.max(1, flowCount)];
        nextByte = new int[Math.max(1, flowCount)];
        leftOfRun = run;
    }

    /**
     * Sends up to one burst, as far as rate, count and ring allow.
     *
     * @return frames sent.
     */
    public int doWork()
    {
        final long allowed = Math.min(burst, allowed());
        int frames = 0;
        while (frames < allowed && sendOne())
        {
            frames++;
        }
        if (frames > 0)
        {
            sentFrames += frames;
            out.flush();
        }
        return frames;
    }

    /** Whether the whole count was sent. */
    public boolean isDone()
    {
        return sent >= total;
    }

    /** Whether there is a rate to keep to. */
    public boolean isPaced()
    {
        return 0 != packetsPerNs;
    }

    /** Packets sent, segments of super-frames counted. */
    public long sentPackets()
    {
        return sent;
    }

    /** Frames sent, super-frames as one. */
    public long sentFrames()
    {
        return sentFrames;
    }

    /** Bytes sent, headers of super-frames once. */
    public long sentBytes()
    {
        return sentBytes;
    }

    /** Flows of this generator. */
    public int flowCount()
    {
        return flowCount;
    }

    /** Packets of each flow so far. */
    public long sentOfFlow(final int flow)
    {
        return nextSequence[(flow - firstFlow) / flowStep];
    }

    private boolean sendOne()
    {
        final FrameTemplate template = templates[sizeIndex];
        final int at = out.claim(template.length());
        if (FrameWriter.FULL == at)
        {
            return false;
        }
        final int local = flowIndex;
        final int flow = firstFlow + local * flowStep;
        final long sequence = nextSequence[local];
        template.write(
            out.buffer(), at - out.headerLength(), at, flow, sourcePort + flow, sequence, nextByte[local]);
        nextSequence[local] = sequence + segments;
        nextByte[local] += segments * template.payloadLength();
        out.commit();
        sent += segments;
        sentBytes += template.length();
        advance();
        return true;
    }

    private void advance()
    {
        if (++sizeIndex == templates.length)
        {
            sizeIndex = 0;
        }
        if (--leftOfRun == 0)
        {
            leftOfRun = run;
            if (++flowIndex == flowCount)
            {
                flowIndex = 0;
            }
        }
    }

    private long allowed()
    {
        final long rest = total > sent ? (total - sent - 1) / segments + 1 : 0;
        if (0 == packetsPerNs || rest <= 0)
        {
            return rest;
        }
        final long nowNs = clock.nanoTime();
        if (!hasStarted)
        {
            hasStarted = true;
            paceStartNs = nowNs;
            paceSent = sent;
        }
        final double due = paceSent + (nowNs - paceStartNs) * packetsPerNs;
        final double behind = due - sent;
        final double most = MAX_CATCH_UP_NS * packetsPerNs + segments;
        if (behind > most)
        {
            paceStartNs = nowNs;
            paceSent = sent + most;
        }
        return Math.min(rest, (long)(Math.min(behind, most) / segments));
    }

    /** The part of the count that falls to one generator; generators without a flow send nothing. */
    private static long share(final long count, final int index, final int ofTotal, final int flows)
    {
        if (Long.MAX_VALUE == count)
        {
            return count;
        }
        final int active = Math.min(ofTotal, flows);
        return count / active + (index < count % active ? 1 : 0);
    }
}
