package io.ringtap.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the end: SIGTERM and SIGINT end the program with exit code 0 and everything closed, a second one at once.
 * <p>
 * Without a handler the JVM would exit with 143, which a supervisor takes for a failure.
 */
final class Termination
{
    private final CountDownLatch end = new CountDownLatch(1);
    private final Runnable first;

    private Termination(final Runnable first)
    {
        this.first = first;
    }

    /** Takes over SIGTERM and SIGINT; where the JVM does not allow it (-Xrs) its own handling stays. */
    static Termination install()
    {
        return install(() -> {});
    }

    /** @param first done by the signal's own thread before anything else. */
    static Termination install(final Runnable first)
    {
        final Termination termination = new Termination(first);
        // Beside the start, which need not wait: a class is made for it that no archive holds.
        final Thread installer = new Thread(() ->
        {
            Signals.handle("TERM", termination::onSignal);
            Signals.handle("INT", termination::onSignal);
        }, "signals");
        installer.setDaemon(true);
        installer.start();
        return termination;
    }

    /** Ends the wait from inside. */
    void signal()
    {
        end.countDown();
    }

    boolean isSignalled()
    {
        return 0 == end.getCount();
    }

    void await() throws InterruptedException
    {
        end.await();
    }

    /** @return true when the end came within the time. */
    boolean await(final long timeoutMs) throws InterruptedException
    {
        return end.await(timeoutMs, TimeUnit.MILLISECONDS);
    }

    private void onSignal()
    {
        if (isSignalled())
        {
            Runtime.getRuntime().halt(Program.FAILED);
        }
        first.run();
        signal();
    }
}
