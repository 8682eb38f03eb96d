package io.ringtap.capture;

import io.ringtap.sys.Affinity;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;

/** A recording that runs: queues for the workers, and the recorder's thread. */
public final class Capture implements AutoCloseable
{
    /** A ring holds what a fast guest sends in eight times that. */
    private static final int IDLE_MS = 1;
    /** At most a quarter of a processor that another thread wants as well. */
    private static final int NICE = 5;

    private static final Logger LOG = LoggerFactory.getLogger(Capture.class);

    private final CaptureOptions options;
    private final List<CaptureQueue> queues;
    private final CaptureRecorder recorder;
    private final AgentRunner runner;

    /**
     * Opens the file and starts the recorder.
     *
     * @param port   the port's name.
     * @param queues one a worker, made with the same options.
     * @param busy   processors that the recorder keeps off while there are others: those that workers are bound to.
     * @throws CaptureException when the file cannot be had.
     */
    public Capture(
        final String port, final CaptureOptions options, final List<CaptureQueue> queues, final List<Integer> busy)
    {
        this.options = options;
        this.queues = List.copyOf(queues);
        recorder = new CaptureRecorder(port, options, this.queues);
        runner = new AgentRunner(new SleepingMillisIdleStrategy(IDLE_MS), (error) -> {}, null, recorder);
        AgentRunner.startOnThread(runner, (task) -> daemon(task, busy));
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

    private static Thread daemon(final Runnable task, final List<Integer> busy)
    {
        final Thread thread = new Thread(() ->
        {
            standBack(busy);
            task.run();
        }, "capture");
        thread.setDaemon(true);
        return thread;
    }

    /** Where processors are scarce the frames of guests come first, and the recording misses some. */
    private static void standBack(final List<Integer> busy)
    {
        try
        {
            Syscalls.nice(NICE);
            Affinity.avoid(busy.stream().mapToInt(Integer::intValue).toArray());
        }
        catch (final SyscallException ex)
        {
            // A wish: the recording is as good, and costs the workers more.
            LOG.debug("the recorder does not stand back", ex);
        }
    }
}
