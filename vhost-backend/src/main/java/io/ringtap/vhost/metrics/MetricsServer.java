package io.ringtap.vhost.metrics;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.ringtap.vhost.ops.Nic;
import io.ringtap.vhost.ops.NicDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Serves {@code /metrics}. Values are read from memory when somebody asks, on threads of its own: a scrape takes no
 * lock that a worker takes and sends no worker a command.
 */
public final class MetricsServer implements AutoCloseable, MultiCollector
{
    /** Connections at once; the JDK's server closes those beyond. */
    public static final int MAX_CONNECTIONS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(MetricsServer.class);
    /** It logs with a trace what a client that hangs up costs it, as often as that client likes. Kept: JUL forgets. */
    private static final java.util.logging.Logger LIBRARY =
        java.util.logging.Logger.getLogger("io.prometheus.metrics.exporter.httpserver");
    private static final int THREADS = 2;
    private static final int IDLE_SECONDS = 30;
    /** A request of one line is there at once, or somebody holds a connection for its own sake. */
    private static final int MAX_REQUEST_SECONDS = 5;
    private static final int MAX_RESPONSE_SECONDS = 30;

    private final NicDirectory nics;
    private final ExecutorService threads;
    private final HTTPServer server;
    private final MetricsAddress address;

    private MetricsServer(final MetricsAddress wanted, final NicDirectory nics) throws IOException
    {
        this.nics = nics;
        LIBRARY.setLevel(java.util.logging.Level.OFF);
        limit("jdk.httpserver.maxConnections", MAX_CONNECTIONS);
        limit("sun.net.httpserver.maxReqTime", MAX_REQUEST_SECONDS);
        limit("sun.net.httpserver.maxRspTime", MAX_RESPONSE_SECONDS);
        final InetAddress host = InetAddress.getByName(wanted.host());
        final PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(this);
        threads = threads();
        try
        {
            server = HTTPServer.builder().inetAddress(host).port(wanted.port()).registry(registry)
                .executorService(threads).buildAndStart();
        }
        catch (final IOException | RuntimeException ex)
        {
            threads.shutdownNow();
            throw ex;
        }
        address = wanted.port(server.getPort());
        if (!host.isLoopbackAddress())
        {
            LOG.warn("metrics on {} can be read by whoever reaches that address", address);
        }
    }

    /**
     * Listens.
     *
     * @throws MetricsException when the address cannot be had.
     */
    public static MetricsServer open(final String text, final NicDirectory nics)
    {
        final MetricsAddress wanted = MetricsAddress.of(text);
        if (null == wanted)
        {
            throw new MetricsException("--metrics=" + text, "not HOST:PORT with a port from 0 to 65535",
                "give for example 127.0.0.1:9431", null);
        }
        try
        {
            return new MetricsServer(wanted, nics);
        }
        catch (final UnknownHostException ex)
        {
            throw new MetricsException("--metrics=" + text, "no such host: " + wanted.host(),
                "give a name or an address of this host", ex);
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new MetricsException("--metrics=" + text, "cannot listen there: " + ex.getMessage(),
                "give an address of this host and a port that nobody has", ex);
        }
    }

    /** Where it listens, with the port that the kernel chose. */
    public MetricsAddress address()
    {
        return address;
    }

    @Override
    public MetricSnapshots collect()
    {
        final Exposition all = new Exposition();
        ProcessMetrics.add(all);
        for (final String name : nics.missing())
        {
            NicMetrics.addServing(all, name, false);
        }
        for (final Nic nic : nics.all())
        {
            new NicMetrics(all, nic).add();
        }
        return all.snapshots();
    }

    @Override
    public void close()
    {
        server.close();
        threads.shutdownNow();
    }

    private static ExecutorService threads()
    {
        final ThreadPoolExecutor pool = new ThreadPoolExecutor(
            THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(2 * MAX_CONNECTIONS),
            (work) ->
            {
                final Thread thread = new Thread(work, "metrics");
                thread.setDaemon(true);
                return thread;
            });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** The JDK's server reads its limits once, from properties. */
    private static void limit(final String property, final int value)
    {
        if (null == System.getProperty(property))
        {
            System.setProperty(property, Integer.toString(value));
        }
    }
}
