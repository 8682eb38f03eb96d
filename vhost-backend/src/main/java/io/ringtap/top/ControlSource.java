package io.ringtap.top;

import io.ringtap.vhost.ops.CommandException;
import io.ringtap.vhost.ops.ControlClient;

import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Asks over the control socket, and connects anew when the backend was restarted. */
final class ControlSource implements Source, AutoCloseable
{
    private final Supplier<ControlClient> connector;
    private final Function<String, Map<String, Object>> requests;
    private ControlClient client;

    /** @param requests makes the request of a command, the user's port in it. */
    ControlSource(final Supplier<ControlClient> connector, final Function<String, Map<String, Object>> requests)
    {
        this.connector = connector;
        this.requests = requests;
        client = connector.get();
    }

    @Override
    public Snapshot next()
    {
        try
        {
            client = null == client ? connector.get() : client;
            final Map<String, Object> ports = client.ask(requests.apply("port.show"));
            final Map<String, Object> stats = client.ask(requests.apply("stats"));
            return Snapshot.of(System.nanoTime(), ports, stats);
        }
        catch (final CommandException ex)
        {
            close();
            throw ex;
        }
    }

    @Override
    public void close()
    {
        if (null != client)
        {
            client.close();
            client = null;
        }
    }
}
