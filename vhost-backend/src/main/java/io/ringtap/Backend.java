package io.ringtap;

import io.ringtap.flow.CoalesceRule;
import io.ringtap.frag.ArenaReport;
import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.FragStrategy;
import io.ringtap.frag.PageArena;
import io.ringtap.port.PacketPort;
import io.ringtap.port.PortNumbers;
import io.ringtap.service.InheritedSockets;
import io.ringtap.sys.Fd;
import io.ringtap.vhost.dataplane.DataPlaneProxy;
import io.ringtap.vhost.dataplane.LinkState;
import io.ringtap.vhost.dataplane.NicExchange;
import io.ringtap.vhost.dataplane.QueuePairWorker;
import io.ringtap.vhost.dataplane.RateLimits;
import io.ringtap.vhost.dataplane.WorkerSetup;
import io.ringtap.vhost.ops.HookBoard;
import io.ringtap.vhost.ops.Nic;
import io.ringtap.vhost.ops.NicCapture;
import io.ringtap.vhost.ops.NicTrace;
import io.ringtap.vhost.session.AdoptedFrontend;
import io.ringtap.vhost.session.FrontendConnector;
import io.ringtap.vhost.session.FrontendListener;
import io.ringtap.vhost.session.FrontendSource;
import io.ringtap.vhost.session.SessionAgent;
import io.ringtap.vhost.session.SessionContext;
import io.ringtap.vhost.session.SocketAccess;
import io.ringtap.vhost.virtio.NetFeatures;
import io.ringtap.xdp.FrameView;
import org.agrona.CloseHelper;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A running backend for one NIC: the port, a worker a queue pair, and the session's agent; opened in this order, closed
 * in reverse. What was opened before something fails is closed again.
 */
