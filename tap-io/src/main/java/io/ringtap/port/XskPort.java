package io.ringtap.port;

import io.ringtap.flow.Offloads;
import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.PageArena;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Interfaces;
import io.ringtap.sys.LinkInfo;
import io.ringtap.sys.LinkWatch;
import io.ringtap.sys.Links;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Packet;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Xdp;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * A network device taken over by AF_XDP sockets: a small program in front of its queues gives every frame that comes in
 * to us instead of the host. No offloads: frames are plain both ways. The program goes with the port, and with the
 * process if that is killed.
 */
public final class XskPort implements PacketPort
{
    private static final Logger LOG = LoggerFactory.getLogger(XskPort.class);
    private static final int SMALL_CHUNK = 2048;
    /** The most that a buffer can have: a page of memory. */
    private static final int BIG_CHUNK = 4096;
    /** Ethernet header and two VLAN tags. */
    private static final int OVER_MTU = 22;
    /** A second in all. */
    private static final int MOST_ATTEMPTS = 100;
    private static final long ATTEMPT_NS = 10_000_000L;
    /** struct packet_mreq: interface, type, address length, address. */
    private static final int MEMBERSHIP_LENGTH = 16;

    private final XskOptions options;
    private final PageArena arena;
    private final String name;
    private final Interfaces interfaces;
    private final XskProgram program;
    private final List<XskQueue> queues = new ArrayList<>();
    private final int chunk;
    private final int deviceQueues;
    /** Holds the device promiscuous, since the guest's address is not the device's; goes with the process. */
    private Fd membership;
    private volatile int mtu;
    private boolean isClosed;

    private XskPort(
        final XskOptions options,
        final PageArena arena,
        final IntFunction<FragAllocator> allocators,
        final Interfaces interfaces,
        final XskProgram program)
    {
        this.options = options;
        this.arena = arena;
        this.interfaces = interfaces;
        this.program = program;
        name = options.name();
        mtu = interfaces.mtu(name);
        deviceQueues = interfaces.receiveQueues(name);
        chunk = mtu + OVER_MTU + Xdp.XDP_PACKET_HEADROOM <= SMALL_CHUNK ? SMALL_CHUNK : BIG_CHUNK;
        final boolean isVirtual = isVirtual(name);
        for (int i = 0; i < options.queues(); i++)
        {
            queues.add(new XskQueue(this, i, arena, allocators.apply(i), chunk, isVirtual, options));
        }
    }

    /**
     * Takes over a device in the network namespace of the calling thread.
     *
     * @param arena      where frames lie; registered with each queue's socket.
     * @param allocators the allocator of each queue, used by the queue's worker alone.
     * @throws PortException when that cannot be: one line for the user.
     */
    public static XskPort open(
        final XskOptions options, final PageArena arena, final IntFunction<FragAllocator> allocators)
    {
        final Interfaces interfaces = Interfaces.open();
        XskProgram program = null;
        XskPort port = null;
        try
        {
            prepare(options, interfaces);
            program = new XskProgram(options.name(), options.queues());
            port = new XskPort(options, arena, allocators, interfaces, program);
            port.openSockets();
            return port;
        }
        catch (final RuntimeException e)
        {
            CloseHelper.quietCloseAll(port, program, interfaces);
            throw e;
        }
    }

