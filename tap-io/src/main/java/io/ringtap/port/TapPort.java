package io.ringtap.port;

import io.ringtap.flow.Offloads;
import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.PageArena;
import io.ringtap.sys.Fd;
import io.ringtap.sys.LinkWatch;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A TAP of this host: one descriptor a queue. Made when it does not exist (then it goes with the port), attached when
 * it does (then it is left as it was found), or taken over from a parent. Its carrier is off until
 * {@link #carrier(boolean)} says otherwise.
 */
public final class TapPort implements PacketPort
{
    private static final Logger LOG = LoggerFactory.getLogger(TapPort.class);

    private final TapOptions options;
    private final TapSource source;
    private final TapLink link;
    private final String name;
    private final boolean isMultiQueue;
    private final boolean outlives;
    private final int supported;
    private final PortProbe probe;
    private final List<Fd> descriptors;
    private final List<TapQueue> queues = new ArrayList<>();
    private volatile int engaged = Offloads.NONE;
    private boolean isUp;
    private boolean isClosed;
    private boolean isHandedOver;

    private TapPort(
        final TapOptions options,
        final TapSource source,
        final TapLink link,
        final List<TapDevice.Attached> attached,
        final UnsafeBuffer arena,
        final IntFunction<FragAllocator> allocators)
    {
        this.options = options;
        this.source = source;
        this.link = link;
        descriptors = attached.stream().map(TapDevice.Attached::fd).toList();
        final TapDevice.Attached first = attached.get(0);
        name = first.name();
        isMultiQueue = first.isMultiQueue();
        outlives = source.outlives(first);
        final int fd = first.fd().number();
        supported = TapDevice.engageOffloads(fd, options.offloads());
        TapDevice.engageOffloads(fd, Offloads.NONE);
        TapDevice.carrier(fd, false);
        final TapQueues factory = new TapQueues(this, options.io());
        for (int i = 0; i < attached.size(); i++)
        {
            queues.add(factory.create(i, attached.get(i).fd(), arena, allocators.apply(i)));
        }
        probe = new PortProbe(name, queues.size(), isMultiQueue, TapDevice.features(fd), supported, factory.ioText());
    }

    /**
     * Opens the TAP in the network namespace of the calling thread.
     *
     * @param arena      where the fragments of received frames lie; native memory.
     * @param allocators the allocator of each queue, used by the queue's worker alone.
     * @throws PortException when it cannot be had: one line for the user.
     */
    public static TapPort open(
        final TapOptions options, final UnsafeBuffer arena, final IntFunction<FragAllocator> allocators)
    {
        return open(options, new TapOpener(options), arena, allocators);
    }

    /** @param source where the descriptors come from; the port closes it, also when this fails. */
    static TapPort open(
        final TapOptions options,
        final TapSource source,
        final UnsafeBuffer arena,
        final IntFunction<FragAllocator> allocators)
    {
        final List<TapDevice.Attached> attached = new ArrayList<>();
        final TapLink link = new TapLink(options);
        try
        {
            source.open(attached);
            link.configure(attached.get(0).name(), attached.get(0).fd());
            return new TapPort(options, source, link, attached, arena, allocators);
        }
        catch (final RuntimeException e)
        {
            attached.forEach((a) -> CloseHelper.quietClose(a.fd()));
            CloseHelper.quietCloseAll(link, source);
            throw e;
        }
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public int queueCount()
    {
        return queues.size();
    }

    @Override
    public PortQueue queue(final int index)
    {
        return queues.get(index);
    }

    /** The kernel takes any valid net header; only USO depends on its age, and is known when reads know it. */
    @Override
    public int transmitOffloads()
    {
        return probe.hasUso() ? Offloads.ALL : Offloads.ALL & ~(Offloads.USO4 | Offloads.USO6);
    }

    @Override
    public synchronized int receiveOffloads(final int wanted)
    {
        final int target = wanted & supported;
        // Room first, super-frames second, and the other way round when they end: a queue keeps its room until it has
        // read its host's queue empty.
        layout(Offloads.NONE == target ? engaged : target);
        engaged = TapDevice.engageOffloads(descriptors.get(0).number(), target);
        layout(engaged);
        return engaged;
    }

    @Override
    public int supportedReceiveOffloads()
    {
        return supported;
    }

    @Override
    public int mtu()
    {
        return link.mtu();
    }

    @Override
    public synchronized void mtu(final int mtu)
    {
        link.mtu(mtu);
        layout(engaged);
    }

    @Override
    public LinkWatch watch()
    {
        return link.isForeign() ? null : LinkWatch.ofChanges(link.index());
    }

    /** Also after a frame that did not fit. */
    @Override
    public synchronized void refresh()
    {
        if (link.refreshMtu())
        {
            LOG.info("{}: the MTU is {} now", name, link.mtu());
            layout(engaged);
        }
    }

    @Override
    public synchronized void carrier(final boolean up)
    {
        isUp = up;
        TapDevice.carrier(descriptors.get(0).number(), up);
    }

    /** What was found when the port was opened, for one line at start. */
    public PortProbe probe()
    {
        return probe;
    }

    @Override
    public synchronized List<Fd> handOver()
    {
        isHandedOver = true;
        return descriptors.stream().map((fd) -> Syscalls.dup(fd.number())).toList();
    }

    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        if (outlives && !isHandedOver)
        {
            TapDevice.engageOffloads(descriptors.get(0).number(), Offloads.NONE);
            link.restore();
        }
        CloseHelper.quietCloseAll(queues);
        CloseHelper.quietCloseAll(link, source);
    }

    int batch()
    {
        return options.batch();
    }

    int flushThreshold()
    {
        return Math.min(options.flushThreshold(), options.batch());
    }

    /** What stands beside a queue's descriptor when that does not tell of its device's end, else null. */
    TapSentry sentry(final Fd fd)
    {
        return TapDevice.isSilent(fd.number()) && !link.isForeign() ? new TapSentry(fd, link.index()) : null;
    }

    int linkIndex()
    {
        return link.index();
    }

    /** Null when it is not to be registered. */
    PageArena registeredArena()
    {
        return options.registeredArena();
    }

    boolean isMultiQueue()
    {
        return isMultiQueue;
    }

    ReceiveLayout receiveLayout()
    {
        return ReceiveLayout.of(link.mtu(), engaged);
    }

    /** Attaches a queue's descriptor to the interface anew after that was deleted. @return false when that failed. */
    synchronized boolean reattach(final Fd fd, final boolean complains)
    {
        final int mtu = link.mtu();
        try
        {
            source.reattach(fd, name, isMultiQueue);
            link.configure(name, fd);
            link.mtu(mtu);
            TapDevice.engageOffloads(fd.number(), engaged);
            TapDevice.carrier(fd.number(), isUp);
            return true;
        }
        catch (final PortException | SyscallException e)
        {
            if (complains)
            {
                LOG.warn("{} (tried again every second)", e.getMessage());
            }
            return false;
        }
    }

    private void layout(final int offloads)
    {
        final ReceiveLayout layout = ReceiveLayout.of(link.mtu(), offloads);
        queues.forEach((queue) -> queue.layout(layout));
    }
}
