package io.ringtap.vhost.dataplane;

import io.ringtap.sys.Affinity;
import io.ringtap.sys.Epoll;
import io.ringtap.sys.Poll;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs several workers on one thread, one cycle of each in turn, each NIC with its share of the time. It sleeps when
 * none has work, in one wait over the wait sets of all; workers come and go between two rounds. What one worker does
 * wrong stays with it.
 */
public final class WorkerGroup implements Agent, Parking, Watched
{
    private static final Logger LOG = LoggerFactory.getLogger(WorkerGroup.class);
    private static final int MAX_EVENTS = 64;
    private static final long WAKE_TOKEN = -1;
    private static final int FOREVER = -1;

    private final String name;
    private final int cpu;
    private final long maxSpinNs;
    private final Epoll epoll = Epoll.create(MAX_EVENTS);
    private final WorkerCommands commands;
    private final WorkerHealth health;
    private final FairTurns turns = new FairTurns();
    private volatile Member[] members = {};
    /** Who was here when it ended. */
    private volatile Member[] orphans = {};
    private volatile boolean isEnded;
    private volatile boolean isAwake;

    /** A worker, its NIC's share of the thread, and who is told when it gives up. */
    private record Member(QueuePairWorker worker, ThreadShare share, Runnable mourner)
    {
    }

    /**
     * @param index     number of the group, for people.
     * @param cpu       CPU to run on, -1 for any.
     * @param maxSpinNs longest time to spin before parking.
     */
    public WorkerGroup(final int index, final int cpu, final long maxSpinNs)
    {
        name = "workers-" + index;
        health = new WorkerHealth(name);
        this.cpu = cpu;
        this.maxSpinNs = maxSpinNs;
        commands = new WorkerCommands(() -> !isEnded, () -> {});
        epoll.add(commands.wake().number(), Poll.IN, WAKE_TOKEN);
    }

    @Override
    public String roleName()
    {
        return name;
    }

    /** How the thread that runs this group waits. */
    public IdleStrategy idlePolicy()
    {
        return new IdlePolicy(this, maxSpinNs);
    }

    /**
     * Any thread: the worker has started when this returns.
     *
     * @param nic     whose it is: all workers of a NIC have one share of the thread together.
     * @param onDeath called when the worker gives up, after it was closed.
     */
    public void add(final QueuePairWorker worker, final String nic, final Runnable onDeath)
    {
        commands.call(() ->
        {
            worker.onStart();
            epoll.add(worker.waitDescriptor(), Poll.IN, members.length);
            final Member[] more = new Member[members.length + 1];
            System.arraycopy(members, 0, more, 0, members.length);
            more[members.length] = new Member(worker, turns.join(nic), onDeath);
            members = more;
        });
    }

    /** Any thread: the worker has ended and is closed when this returns. */
    public void remove(final QueuePairWorker worker)
    {
        try
        {
            commands.call(() -> take(worker));
        }
        catch (final InternalError late)
        {
            // Of memory that was taken away before: once.
            commands.call(() -> take(worker));
        }
    }

    @Override
    public void onStart()
    {
        if (0 <= cpu)
        {
            Affinity.pin(cpu);
        }
    }

    @Override
    public int doWork()
    {
        health.begin();
        try
        {
            final int work = commands.run();
            return work + (turns.isShared() ? takeTurns() : workAll());
        }
        catch (final InternalError ex)
        {
            blame(ex);
            return 1;
        }
    }

    private int workAll()
    {
        int work = 0;
        for (final Member each : members)
        {
            work += work(each);
        }
        return work;
    }

    private int takeTurns()
    {
        int work = 0;
        turns.begin(System.nanoTime());
        for (final Member each : members)
        {
            if (turns.mustWait(each.share))
            {
                each.worker.counters().increment(WorkerCounter.TURNS_WAITED);
                work++;
            }
            else
            {
                final int done = work(each);
                final long tookNs = turns.took(each.share, System.nanoTime(), 0 < done);
                each.worker.counters().add(WorkerCounter.THREAD_NS, tookNs);
                work += done;
            }
        }
        turns.end();
        return work;
    }

    private int work(final Member member)
    {
        try
        {
            return member.worker.doWork();
        }
        catch (final AgentTerminationException ex)
        {
            bury(member, ex);
        }
        catch (final InternalError ex)
        {
            blame(ex);
        }
        return 1;
    }

