package io.ringtap.capture;

import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

import java.util.List;

/** A recording that runs: queues for the workers, and the recorder's thread. */
public final class Capture implements AutoCloseable
{
    /** A ring holds what a fast guest sends in ten times that. */
    private static final int IDLE_MS = 1;

    private final CaptureOptions options;
    private final List<CaptureQueue> queues;
    private final CaptureRecorder recorder;
    private final AgentRunner runner;

    /**
     * Opens the file and starts the recorder.
     *
     * @param port   the port's name.
     * @param queues one a worker, made with the same options.
     * @throws CaptureException when the file cannot be had.
     */
    public Capture(final String port, final CaptureOptions options, final List<CaptureQueue> queues)
    {
        this.options = options;
        this.queues = List.copyOf(queues);
        recorder = new CaptureRecorder(port, options, this.queues);
        runner = new AgentRunner(new SleepingMillisIdleStrategy(IDLE_MS), (error) -> {}, null, recorder);
        AgentRunner.startOnThread(runner, Capture::daemon);
    }

    public CaptureOptions options()
    {
        return options;
    }

    /** Frames written to the file so far. */
    public long frames()
    {
        return recorder.frames();
    }

    /** Frames that the filter did not want. */
    public long filtered()
    {
        return recorder.filtered();
    }

    /** Frames that were not recorded because the recorder was behind. */
    public long missed()
    {
        long missed = 0;
        for (final CaptureQueue queue : queues)
        {
            missed += queue.counters().get(CaptureCounter.MISSED);
        }
        return missed;
    }

    /** Why the recording ended by itself; null when it did not. */
    public String failure()
    {
        return recorder.failure();
    }

    /** Writes what the queues still hold; workers must have let go of them. */
    @Override
    public void close()
    {
        runner.close();
    }

    private static Thread daemon(final Runnable task)
    {
        final Thread thread = new Thread(task, "capture");
        thread.setDaemon(true);
        return thread;
    }
}
