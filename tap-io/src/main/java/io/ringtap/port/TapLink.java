package io.ringtap.port;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Interfaces;
import io.ringtap.sys.LinkInfo;
import io.ringtap.sys.Links;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;
import io.ringtap.sys.Tun;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Arrays;

/**
 * The interface behind a TAP as the host's administrator sees it: MTU, address, up or down, bridge. Remembers what it
 * found, and puts that back when the interface outlives the port.
 */
final class TapLink implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(TapPort.class);
    private static final int DEFAULT_MTU = 1500;
    private static final int MAC_LENGTH = 6;

    private final TapOptions options;
    private final Interfaces interfaces = Interfaces.open();
    private String name;
    private boolean isForeign;
    private int foundMtu;
    private boolean foundUp;
    private byte[] foundMac;
    private boolean joinedBridge;
    private int mtu;

    TapLink(final TapOptions options)
    {
        this.options = options;
    }

    /**
     * Looks at the interface and sets what the options ask for, skipping what is so already: an interface that an
     * administrator made ready needs no right of ours.
     */
    synchronized void configure(final String interfaceName, final Fd fd)
    {
        name = interfaceName;
        isForeign = !options.descriptors().isEmpty() && isElsewhere(fd.number(), name);
        if (isForeign)
        {
            LOG.info("{}: the interface lives in another network namespace; its MTU is taken from --mtu", name);
            mtu = TapOptions.UNSET == options.mtu() ? DEFAULT_MTU : options.mtu();
            return;
        }
        foundMtu = interfaces.mtu(name);
        foundUp = interfaces.isUp(name);
        foundMac = interfaces.mac(name);
        mtu = foundMtu;
        if (TapOptions.UNSET != options.mac())
        {
            setMac(options.mac());
        }
        if (TapOptions.UNSET != options.mtu())
        {
            setMtu(options.mtu());
        }
        if (null != options.bridge())
        {
            join(options.bridge());
        }
        if (!foundUp)
        {
            setUp();
        }
    }

    /** In another namespace, where nothing can be read or set from here. */
    boolean isForeign()
    {
        return isForeign;
    }

    synchronized int index()
    {
        return interfaces.index(name);
    }

    int mtu()
    {
        return mtu;
    }

    synchronized void mtu(final int bytes)
    {
        if (isForeign)
        {
            throw new PortException(name, "its MTU cannot be set from here: it lives in another network namespace",
                "set it there", null);
        }
        if (interfaces.mtu(name) != bytes)
        {
            interfaces.mtu(name, bytes);
        }
        mtu = bytes;
    }

    /** The MTU may have been changed behind our back. @return true when it was. */
    synchronized boolean refreshMtu()
    {
        final int before = mtu;
        try
        {
            mtu = isForeign ? mtu : interfaces.mtu(name);
        }
        catch (final SyscallException e)
        {
            LOG.debug("{}: {}", name, e.getMessage());
        }
        return before != mtu;
    }

    /** For an interface that stays: as it was found. After the right to do so was dropped, it stays as it is. */
    synchronized void restore()
    {
        if (isForeign || null == foundMac)
        {
            return;
        }
        attempt(() -> mtu(foundMtu));
        if (TapOptions.UNSET != options.mac())
        {
            attempt(() -> interfaces.mac(name, foundMac));
        }
        if (joinedBridge)
        {
            attempt(() -> interfaces.leave(options.bridge(), name));
        }
        if (!foundUp)
        {
            attempt(() -> interfaces.down(name));
        }
    }

    @Override
    public synchronized void close()
    {
        interfaces.close();
    }

    private void setMtu(final int bytes)
    {
        try
        {
            mtu(bytes);
        }
        catch (final SyscallException e)
        {
            throw new PortException("--mtu=" + bytes, name + " does not take it (" + e.errnoName() + ")",
                Errno.EINVAL == e.errno() ? "choose one between 68 and 65521" :
                    "run: ip link set " + name + " mtu " + bytes, e);
        }
    }

    private void setMac(final long address)
    {
        final byte[] mac = new byte[MAC_LENGTH];
        for (int i = 0; i < MAC_LENGTH; i++)
        {
            mac[i] = (byte)(address >> Byte.SIZE * i);
        }
        if (!Arrays.equals(mac, foundMac))
        {
            interfaces.mac(name, mac);
        }
    }

    private void setUp()
    {
        try
        {
            interfaces.up(name);
        }
        catch (final SyscallException e)
        {
            throw new PortException(name, "the interface is down and cannot be brought up (" + e.errnoName() + ")",
                "run: ip link set " + name + " up", e);
        }
    }

    private void join(final String bridge)
    {
        final String option = "--bridge=" + bridge;
        try (Links links = Links.open())
        {
            final LinkInfo wanted = links.find(bridge);
            if (null == wanted || !"bridge".equals(wanted.kind()))
            {
                throw new PortException(option, null == wanted ? "there is no bridge of this name" :
                    "it is no bridge", "make one first (ip link add " + (null == wanted ? bridge : "br0") +
                    " type bridge)", null);
            }
            final int master = links.find(name).master();
            if (0 != master && wanted.index() != master)
            {
                throw new PortException(option, name + " belongs to " + interfaces.nameOf(master) + " already",
                    "take it out first (ip link set " + name + " nomaster)", null);
            }
            joinedBridge = 0 == master && interfaces.join(bridge, name);
        }
        catch (final SyscallException e)
        {
            throw new PortException(option, name + " cannot join it (" + e.errnoName() + ")",
                Errno.EPERM == e.errno() ? "run with CAP_NET_ADMIN, or join it before (ip link set " + name +
                " master " + bridge + ")" : "see dmesg", e);
        }
    }

    private void attempt(final Runnable step)
    {
        try
        {
            step.run();
        }
        catch (final SyscallException e)
        {
            LOG.debug("{}: not put back as it was: {}", name, e.getMessage());
        }
    }

    /** Whether the descriptor's interface is in another namespace than we. */
    private boolean isElsewhere(final int descriptor, final String device)
    {
        final int result = Syscalls.ioctlResult(descriptor, Tun.TUNGETDEVNETNS, 0);
        if (result < 0)
        {
            // A macvtap does not say, but knows its address.
            return !interfaces.exists(device) || !Arrays.equals(interfaces.mac(device), TapDevice.mac(descriptor));
        }
        try (Fd theirs = Fd.of(result); Fd ours = Syscalls.open("/proc/thread-self/ns/net", Fcntl.O_RDONLY))
        {
            return Syscalls.fstat(theirs.number()).inode() != Syscalls.fstat(ours.number()).inode();
        }
    }
}
