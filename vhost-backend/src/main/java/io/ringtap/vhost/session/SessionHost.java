package io.ringtap.vhost.session;

/** What a session needs of the agent that runs it. */
interface SessionHost
{
    /** Calls {@link Session#onTranslations} when there is something to read. */
    void watch(int descriptor);

    /** Before the descriptor is closed. */
    void unwatch(int descriptor);

    /** Any thread: calls {@link Session#onTranslations} soon. */
    void wakeForMisses();
}