    /** Some guest's memory was taken away, and the error may have come late: whose memory is not whole stands. */
    private void blame(final InternalError fault)
    {
        for (final Member each : members)
        {
            if (!each.worker.faults().isMemoryWhole())
            {
                fail(each, fault);
            }
        }
    }

    @Override
    public boolean park()
    {
        final Member[] members = this.members;
        int armed = 0;
        boolean isIdle = true;
        int timeoutMs = FOREVER;
        while (isIdle && armed < members.length)
        {
            final Member member = members[armed++];
            isIdle = arm(member);
            final int sleepMs = member.worker.sleepMs();
            timeoutMs = sleepMs == FOREVER || timeoutMs != FOREVER && timeoutMs < sleepMs ? timeoutMs : sleepMs;
        }
        if (isIdle)
        {
            health.asleep(true);
            try
            {
                await(isAwake ? 0 : timeoutMs);
                health.waited();
            }
            catch (final RuntimeException ex)
            {
                health.waitFailed(ex);
            }
            finally
            {
                health.asleep(false);
            }
        }
        for (int i = 0; i < armed; i++)
        {
            disarm(members[i]);
        }
        return isIdle;
    }

    @Override
    public void onClose()
    {
        commands.run();
        isEnded = true;
        orphans = members;
        while (0 < members.length)
        {
            take(members[members.length - 1].worker);
        }
        commands.close();
        epoll.close();
    }

    /** Any thread: ends the sleep and every later one, so that whoever runs the group can stop doing so. */
    public void wakeUp()
    {
        isAwake = true;
        commands.wake().signal();
    }

    @Override
    public long cycles()
    {
        return health.cycles();
    }

    @Override
    public boolean isAsleep()
    {
        return health.isAsleep();
    }

    @Override
    public void unblock()
    {
        for (final Member each : members)
        {
            each.worker.unblock();
        }
    }

    /** Its thread ended although nobody wanted it to: nobody works for the members any more. */
    public void died()
    {
        isEnded = true;
        for (final Member each : orphans)
        {
            each.worker.ended();
            each.mourner.run();
        }
    }

    private void bury(final Member member, final Throwable cause)
    {
        LOG.error("{}", cause.getMessage());
        take(member.worker);
        member.mourner.run();
    }

    private boolean arm(final Member member)
    {
        try
        {
            return member.worker.arm();
        }
        catch (final RuntimeException | InternalError ex)
        {
            failed(member, ex);
            return false;
        }
    }

    private void await(final Member member)
    {
        try
        {
            member.worker.await(0);
        }
        catch (final RuntimeException | InternalError ex)
        {
            failed(member, ex);
        }
    }

    private void disarm(final Member member)
    {
        try
        {
            member.worker.disarm();
        }
        catch (final RuntimeException | InternalError ex)
        {
            failed(member, ex);
        }
    }

    /** As in a cycle: only this pair stands, or whose memory is gone. */
    private void failed(final Member member, final Throwable cause)
    {
        if (cause instanceof InternalError error && !member.worker.faults().mayBeOurs())
        {
            blame(error);
        }
        else
        {
            fail(member, cause);
        }
    }

    private void fail(final Member member, final Throwable cause)
    {
        try
        {
            member.worker.fail(cause);
        }
        catch (final AgentTerminationException ex)
        {
            bury(member, ex);
        }
    }

    private void await(final int timeoutMs)
    {
        final int ready = epoll.await(timeoutMs);
        for (int i = 0; i < ready; i++)
        {
            final long token = epoll.token(i);
            if (token == WAKE_TOKEN)
            {
                commands.wake().drain();
            }
            else if (token < members.length)
            {
                // One that failed just now may have left its place.
                await(members[(int)token]);
            }
        }
    }

    /** The last worker takes the place, and with it the token, of the one that goes. */
    private void take(final QueuePairWorker worker)
    {
        final int last = members.length - 1;
        for (int i = 0; i <= last; i++)
        {
            if (members[i].worker == worker)
            {
                epoll.remove(worker.waitDescriptor());
                turns.leave(members[i].share);
                worker.onClose();
                final Member[] fewer = new Member[last];
                System.arraycopy(members, 0, fewer, 0, last);
                if (i < last)
                {
                    fewer[i] = members[last];
                    epoll.modify(fewer[i].worker.waitDescriptor(), Poll.IN, i);
                }
                members = fewer;
                return;
            }
        }
    }
}
