package io.ringtap.port;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Interfaces;
import io.ringtap.sys.LinkInfo;
import io.ringtap.sys.Links;
import io.ringtap.sys.Sockets;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;
import org.agrona.CloseHelper;

import java.util.Arrays;
import java.util.List;

/**
 * The descriptors of a macvtap: one that exists, or one of our own over the interface that was named. Ours bears a mark
 * and goes with the port; after a SIGKILL it stays until the next of us looks for a name and finds it without a master.
 */
final class MacvtapSource implements TapSource
{
    /** Names that are tried for a macvtap of our own. */
    static final int MOST_NAMES = 1000;

    private static final String KIND = "macvtap";
    private static final String MARK = "ringtap";

    private final TapOptions options;
    private final MacvtapMode mode;
    private final Links links = Links.open();
    private String name;
    private String lower;
    private Fd claim;

    /** @param mode of a macvtap that is made; null when none was asked for, which is bridge. */
    MacvtapSource(final TapOptions options, final MacvtapMode mode)
    {
        this.options = options;
        this.mode = mode;
    }

    @Override
    public void open(final List<TapDevice.Attached> into)
    {
        name = options.name();
        final LinkInfo found = links.find(name);
        if (null == found)
        {
            throw new PortException("--macvtap=" + name, "there is no interface of this name",
                "name a macvtap, or the interface that one is to be made over", null);
        }
        if (!KIND.equals(found.kind()))
        {
            lower = name;
            make(found.index());
        }
        else if (null != mode)
        {
            throw new PortException("--macvtap=" + name + ":" + mode.word(),
                "the macvtap exists, and its maker chose the mode", "leave the mode out", null);
        }
        for (int i = 0; i < options.queues(); i++)
        {
            into.add(openQueue());
        }
    }

    @Override
    public boolean outlives(final TapDevice.Attached first)
    {
        return null == lower;
    }

    @Override
    public void reattach(final Fd fd, final String device, final boolean isMultiQueue)
    {
        if (null == links.find(name))
        {
            if (null == lower)
            {
                throw new PortException(name, "there is no such macvtap yet", "make it again", null);
            }
            final LinkInfo below = links.find(lower);
            if (null == below)
            {
                throw new PortException(lower, "there is no such interface yet, and so no " + name + " over it",
                    "make it again", null);
            }
            add(name, below.index());
        }
        try (Fd fresh = openQueue().fd())
        {
            Syscalls.replace(fd.number(), fresh);
        }
    }

    @Override
    public void close()
    {
        if (null != claim)
        {
            final LinkInfo ours = links.find(name);
            if (null != ours && MARK.equals(ours.alias()))
            {
                links.delete(ours.index());
            }
        }
        CloseHelper.quietCloseAll(claim, links);
        claim = null;
    }

    /** Under the first name that is free, or that one of us left behind. */
    private void make(final int lowerIndex)
    {
        for (int i = 0; i < MOST_NAMES; i++)
        {
            final String candidate = KIND + i;
            final LinkInfo found = links.find(candidate);
            if ((null == found || MARK.equals(found.alias())) && claim(candidate))
            {
                if (null != found)
                {
                    links.delete(found.index());
                }
                name = candidate;
                if (add(candidate, lowerIndex))
                {
                    return;
                }
                claim.close();
            }
        }
        throw new PortException("--macvtap=" + lower, "the names " + KIND + "0 to " + KIND + (MOST_NAMES - 1) +
            " are taken", "delete some, or make a macvtap of another name and give that", null);
    }

    /** A name in the namespace says that the macvtap has a living master; it goes with the process. */
    private boolean claim(final String candidate)
    {
        final Fd socket = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_DGRAM, 0);
        if (Sockets.bindAbstract(socket.number(), MARK + "/" + candidate))
        {
            claim = socket;
            return true;
        }
        socket.close();
        return false;
    }

    private boolean add(final String candidate, final int lowerIndex)
    {
        final MacvtapMode chosen = null == mode ? MacvtapMode.BRIDGE : mode;
        try
        {
            return links.addMacvtap(candidate, lowerIndex, chosen.number(), mac(), MARK);
        }
        catch (final SyscallException e)
        {
            final String remedy = switch (e.errno())
            {
                case Errno.EPERM -> "run as root, or let root make it (ip link add link " + lower + " name " + KIND +
                    "0 type macvtap mode bridge) and hand over a descriptor with --tap-fd";
                case Errno.EOPNOTSUPP -> "load the module (modprobe macvtap)";
                case Errno.EBUSY -> "take " + lower + " out of its bridge or bond, or use --tap with --bridge";
                default -> "name another interface";
            };
            throw new PortException("--macvtap=" + lower,
                "no macvtap can be made over it (" + e.errnoName() + ")", remedy, e);
        }
    }

    private byte[] mac()
    {
        if (TapOptions.UNSET == options.mac())
        {
            return null;
        }
        final byte[] mac = new byte[6];
        for (int i = 0; i < mac.length; i++)
        {
            mac[i] = (byte)(options.mac() >> Byte.SIZE * i);
        }
        return mac;
    }

    private TapDevice.Attached openQueue()
    {
        final LinkInfo link = links.find(name);
        if (null == link)
        {
            throw new PortException(name, "it was deleted while it was opened", "make it again", null);
        }
        final Fd fd = MacvtapFile.open(name, link.index());
        final TapDevice.Attached queue = TapDevice.adopt(fd.release(), "--macvtap=" + name, options.sendBuffer());
        try (Interfaces interfaces = Interfaces.open())
        {
            // The file's name is made of a number that counts in each namespace anew.
            if (!name.equals(queue.name()) ||
                !Arrays.equals(interfaces.mac(name), TapDevice.mac(queue.fd().number())))
            {
                throw new PortException("--macvtap=" + name, "the file /dev/tap" + link.index() +
                    " belongs to " + queue.name() + " of another network namespace",
                    "mount the namespace's own sysfs on /sys (as ip netns exec does), or hand over a descriptor", null);
            }
            return options.queues() > 1 ? TapDevice.multiQueue(queue) : queue;
        }
        catch (final RuntimeException e)
        {
            queue.fd().close();
            throw e;
        }
    }
}