public final class Backend implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(Backend.class);

    /** 3 MiB: frames on their way in both directions, reads, and what hooks turn round. Resident once it was used. */
    private static final int PAGES_PER_QUEUE = 96;

    private final String name;
    private final BackendConfig config;
    private final WorkerPool pool;
    private final NicExchange exchange;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<QueuePairWorker> workers = new ArrayList<>();
    private final RateLimits rates = new RateLimits();
    private PacketPort port;
    private LinkState link;
    private int number;
    private FrontendSource source;
    private HookBoard hooks;
    private NicCapture captures;
    private NicTrace traces;
    private SessionAgent session;
    private PageArena arena;
    private volatile Runnable onEnd = () -> {};
    private Consumer<String> mourner;
    private String causeOfDeath;
    private boolean isClosing;

    private Backend(
        final String name, final BackendConfig config, final WorkerPool pool, final NicExchange exchange)
    {
        this.name = name;
        this.config = config;
        this.pool = pool;
        this.exchange = exchange;
    }

    /**
     * Looks at what a configuration names beside itself, such as filters and programs, without opening anything.
     *
     * @throws RuntimeException with one line for the user.
     */
    public static void check(final BackendConfig config)
    {
        new BackendHooks(config).board(0);
    }

    /**
     * Starts everything; the socket is ready for front-ends when this returns.
     *
     * @throws RuntimeException with one line for the user; nothing is left open then.
     */
    public static Backend launch(final BackendConfig config)
    {
        return launch("ringtap", config, new WorkerPool(ProcessConfig.of(config)), new NicExchange());
    }

    /**
     * Starts everything of one NIC among others.
     *
     * @param name     what the NIC is called.
     * @param pool     runs its workers.
     * @param exchange carries frames between it and the others.
     */
    static Backend launch(
        final String name, final BackendConfig config, final WorkerPool pool, final NicExchange exchange)
    {
        final Backend backend = new Backend(name, config, pool, exchange);
        try
        {
            backend.open();
            return backend;
        }
        catch (final RuntimeException ex)
        {
            backend.close();
            throw ex;
        }
    }

    /** Called once when no front-end can come any more: an inherited connection ended. */
    public void onEnd(final Runnable action)
    {
        onEnd = action;
    }

    /**
     * Called once when one of its threads has ended by itself: nothing moves there any more, and whoever is told closes
     * this and begins anew.
     *
     * @param action is given the reason.
     */
    public void onDeath(final Consumer<String> action)
    {
        final String reason;
        synchronized (this)
        {
            mourner = action;
            reason = causeOfDeath;
        }
        if (null != reason)
        {
            action.accept(reason);
        }
    }

    public PacketPort port()
    {
        return port;
    }

    public List<QueuePairWorker> workers()
    {
        return List.copyOf(workers);
    }

    public SessionAgent session()
    {
        return session;
    }

    /** How its frames' memory is used; after {@link #close} no fragment may be out. */
    public ArenaReport fragments()
    {
        return arena.report();
    }

    /** What commands see of it. */
    public Nic nic(final String name)
    {
        return new Nic(name, port, number, link, hooks, workers, session, captures, arena, rates, traces);
    }

    /**
     * Whether every worker still runs its cycles. Waits for each to finish the one it is in, so that it does not return
     * at all when one hangs.
     */
    boolean isResponsive()
    {
        try
        {
            workers.forEach((worker) -> worker.call(() -> {}));
            return true;
        }
        catch (final IllegalStateException ex)
        {
            return false;
        }
    }

    /**
     * Stops, and leaves everything that a successor needs to go on: the front-end finds its socket open, and the
     * interface as it is.
     *
     * @throws io.ringtap.port.PortException or {@link ConfigException} when that cannot be; everything goes on then.
     */
    Handover handOver()
    {
        if (!(source instanceof FrontendListener listener) || null == config.socketPath())
        {
            throw new ConfigException("--takeover", "the backend does not listen on a path", "restart it instead");
        }
        final Handover handover =
            new Handover(config.socketPath(), listener.handOver(), port.handOver(), config.queues());
        close();
        return handover;
    }

    @Override
    public void close()
    {
        synchronized (this)
        {
            // What ends from now on is meant to.
            isClosing = true;
        }
        for (int i = opened.size() - 1; i >= 0; i--)
        {
            CloseHelper.quietClose(opened.get(i));
        }
        opened.clear();
    }

    private void died(final String thread)
    {
        final Consumer<String> action;
        synchronized (this)
        {
            if (isClosing || null != causeOfDeath)
            {
                return;
            }
            causeOfDeath = "its thread " + thread + " ended by itself";
            action = mourner;
        }
        LOG.error("{}: {}", name, causeOfDeath);
        if (null != action)
        {
            action.accept(causeOfDeath);
        }
    }

    private void open()
    {
        if (isListening() && config.listener() == BackendConfig.NONE &&
            !InheritedSockets.ofProcess().has(config.socketPath()))
        {
            // A path that is taken must not cost anybody a TAP.
            FrontendListener.claim(config.socketPath());
        }
        arena = opened(new PageArena(PAGES_PER_QUEUE * config.queues() + PAGES_PER_QUEUE));
        opened.add(this::balance);
        final FragAllocator[] allocators = strategy().create(arena, config.queues());
        port = opened(new PortFactory(config, arena, allocators).open());
        link = new LinkState(port);
        number = PortNumbers.of(port);
        rates.fromGuest().bitsPerSecond(config.rateFromGuest());
        rates.toGuest().bitsPerSecond(config.rateToGuest());
        hooks = new BackendHooks(config).board(number);
        for (int i = 0; i < config.queues(); i++)
        {
            final QueuePairWorker worker = new QueuePairWorker(i, workerSetup(i, allocators[i]));
            workers.add(worker);
            opened.add(pool.run(worker, name, () -> died(worker.roleName())));
        }
        exchange.register(number, workers);
        opened.add(() -> exchange.unregister(number));
        captures = opened(new NicCapture(port.name(), workers, config.cpus()));
        traces = opened(new NicTrace(workers));
        if (config.capture() != null)
        {
            captures.start(config.capture());
            LOG.info("recording to {}", config.capture().file());
        }
        // Last: who sees the socket may count on the port.
        source = opened(openSource());
        source.sessionRate(config.sessionRate());
        session = new SessionAgent(sessionContext(source));
        link.onChange(session::configMayHaveChanged);
        opened.add(WorkerPool.start(session, NoOpIdleStrategy.INSTANCE, name, () -> died(session.roleName())));
        opened.add(pool.look(session::lookAtTheDoor));
        // Closed before its runner: no interrupt reaches a thread that sleeps in epoll.
        opened.add(session::wakeUp);
    }

    /** Everybody who had fragments is closed: one that is still out was lost by us. */
    private void balance()
    {
        final long out = arena.report().fragmentsOut();
        if (0 != out)
        {
            LOG.warn("{}: {} page fragments were not given back", name, out);
        }
    }

    private WorkerSetup workerSetup(final int queue, final FragAllocator allocator)
    {
        final int cpu = config.cpus().isEmpty() ? BackendConfig.NONE : config.cpus().get(queue % config.cpus().size());
        return new WorkerSetup(
            port, arena, allocator, hooks.chain(FrameView.FROM_GUEST, queue),
            hooks.chain(FrameView.TO_GUEST, queue), config.flowSort(),
            coalesceRule(), TimeUnit.MICROSECONDS.toNanos(config.busyPollUs()), cpu,
            number, exchange, rates);
    }

    private SessionContext sessionContext(final FrontendSource frontends)
    {
        final int receivable = port.supportedReceiveOffloads() & config.offloads();
        final long offered = NetFeatures.offered(port.transmitOffloads() & config.offloads(), receivable);
        // Features that mean something only where the config space is ours.
        final boolean offersConfig = NetFeatures.has(config.extraFeatures(), NetFeatures.STATUS);
        final boolean isPinned = BackendConfig.NONE != config.mac();
        final boolean hasMac = offersConfig && isPinned;
        final long ofConfig = hasMac ? NetFeatures.bit(NetFeatures.MAC) : 0;
        final DataPlaneProxy dataPlane = opened(new DataPlaneProxy(port, link, workers, receivable,
            NetFeatures.has(config.extraFeatures(), NetFeatures.CTRL_VQ)));
        return new SessionContext()
            .offersConfig(offersConfig)
            .pinnedMac(isPinned ? config.mac() : 0)
            .mac(hasMac ? config.mac() : 0)
            .name(port.name())
            .source(frontends)
            .dataPlane(dataPlane)
            .offeredFeatures((offered | config.extraFeatures() | ofConfig) & ~config.refusedFeatures())
            .portWatch(offersConfig ? port.watch() : null)
            .onExhausted(() -> onEnd.run())
            .conclude();
    }

    private boolean isListening()
    {
        return config.socketPath() != null && !config.client();
    }

    private FrontendSource openSource()
    {
        if (config.fd() != BackendConfig.NONE)
        {
            return AdoptedFrontend.adopt(config.fd());
        }
        if (config.client())
        {
            return FrontendConnector.connect(config.socketPath());
        }
        if (config.listener() != BackendConfig.NONE)
        {
            return FrontendListener.takeOver(Fd.of(config.listener(), "front-end socket"), config.socketPath());
        }
        final int inherited = InheritedSockets.ofProcess().take(config.socketPath());
        if (inherited >= 0)
        {
            return AdoptedFrontend.adopt(inherited);
        }
        return FrontendListener.listen(config.socketPath(),
            new SocketAccess(config.socketMode(), config.socketOwner(), config.socketGroup()));
    }

    /** Null where nothing is to be merged. */
    private CoalesceRule coalesceRule()
    {
        return switch (config.coalesce())
        {
            case OFF -> null;
            case AUTO -> CoalesceRule.EXACT;
            case ON -> CoalesceRule.EQUIVALENT;
        };
    }

    private FragStrategy strategy()
    {
        return FragStrategy.valueOf(config.frag().name());
    }

    private <T extends AutoCloseable> T opened(final T resource)
    {
        opened.add(resource);
        return resource;
    }
}
