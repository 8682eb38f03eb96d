package io.ringtap.vhost.ops;

import io.ringtap.capture.Capture;
import io.ringtap.capture.CaptureException;
import io.ringtap.capture.CaptureOptions;
import io.ringtap.capture.CaptureQueue;
import io.ringtap.vhost.dataplane.QueuePairWorker;
import io.ringtap.xdp.XdpVerdict;

import java.util.ArrayList;
import java.util.List;

/** The recording of one NIC: begun and ended while frames flow, one at a time. */
public final class NicCapture implements AutoCloseable
{
    private final String port;
    private final List<QueuePairWorker> workers;
    private final List<Integer> busy;
    private Capture running;

    /**
     * @param port the port's name, which the file carries.
     * @param busy processors that workers are bound to.
     */
    public NicCapture(final String port, final List<QueuePairWorker> workers, final List<Integer> busy)
    {
        this.port = port;
        this.workers = List.copyOf(workers);
        this.busy = List.copyOf(busy);
    }

    /**
     * Begins; the file is there when this returns.
     *
     * @throws CaptureException when one runs already, or the file cannot be had.
     */
    public synchronized void start(final CaptureOptions options)
    {
        if (running != null && running.failure() == null)
        {
            throw new CaptureException(
                options.file().toString(), port + " is being recorded already", "end that recording first", null);
        }
        close();
        final List<CaptureQueue> queues = new ArrayList<>();
        for (int i = 0; i < workers.size(); i++)
        {
            queues.add(new CaptureQueue(i, options, XdpVerdict.PASS));
        }
        running = new Capture(port, options, queues, busy);
        for (int i = 0; i < queues.size(); i++)
        {
            workers.get(i).capture(queues.get(i));
        }
    }

    /** What is being recorded, or was until it failed; null when nothing is. */
    public synchronized Capture running()
    {
        return running;
    }

    /** Ends the recording: the file is complete when this returns. */
    @Override
    public synchronized void close()
    {
        if (running != null)
        {
            try
            {
                for (final QueuePairWorker worker : workers)
                {
                    worker.capture(null);
                }
            }
            finally
            {
                running.close();
                running = null;
            }
        }
    }
}
