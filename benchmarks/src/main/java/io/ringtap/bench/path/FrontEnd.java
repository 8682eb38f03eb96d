package io.ringtap.bench.path;

/** The guest's side of a vhost-user socket, connected and still until it is started. */
public interface FrontEnd extends AutoCloseable
{
    /** Begins to send or to take frames. */
    void start();

    /** Is still again; packets on the way arrive. */
    void stop();

    /** Packets sent so far, those inside super-frames counted. */
    long sent();

    /** Packets received so far, those inside super-frames counted. */
    long received();

    @Override
    void close();
}
