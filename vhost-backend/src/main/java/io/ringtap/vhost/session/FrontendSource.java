package io.ringtap.vhost.session;

import io.ringtap.sys.Fd;

/** Where front-ends come from. Nothing here waits; used by the session's agent alone. */
public sealed interface FrontendSource extends AutoCloseable
    permits FrontendListener, FrontendConnector, AdoptedFrontend
{
    /** {@link #delayNs} of a source that need not be polled by time. */
    long NEVER = Long.MAX_VALUE;

    /** No descriptor to wait for: the source is polled by time. */
    int NO_DESCRIPTOR = -1;

    /** What becomes readable when a front-end is there, or {@link #NO_DESCRIPTOR}. */
    int pollNumber();

    /** Nanoseconds until the source wants to be polled, 0 for now, {@link #NEVER}. Its descriptor rests meanwhile. */
    long delayNs(long nowNs);

    /** The next front-end, a non-blocking stream that the caller owns; null when none is there. */
    Fd poll(long nowNs);

    /**
     * The front-end last given is gone.
     *
     * @param wasUseful it had said something, so the next one is likely to be worth the trouble at once.
     */
    void onDisconnected(long nowNs, boolean wasUseful);

    /** No front-end will ever come again. */
    boolean isExhausted();

    /** Any thread: whether the source wants to be polled because something happened to it that no descriptor tells. */
    default boolean look()
    {
        return false;
    }

    /** How many front-ends a second may come, 0 for any number; of use to those that do not have to be sought. */
    default void sessionRate(final int perSecond)
    {
        // Whoever connects by itself keeps its pauses.
    }

    /** Front-ends that had to wait because others had come too fast, since the last call. */
    default int takeRests()
    {
        return 0;
    }

    /** Failures to get a front-end since the last call: descriptors that ran out, connections refused. */
    int takeFailures();

    @Override
    void close();
}
