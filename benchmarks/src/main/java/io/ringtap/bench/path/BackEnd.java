package io.ringtap.bench.path;

import io.ringtap.it.rig.ProcessView;

import java.nio.file.Path;

/** What serves a vhost-user socket. */
public interface BackEnd extends AutoCloseable
{
    Path socket();

    ProcessView view();

    /** Begins to work; one that sleeps by itself when there is nothing to do has nothing to begin. */
    void start();

    /** Costs nothing again. */
    void stop();

    @Override
    void close();
}
