package io.ringtap.vhost.dataplane;

/** A duty cycle that somebody else looks after; any thread may ask. */
public interface Watched
{
    /** What it is called. */
    String roleName();

    /** Changes with every cycle. */
    long cycles();

    /** It waits for work, so it need not move. */
    boolean isAsleep();

    /** Frees it from descriptors of a front-end that make it wait; harmless when none does. */
    void unblock();
}
