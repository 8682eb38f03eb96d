package io.ringtap.vhost.ops;

import io.ringtap.vhost.session.SocketAccess;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.function.Consumer;

/** The control plane of a process: its NICs, its commands, and the socket while one is open. */
public final class Operations implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(Operations.class);

    private final NicDirectory nics = new NicDirectory();
    private ControlServer server;
    private AgentRunner runner;

    /** Without a socket. */
    public Operations()
    {
    }

    /** NICs are entered here as they come. */
    public NicDirectory nics()
    {
        return nics;
    }

    /**
     * Opens the control socket.
     *
     * @param mode permission bits of its file.
     * @param more registers commands of other rooms.
     * @throws io.ringtap.vhost.session.SocketPathException when the path cannot be had.
     */
    public void listen(final String path, final int mode, final Consumer<ControlCommands> more)
    {
        final ControlCommands commands = new ControlCommands();
        commands.register("stats", "shows all counters; port=NAME for one port, meanings=true to explain them",
            new StatsCommand(nics));
        new PortCommands(nics).register(commands);
        new PortSteerCommands(nics).register(commands);
        new CaptureCommands(nics).register(commands);
        new TraceCommands(nics).register(commands);
        new XdpCommands(nics).register(commands);
        more.accept(commands);
        server = new ControlServer(path, new SocketAccess(mode, null, null), commands);
        runner = new AgentRunner(
            NoOpIdleStrategy.INSTANCE, (error) -> LOG.error("the control agent failed", error), null, server);
        AgentRunner.startOnThread(runner);
        LOG.info("control socket on {}", path);
    }

    @Override
    public void close()
    {
        if (null != server)
        {
            server.wakeUp();
            CloseHelper.quietClose(runner);
            server = null;
        }
    }
}
