package io.ringtap.vhost.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.ringtap.sys.Fd;
import io.ringtap.sys.Sockets;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.protocol.Request;

/** An agent driven by hand on a socket of its own, over a data plane that writes everything down. */
final class SessionFixture implements AutoCloseable
{
    /** What QEMU takes with default settings: what the transcripts were recorded with. */
    static final long QEMU_FEATURES = 0x17020ff83L;
    static final long QEMU_MQ_FEATURES = 0x17060ff83L;
    static final long LOG_ALL = 1L << 26;
    static final long OFFERED_WITHOUT_LOG = QEMU_MQ_FEATURES | 1L << 34;
    static final long ACCESS_PLATFORM = 1L << 33;
    static final long OFFERED = OFFERED_WITHOUT_LOG | LOG_ALL | ACCESS_PLATFORM;

    /** Descriptors are given: with in-band notifications rings would get others from us. */
    static final long NEGOTIATED =
        Session.SUPPORTED_PROTOCOL_FEATURES & ~ProtocolFeature.INBAND_NOTIFICATIONS.mask();

    final FakeDataPlane dataPlane;
    final TestGuest guest = new TestGuest();
    final SessionAgent agent;
    final String path;
    long nowNs = 1;

    private final Path directory;

    SessionFixture(final int ringCount)
    {
        this(ringCount, new SessionContext());
    }

    SessionFixture(final int ringCount, final SessionContext context)
    {
        directory = temporaryDirectory();
        path = directory.resolve("s").toString();
        dataPlane = new FakeDataPlane(ringCount);
        if (null == context.source())
        {
            context.source(FrontendListener.listen(path, SocketAccess.DEFAULT));
        }

        if (0 == (Session.SUPPORTED_PROTOCOL_FEATURES & ~Session.ON_DEMAND_PROTOCOL_FEATURES ^
            context.protocolFeatures()))
        {
            context.offersConfig(true);
        }

        agent = new SessionAgent(context
            .name("test")
            .mac(0x563412005452L)
            .dataPlane(dataPlane)
            .offeredFeatures(OFFERED_WITHOUT_LOG)
            .clock(() -> nowNs)
            .maxSleepMs(0)
            .conclude());
    }

    FrontendScript connect()
    {
        return FrontendScript.connect(agent, path);
    }

    /** Connected, with all that we offer negotiated but in-band notifications, and nothing else said. */
    FrontendScript negotiated()
    {
        final FrontendScript script = connect();
        script.send(Request.SET_PROTOCOL_FEATURES, Payloads.u64(NEGOTIATED));
        script.send(Request.SET_FEATURES, Payloads.u64(QEMU_FEATURES));
        return script;
    }

    /** As {@link #negotiated()}, with memory and both rings of each pair running and enabled. */
    FrontendScript running()
    {
        final FrontendScript script = negotiated();
        script.send(Request.SET_MEM_TABLE, guest.table(), guest.memory.number());
        for (int ring = 0; ring < dataPlane.ringCount(); ring++)
        {
            script.send(Request.SET_VRING_ENABLE, Payloads.state(ring, 1));
            guest.setUpRing(script, ring, 0);
        }

        dataPlane.takeCalls();
        return script;
    }

    long count(final SessionCounter counter)
    {
        return agent.counters().get(counter);
    }

    static long protocolFeatures(final ProtocolFeature... features)
    {
        return ProtocolFeature.mask(features);
    }

    static Fd[] socketPair()
    {
        final Fd[] ends = new Fd[2];
        Sockets.socketPair(ends, Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK);
        return ends;
    }

    static Path temporaryDirectory()
    {
        try
        {
            return Files.createTempDirectory("rt");
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    @Override
    public void close()
    {
        agent.onClose();
        guest.close();
        try
        {
            Files.deleteIfExists(Path.of(path));
            Files.deleteIfExists(directory);
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
