package io.ringtap;

import io.ringtap.sandbox.Door;
import io.ringtap.vhost.dataplane.NicExchange;
import io.ringtap.vhost.ops.Nic;
import io.ringtap.vhost.ops.NicDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The NICs of a process: started together, then added, replaced and removed one by one without the others noticing.
 * <p>
 * A NIC that does not start is tried again, after one second at first and every thirty at last, while the others serve;
 * only when none starts at all the process has nothing to do and gives up. Changes come one at a time, by any thread.
 */
public final class Fleet implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(Fleet.class);
    private static final long RETRY_LOOK_MS = 250;

    private final ProcessConfig process;
    private final NicDirectory nics;
    private final WorkerPool pool;
    private final NicExchange exchange = new NicExchange();
    private final Map<String, FleetPort> ports = new LinkedHashMap<>();
    private Thread retrier;
    private boolean isClosed;
    private Runnable onEnd = () -> {};
    private Set<Door> open = EnumSet.allOf(Door.class);

    private Fleet(final ProcessConfig process, final NicDirectory nics)
    {
        this.process = process;
        this.nics = nics;
        pool = new WorkerPool(process);
    }

    /**
     * Starts every NIC.
     *
     * @param nics where commands find them as they come and go.
     * @throws RuntimeException of the first NIC when none started; nothing is left open then.
     */
    public static Fleet launch(final FleetConfig config, final NicDirectory nics)
    {
        final Fleet fleet = new Fleet(config.process(), nics);
        try
        {
            fleet.startAll(config.ports());
            return fleet;
        }
        catch (final RuntimeException ex)
        {
            fleet.close();
            throw ex;
        }
    }

    /** Called once when every NIC has ended by itself. */
    public synchronized void onEnd(final Runnable action)
    {
        onEnd = action;
    }

    /** Called once the process is shut in. @param left what NICs that come later may still need of the kernel. */
    public synchronized void confined(final Set<Door> left)
    {
        open = left;
    }

    public ProcessConfig process()
    {
        return process;
    }

    /** What there is now, in the order of the file. */
    public synchronized List<PortStatus> status()
    {
        final List<PortStatus> all = new ArrayList<>();
        for (final FleetPort port : ports.values())
        {
            all.add(new PortStatus(port.commonName(), port.state(), port.config(), port.backend(), port.failure()));
        }
        return all;
    }

    /**
     * Whether everything that serves still runs. Does not return when a worker hangs: who asks is to be missed then.
     */
    public boolean isResponsive()
    {
        final List<Backend> serving = new ArrayList<>();
        status().stream().filter((port) -> null != port.backend()).forEach((port) -> serving.add(port.backend()));
        // Without the lock, which a hanging worker must not keep from others. One closed meanwhile is no fault.
        return serving.stream().allMatch((each) -> each.isResponsive() ||
            status().stream().noneMatch((port) -> port.backend() == each));
    }

    /**
     * Makes the NICs what the configuration says: those that are equal go on untouched, those that differ start anew.
     *
     * @return what was done, in one line.
     * @throws FleetException when something in it cannot be changed at run time; nothing has changed then.
     */
    public synchronized String reload(final FleetConfig next)
    {
        FleetChange.check(process, open, configs(), next);
        final List<String> gone = new ArrayList<>();
        final List<String> changed = new ArrayList<>();
        for (final FleetPort port : List.copyOf(ports.values()))
        {
            final BackendConfig wanted = next.ports().get(port.name());
            if (!port.config().equals(wanted))
            {
                (null == wanted ? gone : changed).add(port.name());
                stop(port);
                ports.remove(port.name());
            }
        }
        final List<String> fresh = new ArrayList<>();
        final int kept = ports.size();
        next.ports().forEach((name, config) ->
        {
            if (!ports.containsKey(name))
            {
                if (!changed.contains(name))
                {
                    fresh.add(name);
                }
                start(new FleetPort(name, config));
            }
        });
        return kept + " unchanged, restarted " + changed + ", new " + fresh + ", gone " + gone;
    }

    /**
     * Starts one more NIC.
     *
     * @throws RuntimeException when it does not start; it is not kept then.
     */
    public synchronized void add(final String name, final BackendConfig config)
    {
        if (isClosed)
        {
            throw new IllegalStateException("the process ends");
        }
        FleetChange.checkNew(name, config, open, configs());
        final FleetPort port = new FleetPort(name, config);
        final RuntimeException failure = begin(port);
        if (null != failure)
        {
            throw failure;
        }
        ports.put(name, port);
        LOG.info("port {}: {} added", name, port.backend().port().name());
    }

    /** @throws FleetException when there is none of that name. */
    public synchronized void remove(final String name)
    {
        final FleetPort port = ports.values().stream()
            .filter((each) -> each.commonName().equals(name)).findFirst()
            .orElseThrow(() -> FleetChange.unknown(
                name, ports.values().stream().map(FleetPort::commonName).toList()));
        stop(port);
        ports.remove(port.name());
        LOG.info("port {} removed", name);
    }

    /**
     * Stops the only NIC and hands over what its successor needs.
     *
     * @throws RuntimeException when that cannot be: everything goes on then.
     */
    public synchronized Handover handOver()
    {
        final FleetPort port = ports.get(FleetConfig.LONE);
        if (null == port || null == port.backend())
        {
            throw new ConfigException("--takeover", "the backend serves NICs of a file", "restart it instead");
        }
        final Nic nic = port.nic();
        final Handover handover = port.backend().handOver();
        nics.remove(nic);
        ports.remove(port.name());
        LOG.info("{} is handed over", port.name());
        return handover;
    }

    @Override
    public void close()
    {
        synchronized (this)
        {
            isClosed = true;
            ports.values().forEach(this::stop);
            ports.clear();
            notifyAll();
        }
        pool.close();
    }

    /** A lone NIC's failure is the process's: it is thrown and not logged. */
    private synchronized void startAll(final Map<String, BackendConfig> configs)
    {
        RuntimeException first = null;
        boolean isServing = false;
        for (final Map.Entry<String, BackendConfig> each : configs.entrySet())
        {
            final FleetPort port = new FleetPort(each.getKey(), each.getValue());
            ports.put(port.name(), port);
            final RuntimeException failure = begin(port);
            isServing |= null == failure;
            first = null == first ? failure : first;
        }
        if (!isServing && null != first)
        {
            throw first;
        }
        for (final FleetPort port : ports.values())
        {
            if (PortState.FAILED == port.state())
            {
                tryAgain(port);
            }
        }
    }

    private void start(final FleetPort port)
    {
        ports.put(port.name(), port);
        if (null != begin(port))
        {
            tryAgain(port);
        }
    }

    /** @return what went wrong; null when it serves. */
    private RuntimeException begin(final FleetPort port)
    {
        final RuntimeException failure = port.start(pool, exchange, () -> ended(port), (why) -> died(port, why));
        if (null == failure)
        {
            nics.add(port.nic());
        }
        return failure;
    }

    /** Commands lose sight of it first. */
    private void stop(final FleetPort port)
    {
        if (null != port.nic())
        {
            nics.remove(port.nic());
        }
        nics.miss(port.commonName(), false);
        port.close();
    }

    private void tryAgain(final FleetPort port)
    {
        nics.miss(port.commonName(), true);
        LOG.error("port {} does not serve and is tried again: {}", port.name(), port.failure());
        if (null == retrier)
        {
            retrier = new Thread(this::retry, "ringtap/retry");
            retrier.setDaemon(true);
            retrier.start();
        }
    }

    /** Lives while there is something to try again. */
    private synchronized void retry()
    {
        while (!isClosed && ports.values().stream().anyMatch((port) -> PortState.FAILED == port.state()))
        {
            ports.values().forEach(this::retry);
            try
            {
                TimeUnit.MILLISECONDS.timedWait(this, RETRY_LOOK_MS);
            }
            catch (final InterruptedException ex)
            {
                break;
            }
        }
        retrier = null;
    }

    private void retry(final FleetPort port)
    {
        if (!port.isDue(System.nanoTime()))
        {
            return;
        }
        if (null == begin(port))
        {
            LOG.warn("port {} serves now", port.name());
        }
        else if (port.isNews())
        {
            LOG.error("port {} still does not start: {}", port.name(), port.failure());
        }
    }

    /** On the session's thread, which cannot wait for its own end: the rest is done by another. */
    private void ended(final FleetPort port)
    {
        new Thread(() -> close(port), "ringtap/end").start();
    }

    /** On a thread of the NIC, which cannot wait for its own end: the rest is done by another. */
    private void died(final FleetPort port, final String why)
    {
        final Backend backend = port.backend();
        new Thread(() -> revive(port, backend, why), "ringtap/revive").start();
    }

    private synchronized void revive(final FleetPort port, final Backend dead, final String why)
    {
        if (!isClosed && ports.get(port.name()) == port && null != dead && port.backend() == dead)
        {
            stop(port);
            port.died(why);
            tryAgain(port);
        }
    }

    private void close(final FleetPort port)
    {
        final Runnable action;
        synchronized (this)
        {
            if (ports.get(port.name()) != port)
            {
                return;
            }
            stop(port);
            port.end();
            LOG.info("port {} ended: {}", port.name(), port.failure());
            final Collection<FleetPort> all = ports.values();
            action = all.stream().allMatch((each) -> PortState.ENDED == each.state()) ? onEnd : () -> {};
        }
        action.run();
    }

    private Map<String, BackendConfig> configs()
    {
        final Map<String, BackendConfig> configs = new LinkedHashMap<>();
        ports.forEach((name, port) -> configs.put(name, port.config()));
        return configs;
    }
}
