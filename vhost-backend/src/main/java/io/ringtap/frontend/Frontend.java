package io.ringtap.frontend;

import io.ringtap.sys.Fd;
import io.ringtap.sys.Sockets;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.virtio.NetFeatures;

import java.util.ArrayList;
import java.util.List;

/**
 * A vhost-user front-end: what QEMU is to a back-end, with the guest's memory, rings and features, and QEMU's order of
 * messages. Control calls come from one thread; the queues of {@link #nic()} belong to theirs.
 */
public final class Frontend implements AutoCloseable
{
    private final FrontendConfig config;
    private final List<FrontendMemory> plugged = new ArrayList<>();
    private final FrontendInflight inflight = new FrontendInflight();
    private FrontendSocket socketSource;
    private FrontendConnection connection;
    private FrontendMemory memory;
    private FrontendRing[] rings;
    private GuestNic nic;
    private ControlDriver control;
    private long ringLimit;
    private Fd backendRequests;
    private long offered;
    private long features;
    private long protocolFeatures;
    private FrontendSetup setup;

    /** @param config is checked here; nothing is opened before {@link #connect}. */
    public Frontend(final FrontendConfig config)
    {
        this.config = config.conclude();
    }

    public FrontendConfig config()
    {
        return config;
    }

    /**
     * Connects and negotiates; the first time it also makes the guest's memory and rings.
     *
     * @throws FrontendException when the back-end is not there within the timeout or does not offer what is needed.
     */
    public void connect()
    {
        if (null != connection)
        {
            throw new IllegalStateException("front-end is connected");
        }
        if (null == socketSource)
        {
            socketSource = new FrontendSocket(config);
        }
        connection = new FrontendConnection(socketSource.connect(), config.timeoutMs());
        try
        {
            negotiate();
        }
        catch (final RuntimeException failure)
        {
            disconnect();
            throw failure;
        }
    }

    /** Sets everything up and starts the rings, as when a guest's driver says DRIVER_OK. */
    public void start()
    {
        setup.start(features, rings, null == control ? null : control.ring(), memories(), inflight);
    }

    /** Stops the rings, as when a guest is stopped; {@link #start} goes on where they stopped. */
    public void stop()
    {
        setup.stop(rings);
        if (null != control && control.ring().isRunning())
        {
            setup.stopRing(control.ring());
        }
    }

    /**
     * Resets one ring while the others go on (virtio 1.x, 2.6.1): the device lets go of it, what it had is forgotten,
     * and a new one, of another size perhaps, begins in its place. Not while {@link #nic()} uses it.
     *
     * @param size not larger than before.
     */
    public void resetRing(final int index, final int size)
    {
        if (null != nic || !has(NetFeatures.RING_RESET) || size > config.ringSize())
        {
            throw new IllegalStateException(
                "ring " + index + " cannot be reset to " + size + " descriptors: RING_RESET is " +
                (has(NetFeatures.RING_RESET) ? "" : "not ") + "negotiated");
        }
        final FrontendRing ring = rings[index];
        setup.stopRing(ring);
        ring.replaced(DriverRing.create(memory.buffer(), ring.offset(), size,
            memory.guestAddress(ring.offset()) - ring.offset(), features));
        setup.startRing(ring, memory);
    }

    /** Hangs up without a word, as a killed QEMU does. */
    public void disconnect()
    {
        if (null != connection)
        {
            connection.close();
            connection = null;
        }
        if (null != backendRequests)
        {
            backendRequests.close();
            backendRequests = null;
        }
        if (null != rings)
        {
            for (final FrontendRing ring : rings)
            {
                ring.forsaken(null != inflight.file());
            }
        }
        if (null != control)
        {
            control.ring().forsaken(null != inflight.file());
        }
    }

    /**
     * Takes up with a back-end that was started anew: the same memory, each ring from the used index on, as QEMU does.
     * The queues' threads may go on all the while with split rings and where what is in flight is tracked; else they
     * have to rest with packed ones.
     */
    public void reconnect()
    {
        final long before = features;
        disconnect();
        connect();
        if (before != features)
        {
            throw new FrontendException(
                "the new back-end offers other features: 0x" + Long.toHexString(features) + " instead of 0x" +
                Long.toHexString(before));
        }
        start();
    }

    /** Whether the back-end hung up. */
    public boolean isPeerGone()
    {
        return null == connection || connection.isPeerGone();
    }

    /** Enables or disables a queue pair, as a guest's change of the number of pairs does. */
    public void enable(final int pair, final boolean enabled)
    {
        setup.enable(pair, enabled);
    }

    /** Cuts the memory into so many regions and replaces the back-end's table, under running rings or not. */
    public void splitMemory(final int regions)
    {
        memory.split(regions);
        setup.memory(memories());
    }

    /** Plugs memory in, owned by this object from now on. */
    public void plug(final FrontendMemory more)
    {
        plugged.add(more);
        setup.plug(memories(), more);
    }

    /** Takes plugged memory out again and gives it up. */
    public void unplug(final FrontendMemory less)
    {
        plugged.remove(less);
        setup.unplug(memories(), less);
        less.close();
    }

    /**
     * Has the back-end note each page that it writes to from now on, under running rings or not, as at the beginning of
     * a migration.
     *
     * @param log  a bit for each page from guest address 0 on; the caller's, to keep until the end of that.
     * @param size bytes of it.
     */
    public void logWrites(final Fd log, final long size)
    {
        setup.logWrites(log, size, features, rings, memory);
    }

