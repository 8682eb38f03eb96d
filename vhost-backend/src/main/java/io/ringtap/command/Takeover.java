package io.ringtap.command;

import io.ringtap.BackendConfigBuilder;
import io.ringtap.ConfigException;
import io.ringtap.sys.FdList;
import io.ringtap.vhost.ops.CommandException;
import io.ringtap.vhost.ops.ControlClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Goes on with the NIC of a running backend: it is asked over its control socket, stops, and hands over the TAP and the
 * socket that the front-end connects to. Where nobody answers there is nothing to take over, and we start as usual.
 */
final class Takeover
{
    static final String SOCKET = "socket";
    static final String QUEUES = "queues";
    static final String TAPS = "taps";

    private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);

    private Takeover()
    {
    }

    /**
     * Asks the backend on {@code controlPath}, and puts what it gives into the configuration.
     *
     * @throws ConfigException when it refuses, or serves something else; it goes on then.
     */
    static void from(
        final String controlPath, final String socketPath, final int queues, final BackendConfigBuilder config)
    {
        final ControlClient client;
        try
        {
            client = ControlClient.connect(controlPath);
        }
        catch (final CommandException ex)
        {
            LOG.info("nothing to take over: {}", ex.getMessage());
            return;
        }
        final FdList descriptors = new FdList();
        try (client)
        {
            check(client, socketPath, queues);
            final Map<String, Object> answer = client.ask(Map.of("command", "takeover"), descriptors);
            final int taps = ((Number)answer.get(TAPS)).intValue();
            if (1 + taps != descriptors.size())
            {
                throw new ConfigException("--takeover", descriptors.size() + " descriptors came instead of " +
                    (1 + taps), "start without it");
            }
            config.listener(descriptors.take(0).release());
            final List<Integer> numbers = new ArrayList<>();
            for (int i = 0; i < taps; i++)
            {
                numbers.add(descriptors.take(1 + i).release());
            }
            if (!numbers.isEmpty())
            {
                config.tapFds(numbers);
            }
            client.awaitEnd();
            LOG.info("took over {}", socketPath);
        }
        catch (final CommandException ex)
        {
            throw new ConfigException("--takeover", ex.getMessage(), "restart the backend instead");
        }
        finally
        {
            descriptors.closeAll();
        }
    }

    /** Before anything stops: that it is our NIC. */
    private static void check(final ControlClient client, final String socketPath, final int queues)
    {
        final Map<String, Object> states = client.ask(Map.of("command", "port.states"));
        final List<?> ports = (List<?>)states.get("ports");
        final Map<?, ?> only = 1 == ports.size() ? (Map<?, ?>)ports.get(0) : Map.of();
        if (!socketPath.equals(only.get(SOCKET)))
        {
            throw new ConfigException("--takeover", "the running backend serves " +
                (1 == ports.size() ? only.get(SOCKET) : ports.size() + " NICs") + ", not " + socketPath,
                "give the options it was started with");
        }
        if (!Integer.valueOf(queues).equals(((Number)only.get(QUEUES)).intValue()))
        {
            throw new ConfigException("--takeover", "the running backend has " + only.get(QUEUES) +
                " queue pairs, not " + queues, "give the same --queues");
        }
    }
}
