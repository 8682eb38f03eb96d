package io.ringtap.vhost.ops;

import io.ringtap.sys.Epoll;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.FdMessage;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Poll;
import io.ringtap.sys.SyscallException;
import io.ringtap.vhost.session.FrontendListener;
import io.ringtap.vhost.session.FrontendSource;
import io.ringtap.vhost.session.SocketAccess;
import io.ringtap.vhost.session.SourceWatch;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control socket: one JSON object a line in, one out. Everything happens on its thread, which sleeps until a client
 * says something. What a client may take is bounded: lines, answers, and how many clients there are.
 * <p>
 * Run it by an {@link org.agrona.concurrent.AgentRunner} with a {@link org.agrona.concurrent.NoOpIdleStrategy}; to end
 * it call {@link #wakeUp()}, then close the runner.
 */
public final class ControlServer implements Agent
{
    /** Longest request: the largest value of a map that programs commonly have, in hex, and something around it. */
    public static final int MAX_LINE = 128 * 1024;
    /** Longest answer; what may be longer is asked for in parts. */
    public static final int MAX_ANSWER = 4 * 1024 * 1024;
    /** Clients at once: a few people and their tools. */
    public static final int MAX_CLIENTS = 16;
    /** Who may talk to us unless the operator says otherwise. */
    public static final int DEFAULT_MODE = 0600;

    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);
    private static final int SCRATCH = 16 * 1024;
    private static final long DOOR = -1;
    private static final long WAKE = -2;
    /** Between two looks at the socket's file. */
    private static final int LOOK_MS = 5_000;
    private static final long NS_PER_MS = 1_000_000L;

    private final ControlCommands commands;
    private final FrontendListener door;
    private final Epoll epoll = Epoll.create(MAX_CLIENTS + 2);
    private final EventFd wake = EventFd.create();
    private final FdMessage messages = new FdMessage();
    private final UnsafeBuffer scratch = Memory.scratch(SCRATCH);
    private final ControlConnection[] clients = new ControlConnection[MAX_CLIENTS];
    private final SourceWatch doorWatch;
    private boolean hasMore;
    private volatile boolean isAwake;

    /**
     * Listens; requests are answered once an agent's thread runs this.
     *
     * @throws io.ringtap.vhost.session.SocketPathException when the path cannot be had.
     */
    public ControlServer(final String path, final SocketAccess access, final ControlCommands commands)
    {
        this.commands = commands;
        door = FrontendListener.listen(path, access);
        doorWatch = new SourceWatch(door, epoll, DOOR);
        epoll.add(wake.number(), Poll.IN, WAKE);
    }

    /** Any thread: ends the sleep and every later one, so that whoever runs the agent can stop doing so. */
    public void wakeUp()
    {
        isAwake = true;
        wake.signal();
    }

    @Override
    public int doWork()
    {
        final int ready = epoll.await(isAwake || hasMore ? 0 : sleepMs());
        hasMore = false;
        boolean isSomebodyAtTheDoor = false;
        for (int i = 0; i < ready; i++)
        {
            final long token = epoll.token(i);
            if (DOOR == token)
            {
                isSomebodyAtTheDoor = true;
            }
            else if (WAKE != token)
            {
                listen((int)token);
            }
        }
        for (int i = 0; i < MAX_CLIENTS; i++)
        {
            serve(i);
        }
        if (isSomebodyAtTheDoor)
        {
            // After those who left: their places are free.
            welcome();
        }
        followDoor();
        return ready;
    }

    @Override
    public void onClose()
    {
        // First: a client that sees us go may open a socket in our place.
        door.close();
        for (int i = 0; i < MAX_CLIENTS; i++)
        {
            dismiss(i);
        }
        CloseHelper.closeAll(epoll, wake);
    }

    @Override
    public String roleName()
    {
        return "control";
    }

    private int sleepMs()
    {
        final long delayNs = door.delayNs(System.nanoTime());
        return FrontendSource.NEVER == delayNs ? LOOK_MS : (int)(delayNs / NS_PER_MS) + 1;
    }

    /** A door that could not be opened for want of descriptors, or whose file was deleted. */
    private void followDoor()
    {
        door.look();
        if (door.delayNs(System.nanoTime()) <= 0)
        {
            welcome();
        }
        doorWatch.follow(System.nanoTime());
    }

    private void welcome()
    {
        final Fd socket = door.poll(System.nanoTime());
        if (null == socket)
        {
            return;
        }
        final ControlConnection client = new ControlConnection(socket);
        for (int i = 0; i < MAX_CLIENTS; i++)
        {
            if (null == clients[i])
            {
                clients[i] = client;
                epoll.add(client.number(), Poll.IN, i);
                return;
            }
        }
        client.answer(refusal(MAX_CLIENTS + " clients", "as many as there may be", "close one of them"));
        client.write(messages, scratch);
        client.close();
    }

    private void listen(final int i)
    {
        final ControlConnection client = clients[i];
        if (null != client && !client.isAnswering() && !client.read(scratch))
        {
            // Lines that came whole before it went are still carried out.
            client.end();
        }
    }

    /** One request at most, so that a client with many cannot keep the others waiting. */
    private void serve(final int i)
    {
        final ControlConnection client = clients[i];
        if (null == client)
        {
            return;
        }
        final boolean wasAnswering = client.isAnswering();
        final String line = wasAnswering ? null : client.nextLine();
        if (null != line)
        {
            hasMore = true;
            if (!line.isBlank())
            {
                client.answer(commands.answer(line), commands.takeParcel());
            }
        }
        else if (!wasAnswering && client.isLineTooLong())
        {
            client.answer(refusal("a request longer than " + MAX_LINE + " bytes", "the limit of a line",
                "send less at once"));
            client.end();
        }
        else if (!wasAnswering && client.isEnding())
        {
            dismiss(i);
        }
        if (client.isAnswering())
        {
            deliver(i, wasAnswering);
        }
    }

    private void deliver(final int i, final boolean wasWaiting)
    {
        final ControlConnection client = clients[i];
        boolean isThere;
        try
        {
            isThere = client.write(messages, scratch);
        }
        catch (final SyscallException ex)
        {
            LOG.warn("a control client is dismissed: {}", ex.getMessage());
            isThere = false;
        }
        if (!isThere || client.isEnding() && client.isLineTooLong() && !client.isAnswering())
        {
            dismiss(i);
        }
        else if (client.isAnswering() != wasWaiting)
        {
            // One that does not take its answer is not read either until it has.
            epoll.modify(client.number(), client.isAnswering() ? Poll.OUT : Poll.IN, i);
            hasMore |= wasWaiting;
        }
    }

    private void dismiss(final int i)
    {
        if (null != clients[i])
        {
            epoll.remove(clients[i].number());
            clients[i].close();
            clients[i] = null;
        }
    }

    private static String refusal(final String value, final String limit, final String remedy)
    {
        return ControlCommands.refusal(new CommandException(value, limit, remedy));
    }
}
