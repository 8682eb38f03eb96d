package io.ringtap.vhost.session;

import java.util.ArrayList;
import java.util.List;

import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.control.ReceiveRules;
import io.ringtap.vhost.dataplane.ChainHandler;
import io.ringtap.vhost.dataplane.DataPlane;
import io.ringtap.vhost.dataplane.LinkSpeed;
import io.ringtap.vhost.guest.DirtyLog;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.GuestWindow;
import io.ringtap.vhost.guest.Iotlb;
import io.ringtap.vhost.virtio.RingFaultException;
import io.ringtap.vhost.virtio.RingSetup;

/** Writes down what the session asks for, owns what it is given, and says where rings are as the test tells it. */
final class FakeDataPlane implements DataPlane
{
    final List<String> calls = new ArrayList<>();
    final RingSetup[] running;
    final int[] bases;
    int mtuLimit = 9000;
    int mtu = 1500;
    boolean isLinkUp = true;
    RuntimeException failure;
    DirtyLog log;
    EventFd logSignal;
    ReceiveRules received;

    private final EventFd control = EventFd.create();

    private final boolean[] enabled;
    private final Fd[] kicks;
    private final Fd[] interrupts;
    private final Fd[] errors;
    private GuestMemory memory;

    FakeDataPlane(final int ringCount)
    {
        running = new RingSetup[ringCount];
        bases = new int[ringCount];
        enabled = new boolean[ringCount];
        kicks = new Fd[ringCount];
        interrupts = new Fd[ringCount];
        errors = new Fd[ringCount];
    }

    /** The calls since the last time, one string. */
    String takeCalls()
    {
        final String taken = String.join(", ", calls);
        calls.clear();
        return taken;
    }

    boolean isEnabled(final int ring)
    {
        return enabled[ring];
    }

    /** What a worker does to tell the driver. */
    void signalCall(final int ring)
    {
        signal(interrupts[ring]);
    }

    void signalError(final int ring)
    {
        signal(errors[ring]);
    }

    /** Kicks that a worker would find. */
    long kicks(final int ring)
    {
        try (EventFd kick = EventFd.of(Syscalls.dup(kicks[ring].number())))
        {
            return kick.drain();
        }
    }

    private static void signal(final Fd descriptor)
    {
        try (EventFd event = EventFd.of(Syscalls.dup(descriptor.number())))
        {
            event.signal();
        }
    }

    boolean hasKick(final int ring)
    {
        return null != kicks[ring];
    }

    int regionCount()
    {
        return null == memory ? 0 : memory.regionCount();
    }

    @Override
    public int ringCount()
    {
        return running.length;
    }

    @Override
    public void features(final long acknowledged)
    {
        note("features 0x" + Long.toHexString(acknowledged));
    }

    @Override
    public void memory(final GuestMemory replacement)
    {
        note("memory " + replacement.regionCount());
        final GuestMemory old = memory;
        memory = replacement;
        if (null != old)
        {
            old.close();
        }
    }

    @Override
    public void start(final RingSetup setup)
    {
        note("start " + setup.index() + " size " + setup.size() + " base " + Integer.toHexString(setup.base()) +
            (null == setup.inflight() ? "" : " tracked"));
        if (null == memory || !isMapped(setup))
        {
            calls.remove(calls.size() - 1);
            throw new RingFaultException("ring " + setup.index() + " is not in the guest's memory");
        }

        running[setup.index()] = setup;
        bases[setup.index()] = setup.base();
    }

    @Override
    public int stop(final int ring)
    {
        note("stop " + ring);
        final boolean wasRunning = null != running[ring];
        running[ring] = null;
        return wasRunning ? bases[ring] : -1;
    }

    @Override
    public int suspend(final int ring)
    {
        final int base = stop(ring);
        calls.set(calls.size() - 1, "suspend " + ring);
        return base;
    }

    @Override
    public void enable(final int ring, final boolean on)
    {
        note((on ? "enable " : "disable ") + ring);
        enabled[ring] = on;
    }

    @Override
    public void kick(final int ring, final Fd descriptor)
    {
        note("kick " + ring + (null == descriptor ? " none" : ""));
        replace(kicks, ring, descriptor);
    }

    @Override
    public void call(final int ring, final Fd descriptor)
    {
        note("call " + ring + (null == descriptor ? " none" : ""));
        replace(interrupts, ring, descriptor);
    }

    @Override
    public void error(final int ring, final Fd descriptor)
    {
        note("error " + ring + (null == descriptor ? " none" : ""));
        replace(errors, ring, descriptor);
    }

    @Override
    public void log(final DirtyLog dirtyLog, final EventFd signal)
    {
        note(null == dirtyLog ? "log none" : "log" + (null == signal ? "" : " told"));
        log = dirtyLog;
        logSignal = signal;
    }

    @Override
    public void logRing(final int ring, final long usedGuestAddress)
    {
        note("log ring " + ring + " at " + Long.toHexString(usedGuestAddress));
    }

    @Override
    public void translated(final boolean hasLost)
    {
        note(hasLost ? "translated, lost" : "translated");
    }

    boolean isTranslated()
    {
        return memory.isTranslated();
    }

    /** What a worker does that finds no page at an address. */
    Iotlb.Answer miss(final long iova)
    {
        return memory.want(iova, 1, Iotlb.READ);
    }

    @Override
    public int controlDescriptor()
    {
        return control.number();
    }

    @Override
    public boolean mustPollControl()
    {
        return false;
    }

    @Override
    public void control(final ChainHandler handler)
    {
        control.drain();
    }

    @Override
    public void receive(final ReceiveRules rules)
    {
        note("receive");
        received = rules;
    }

    @Override
    public void offloads(final int offloads)
    {
        note("offloads " + offloads);
    }

    @Override
    public void announce(final long mac)
    {
        note("announce " + Long.toHexString(mac));
    }

    @Override
    public boolean mtu(final int mtu)
    {
        note("mtu " + mtu);
        return mtu <= mtuLimit;
    }

    @Override
    public void refresh()
    {
        // What is changed here is changed at once.
    }

    @Override
    public int mtu()
    {
        return mtu;
    }

    @Override
    public boolean isLinkUp()
    {
        return isLinkUp;
    }

    @Override
    public LinkSpeed speed()
    {
        return new LinkSpeed(10_000, 1);
    }

    @Override
    public void connected(final boolean up)
    {
        note(up ? "link up" : "link down");
    }

    @Override
    public void reset()
    {
        calls.add("reset");
        for (int i = 0; i < running.length; i++)
        {
            running[i] = null;
            enabled[i] = false;
            replace(kicks, i, null);
            replace(interrupts, i, null);
            replace(errors, i, null);
        }

        if (null != memory)
        {
            memory.close();
            memory = null;
        }
    }

    private void note(final String call)
    {
        if (null != failure)
        {
            throw failure;
        }

        calls.add(call);
    }

    private boolean isMapped(final RingSetup setup)
    {
        final GuestWindow window = new GuestWindow();
        return memory.ringView(setup.descriptorAddress(), 16L * setup.size(), 16, window) &&
            memory.ringView(setup.driverAddress(), 6 + 2L * setup.size(), 2, window) &&
            memory.ringView(setup.deviceAddress(), 6 + 8L * setup.size(), 4, window);
    }

    private static void replace(final Fd[] descriptors, final int ring, final Fd descriptor)
    {
        if (null != descriptors[ring])
        {
            descriptors[ring].close();
        }

        descriptors[ring] = descriptor;
    }
}