    /** What was found, in one line. */
    public String probeText()
    {
        final XskSocket first = queues.get(0).socket();
        final String mode = first.isZeroCopy() ? "zero-copy" : program.isGeneric() ? "generic (copies)" :
            "native (copies)";
        final String frames = first.hasFragments() ? "any length" :
            "frames of up to " + (chunk - Xdp.XDP_PACKET_HEADROOM) + " bytes";
        return name + ": " + queues.size() + (1 == queues.size() ? " queue" : " queues") +
            (deviceQueues > queues.size() ? " of " + deviceQueues + " (the others stay with the host)" : "") +
            ", no offloads, AF_XDP " + mode + ", " + frames;
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

    @Override
    public int transmitOffloads()
    {
        return Offloads.NONE;
    }

    /** Frames come plain, but for checksums that a virtual device left begun. */
    @Override
    public int receiveOffloads(final int wanted)
    {
        return wanted & Offloads.CSUM;
    }

    /** Plain frames can be merged for a guest that takes super-frames. */
    @Override
    public int supportedReceiveOffloads()
    {
        return Offloads.ALL & ~Offloads.UFO;
    }

    @Override
    public int mtu()
    {
        return refreshMtu();
    }

    @Override
    public synchronized void mtu(final int bytes)
    {
        if (interfaces.mtu(name) != bytes)
        {
            interfaces.mtu(name, bytes);
        }
        mtu = bytes;
    }

    /** The MTU is looked at whenever it is asked for. */
    @Override
    public LinkWatch watch()
    {
        return LinkWatch.ofChanges(interfaces.index(name));
    }

    /** The link is the device's own. */
    @Override
    public void carrier(final boolean up)
    {
        // A guest that leaves does not unplug the card.
    }

    @Override
    public synchronized void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            closeParts();
        }
    }

    /** The MTU may have been changed behind our back; a device that is away keeps the one it had. */
    synchronized int refreshMtu()
    {
        try
        {
            mtu = isClosed ? mtu : interfaces.mtu(name);
        }
        catch (final SyscallException e)
        {
            LOG.debug("{}: {}", name, e.getMessage());
        }
        return mtu;
    }

    /** Longest frame that may come now. */
    int longestFrame()
    {
        return refreshMtu() + OVER_MTU;
    }

    synchronized int linkIndex()
    {
        return interfaces.index(name);
    }

    /** A socket for a queue of a device that came back; null while there is none. */
    synchronized XskSocket reopen(final int queue, final boolean complains)
    {
        try
        {
            if (interfaces.mtu(name) != mtu)
            {
                interfaces.mtu(name, mtu);
            }
            return openSocket(queue);
        }
        catch (final PortException | SyscallException e)
        {
            if (complains)
            {
                LOG.warn("{} (tried again every second)", e.getMessage());
            }
            return null;
        }
    }

    private static void prepare(final XskOptions options, final Interfaces interfaces)
    {
        final String name = options.name();
        if (!interfaces.exists(name))
        {
            throw new PortException("--xsk=" + name, "there is no interface of this name",
                "name one that can be taken over whole", null);
        }
        final int queues = interfaces.receiveQueues(name);
        if (options.queues() > queues)
        {
            throw new PortException("--queues=" + options.queues(), name + " has " + queues,
                "use fewer, or give it more (ethtool -L " + name + ")", null);
        }
        try
        {
            if (TapOptions.UNSET != options.mtu() && interfaces.mtu(name) != options.mtu())
            {
                interfaces.mtu(name, options.mtu());
            }
        }
        catch (final SyscallException e)
        {
            throw new PortException("--mtu=" + options.mtu(), name + " does not take it (" + e.errnoName() + ")",
                "run: ip link set " + name + " mtu " + options.mtu(), e);
        }
    }

    /** Whether software made the device: what comes through it is another sender's frame as that left it. */
    private static boolean isVirtual(final String name)
    {
        try (Links links = Links.open())
        {
            final LinkInfo link = links.find(name);
            return null != link && !link.kind().isEmpty();
        }
    }

    private void openSockets()
    {
        for (int i = 0; i < options.queues(); i++)
        {
            queues.get(i).open(openSocket(i));
        }
    }

    private XskSocket openSocket(final int queue)
    {
        final int linkIndex = interfaces.index(name);
        if (!interfaces.isUp(name))
        {
            interfaces.up(name);
        }
        program.attach(linkIndex, options.mode());
        final XskMode mode = program.isGeneric() ? XskMode.GENERIC : options.mode();
        final XskSocket socket = bind(queue, linkIndex, mode);
        try
        {
            if (!socket.hasFragments() && mtu + OVER_MTU + Xdp.XDP_PACKET_HEADROOM > chunk)
            {
                throw new PortException("--xsk=" + name, "an MTU of " + mtu + " needs frames in pieces, which this" +
                    " kernel or driver does not know", "lower it to " + (chunk - Xdp.XDP_PACKET_HEADROOM - OVER_MTU),
                    null);
            }
            program.enter(queue, socket.number());
            listenToAll(linkIndex);
            return socket;
        }
        catch (final RuntimeException e)
        {
            socket.close();
            throw e;
        }
    }

    private XskSocket bind(final int queue, final int linkIndex, final XskMode mode)
    {
        for (int attempt = 1;; attempt++)
        {
            try
            {
                return new XskSocket(arena, chunk, options.ring(), linkIndex, queue, mode);
            }
            catch (final SyscallException e)
            {
                // The kernel lets go of a closed socket's queue a while later.
                if (Errno.EBUSY != e.errno() || MOST_ATTEMPTS == attempt)
                {
                    throw refusal(queue, mode, e);
                }
                LockSupport.parkNanos(ATTEMPT_NS);
            }
        }
    }

    private PortException refusal(final int queue, final XskMode mode, final SyscallException e)
    {
        final String remedy = switch (e.errno())
        {
            case Errno.EBUSY -> "stop the process that has a socket on this queue";
            case Errno.EOPNOTSUPP -> XskMode.ZEROCOPY == mode ?
                "its driver must copy: use --xsk=" + name + ":native" : "use --packet";
            case Errno.ENOBUFS, Errno.ENOMEM -> "raise the limit on locked memory: ulimit -l";
            case Errno.EPERM -> "run as root, or with CAP_NET_RAW";
            default -> "AF_XDP ports need Linux 5.9 or later and CONFIG_XDP_SOCKETS; see dmesg";
        };
        return new PortException("--xsk=" + name, "queue " + queue + " takes no AF_XDP socket (" + e.errnoName() +
            ")", remedy, e);
    }

    private void listenToAll(final int linkIndex)
    {
        CloseHelper.quietClose(membership);
        membership = Sockets.socket(Sockets.AF_PACKET, Sockets.SOCK_RAW, 0);
        final UnsafeBuffer request = Memory.scratch(MEMBERSHIP_LENGTH);
        request.putInt(0, linkIndex);
        request.putShort(Integer.BYTES, (short)Packet.PACKET_MR_PROMISC);
        Sockets.setOption(
            membership.number(), Packet.SOL_PACKET, Packet.PACKET_ADD_MEMBERSHIP, request, MEMBERSHIP_LENGTH);
    }

    /** The program first, so that the host has its device back before sockets end. */
    private void closeParts()
    {
        CloseHelper.quietCloseAll(program, membership);
        CloseHelper.quietCloseAll(queues);
        interfaces.close();
    }
}
