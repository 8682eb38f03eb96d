package io.ringtap.frontend;

/** The guest's network card: a queue pair for each pair of rings of a front-end. */
public final class GuestNic implements AutoCloseable
{
    private final GuestQueue[] queues;

    /** Makes the queues and fills the receive rings; the front-end has negotiated and not started yet. */
    GuestNic(final Frontend frontend)
    {
        final GuestLayout layout = new GuestLayout(frontend.config(), frontend.features());
        queues = new GuestQueue[frontend.config().queuePairs()];
        for (int pair = 0; pair < queues.length; pair++)
        {
            queues[pair] = new GuestQueue(
                pair, frontend.ring(2 * pair), frontend.ring(2 * pair + 1), frontend.memory(), layout);
        }
    }

    public int queueCount()
    {
        return queues.length;
    }

    public GuestQueue queue(final int pair)
    {
        return queues[pair];
    }

    @Override
    public void close()
    {
        for (final GuestQueue queue : queues)
        {
            queue.close();
        }
    }
}
