package io.ringtap.capture;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.OffsetEpochNanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;

/**
 * Takes frames out of the workers' rings and writes them to files. A recording that fails, as on a full disk, ends and
 * says so once; frames go on as if nobody had looked.
 */
final class CaptureRecorder implements Agent, MessageHandler
{
    private static final Logger LOG = LoggerFactory.getLogger(CaptureRecorder.class);
    /** Records of one queue a turn, so that all get theirs. */
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
    private final PacketFilter filter;
    private volatile long frames;
    private volatile long filtered;
    private volatile String failure;

    /** Opens the first file: whoever asked for the recording hears at once that it cannot be. */
    CaptureRecorder(final String port, final CaptureOptions options, final List<CaptureQueue> queues)
    {
        this.port = port;
        this.options = options;
        this.queues = queues;
        filter = null == options.filter() ? null : PacketFilter.parse(options.filter());
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
                work += queue.drain(this, LIMIT);
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
    public void onMessage(final int type, final MutableDirectBuffer buffer, final int index, final int length)
    {
        final int there = length - CaptureLayout.FRAME;
        if (filter != null && 0 == filter.run(
            buffer, index + CaptureLayout.FRAME, there, buffer.getInt(index + CaptureLayout.LENGTH)))
        {
            passedOver++;
        }
        else if (file != null)
        {
            writer.packet(buffer, index, CaptureLayout.FRAME + Math.min(there, options.snapLength()));
        }
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
