package io.ringtap;

import io.ringtap.vhost.dataplane.NicExchange;
import io.ringtap.vhost.ops.Nic;
import org.agrona.CloseHelper;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One NIC of a process through its ups and downs; used under its fleet's lock. */
final class FleetPort implements AutoCloseable
{
    private static final long FIRST_RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LAST_RETRY_NS = TimeUnit.SECONDS.toNanos(30);

    private final String name;
    private final BackendConfig config;
    private Backend backend;
    private Nic nic;
    private boolean isEnded;
    private String failure;
    private boolean isNews;
    private long retryNs = FIRST_RETRY_NS;
    private long retryAtNs;
    private long startedNs;

    FleetPort(final String name, final BackendConfig config)
    {
        this.name = name;
        this.config = config;
    }

    String name()
    {
        return name;
    }

    /** What people call it: a lone NIC is named by its port. */
    String commonName()
    {
        return FleetConfig.LONE.equals(name) && null != backend ? backend.port().name() : name;
    }

    /** What commands see of it; null unless it serves. */
    Nic nic()
    {
        return nic;
    }

    BackendConfig config()
    {
        return config;
    }

    /** Null unless it serves. */
    Backend backend()
    {
        return backend;
    }

    PortState state()
    {
        return isEnded ? PortState.ENDED : null == backend ? PortState.FAILED : PortState.SERVING;
    }

    /** Why it does not serve; null while it does. */
    String failure()
    {
        return failure;
    }

    /** Whether the last failure was another than the one before. */
    boolean isNews()
    {
        return isNews;
    }

    /** @return what went wrong; null when it serves. */
    RuntimeException start(
        final WorkerPool pool, final NicExchange exchange, final Runnable onEnd, final Consumer<String> onDeath)
    {
        try
        {
            backend = Backend.launch(name, config, pool, exchange);
            backend.onEnd(onEnd);
            nic = backend.nic(commonName());
            failure = null;
            startedNs = System.nanoTime();
            backend.onDeath(onDeath);
            return null;
        }
        catch (final RuntimeException ex)
        {
            final String text = String.valueOf(ex.getMessage());
            isNews = !text.equals(failure);
            failure = text;
            retryAtNs = System.nanoTime() + retryNs;
            retryNs = Math.min(LAST_RETRY_NS, 2 * retryNs);
            return ex;
        }
    }

    boolean isDue(final long nowNs)
    {
        return PortState.FAILED == state() && 0 <= nowNs - retryAtNs;
    }

    /** It was closed because it died, and is to be started again. */
    void died(final String why)
    {
        failure = why;
        final long nowNs = System.nanoTime();
        retryNs = nowNs - startedNs < LAST_RETRY_NS ? retryNs : FIRST_RETRY_NS;
        retryAtNs = nowNs + retryNs;
        retryNs = Math.min(LAST_RETRY_NS, 2 * retryNs);
    }

    /** It is closed and stays so: its inherited front-end is gone. */
    void end()
    {
        isEnded = true;
        failure = "its inherited front-end is gone";
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(backend);
        backend = null;
        nic = null;
    }
}
