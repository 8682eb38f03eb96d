package io.ringtap.capture;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.OffsetEpochNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;

/**
 * Takes frames out of the workers' rings and writes them to files. A recording that fails, as on a full disk, ends and
 * says so once; frames go on as if nobody had looked.
 */
final class CaptureRecorder implements Agent
{
    private static final Logger LOG = LoggerFactory.getLogger(CaptureRecorder.class);
    /** Frames of one queue a turn, so that all get theirs. */
    private static final int LIMIT = 1024;

    private final String port;
    private final CaptureOptions options;
    private final List<CaptureQueue> queues;
    private final CaptureFiles files;
    private final OffsetEpochNanoClock clock = new OffsetEpochNanoClock();
    private final long startNs = clock.nanoTime();
    private CaptureFile file;
    private PcapngWriter writer;
    private int passedOver;
    /** A block that is cut here before it goes to the file, which happens to those that only the filter saw whole. */
    private final UnsafeBuffer cut;
    private volatile long frames;
    private volatile long filtered;
    private volatile String failure;

    /** Opens the first file: whoever asked for the recording hears at once that it cannot be. */
    CaptureRecorder(final String port, final CaptureOptions options, final List<CaptureQueue> queues)
    {
        this.port = port;
        this.options = options;
        this.queues = queues;
        cut = new UnsafeBuffer(BufferUtil.allocateDirectAligned(
            PacketBlockLayout.blockLength(options.handedLength()), BitUtil.CACHE_LINE_LENGTH));
        files = new CaptureFiles(options);
        open();
    }

    @Override
    public String roleName()
    {
        return "capture";
    }

    @Override
    public int doWork()
    {
        int work = 0;
        try
        {
            for (final CaptureQueue queue : queues)
            {
                work += take(queue.ring());
            }
            if (work > 0 && file != null)
            {
                file.commit();
                frames += work - passedOver;
                filtered += passedOver;
                passedOver = 0;
                if (files.isFull(file.length()))
                {
                    finish();
                    open();
                }
            }
        }
        catch (final RuntimeException | InternalError ex)
        {
            fail(ex);
        }
        return work;
    }

    @Override
    public void onClose()
    {
        while (doWork() > 0)
        {
            // until the rings are empty: workers write no more
        }
        if (file != null)
        {
            try
            {
                finish();
            }
            catch (final RuntimeException | InternalError ex)
            {
                fail(ex);
            }
        }
    }

    /** Frames written. */
    long frames()
    {
        return frames;
    }

    /** Frames that the filter did not want. */
    long filtered()
    {
        return filtered;
    }

    /** Why the recording ended by itself; null when it did not. */
    String failure()
    {
        return failure;
    }

    /** @return frames that were there. */
    private int take(final CaptureRing ring)
    {
        final int readable = ring.readable();
        final int first = ring.index();
        final int end = null == file ? first : first + readable;
        final UnsafeBuffer buffer = ring.buffer();
        int taken = 0;
        int at = first;
        // Blocks that go to the file as they are, in one piece.
        int run = first;
        while (at < end && taken < LIMIT)
        {
            final int next = at + buffer.getInt(at + PacketBlockLayout.LENGTH);
            final boolean isWanted = isWanted(buffer, at);
            final boolean isCut = isWanted && buffer.getInt(at + PacketBlockLayout.CAPTURED) > options.snapLength();
            if (!isWanted || isCut || at - run >= file.room())
            {
                append(buffer, run, at);
                run = isWanted && !isCut ? at : next;
                if (isCut)
                {
                    append(cut, 0, PacketBlockLayout.cut(buffer, at, cut, options.snapLength()));
                }
                passedOver += isWanted ? 0 : 1;
            }
            at = next;
            taken++;
        }
        append(buffer, run, at);
        // Nobody waits for the rest of a recording that failed.
        ring.release(null == file ? readable : at - first);
        return taken;
    }

    private void append(final UnsafeBuffer from, final int start, final int end)
    {
        if (end > start)
        {
            file.append(from, start, end - start);
        }
    }

    private boolean isWanted(final UnsafeBuffer buffer, final int at)
    {
        return null == options.filter() || options.filter().wants(
            buffer, at + PacketBlockLayout.FRAME, buffer.getInt(at + PacketBlockLayout.CAPTURED),
            buffer.getInt(at + PacketBlockLayout.FRAME_LENGTH), PacketBlockLayout.direction(buffer, at),
            PacketBlockLayout.queue(buffer, at));
    }

    private void open()
    {
        file = files.next();
        writer = new PcapngWriter(file);
        writer.section(application(), "frames as they arrived, before any hook; from the guest is inbound");
        writer.port(port, "virtio-net guest on " + port, options.snapLength());
        file.commit();
    }

    private void finish()
    {
        long captured = 0;
        long missed = 0;
        for (final CaptureQueue queue : queues)
        {
            captured += queue.counters().get(CaptureCounter.CAPTURED);
            missed += queue.counters().get(CaptureCounter.MISSED);
        }
        writer.statistics(startNs, clock.nanoTime(), captured + missed, missed);
        final CaptureFile finished = file;
        file = null;
        finished.close();
    }

    private void fail(final Throwable cause)
    {
        final CaptureFile broken = file;
        file = null;
        failure = cause instanceof CaptureException ? cause.getMessage() : cause.toString();
        LOG.error("the recording of {} ended after {} frames: {}", port, frames, failure);
        if (broken != null)
        {
            try
            {
                broken.close();
            }
            catch (final RuntimeException | InternalError ex)
            {
                LOG.debug("closing {}", broken.path(), ex);
            }
        }
    }

    private static String application()
    {
        final String version = CaptureRecorder.class.getPackage().getImplementationVersion();
        return version == null ? "ringtap" : "ringtap " + version;
    }
}