    /** Ends that, as when a migration is cancelled; nothing is noted any more when this returns. */
    public void endLogging()
    {
        setup.endLogging(features, rings, memory);
    }

    /** The device's own state, all rings being stopped. */
    public byte[] saveState()
    {
        return FrontendState.save(connection);
    }

    /** Takes a state to where another session left it; each ring goes on at the next start where the state says. */
    public void loadState(final byte[] state)
    {
        FrontendState.load(connection, state);
        for (final FrontendRing ring : rings)
        {
            setup.stopRing(ring);
        }
    }

    /** The word that the back-end offered. */
    public long offered()
    {
        return offered;
    }

    /** The features in force. */
    public long features()
    {
        return features;
    }

    public boolean has(final int feature)
    {
        return NetFeatures.has(features, feature);
    }

    public long protocolFeatures()
    {
        return protocolFeatures;
    }

    /** The file of the region for what is in flight; null where that is not tracked. */
    public Fd inflightFile()
    {
        return inflight.file();
    }

    /** The connection, for requests that have no method here. */
    public FrontendConnection connection()
    {
        return connection;
    }

    /** Where the back-end sends messages of its own; null where it has no such channel. */
    public Fd backendRequests()
    {
        return backendRequests;
    }

    /** Even ones receive; two for each queue pair. */
    public FrontendRing ring(final int index)
    {
        return rings[index];
    }

    public FrontendMemory memory()
    {
        return memory;
    }

    /** The network card over these rings; made by the first call after {@link #connect}. */
    public GuestNic nic()
    {
        if (null == nic)
        {
            nic = new GuestNic(this);
        }
        return nic;
    }

    /** The driver's end of the control queue; null unless CTRL_VQ is in force. */
    public ControlDriver control()
    {
        return control;
    }

    @Override
    public void close()
    {
        disconnect();
        if (null != control)
        {
            control.close();
        }
        if (null != nic)
        {
            nic.close();
        }
        if (null != rings)
        {
            for (final FrontendRing ring : rings)
            {
                ring.close();
            }
        }
        if (null != memory)
        {
            memory.close();
        }
        plugged.forEach(FrontendMemory::close);
        inflight.close();
        if (null != socketSource)
        {
            socketSource.close();
        }
    }

    /** What QEMU does when its process starts; the messages are those of qemu-message-sequence. */
    private void negotiate()
    {
        setup = new FrontendSetup(connection, config);
        for (int pair = 0; pair < config.queuePairs(); pair++)
        {
            offered = connection.ask(Request.GET_FEATURES);
            final boolean hasProtocol = (offered & config.features() & 1L << NetFeatures.PROTOCOL_FEATURES) != 0;
            if (hasProtocol)
            {
                protocolFeatures = connection.ask(Request.GET_PROTOCOL_FEATURES) & config.protocolFeatures();
                setup.protocolFeatures(protocolFeatures);
                connection.command(Request.SET_PROTOCOL_FEATURES, protocolFeatures, false);
                connection.hasReplyAck(ProtocolFeature.REPLY_ACK.isIn(protocolFeatures));
            }
            if (0 == pair)
            {
                ringLimit = setup.checkPairs();
                sendBackendRequestSocket();
                connection.command(Request.SET_OWNER, config.acksEverything());
            }
            offered = connection.ask(Request.GET_FEATURES);
            features = offered & config.features();
            if (null == rings)
            {
                makeMemory();
            }
            setup.announceNotifiers(rings[2 * pair], rings[2 * pair + 1]);
        }
        if (0 != config.mtu() && ProtocolFeature.NET_MTU.isIn(protocolFeatures))
        {
            connection.command(Request.NET_SET_MTU, config.mtu(), true);
        }
        for (int pair = 0; pair < config.queuePairs(); pair++)
        {
            setup.enable(pair, 0 == pair);
        }
    }

    private void sendBackendRequestSocket()
    {
        if (ProtocolFeature.BACKEND_REQ.isIn(protocolFeatures))
        {
            final Fd[] ends = new Fd[2];
            Sockets.socketPair(ends, Sockets.SOCK_STREAM);
            try (Fd theirs = ends[1])
            {
                backendRequests = ends[0];
                connection.command(Request.SET_BACKEND_REQ_FD, 0, new int[]{theirs.number()}, true);
            }
        }
    }

    private void makeMemory()
    {
        final GuestLayout layout = new GuestLayout(config, features);
        memory = null == config.memoryFile() ?
            FrontendMemory.create(layout.memorySize(), config.regions(), config.regionGap()) :
            FrontendMemory.in(config.memoryFile(), layout.memorySize(), config.regions(), config.regionGap());
        rings = new FrontendRing[2 * config.queuePairs()];
        for (int i = 0; i < rings.length; i++)
        {
            final int at = memory.allocate(layout.ringBytes(), 64);
            final DriverRing ring = DriverRing.create(
                memory.buffer(), at, config.ringSize(), memory.guestAddress(at) - at, features);
            rings[i] = new FrontendRing(i, ring, at, config.hasNotifications());
        }
        // Behind all pairs of the device, as many of them as the driver knows of.
        final int index = NetFeatures.controlQueue(features, Math.max(1, (int)(ringLimit / 2)));
        control = index < 0 ? null : new ControlDriver(index, memory, features, config);
    }

    private List<FrontendMemory> memories()
    {
        final List<FrontendMemory> all = new ArrayList<>();
        all.add(memory);
        all.addAll(plugged);
        return all;
    }
}
