package io.ringtap.port;

import io.ringtap.sys.Errno;
import io.ringtap.sys.If;
import io.ringtap.sys.Interfaces;
import io.ringtap.sys.SyscallException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The interface under an AF_PACKET port: there or not, up or down, its MTU; left as it was found at the end. */
final class PacketLink implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(PacketRingPort.class);

    private final String name;
    private final Interfaces interfaces = Interfaces.open();
    private boolean wasSeen;
    private int foundMtu;
    private boolean foundUp;
    private volatile int mtu;
    private volatile int index;

    PacketLink(final String name)
    {
        this.name = name;
    }

    /** Looks at the interface, sets the MTU that is wanted and brings it up. @return its index. */
    synchronized int configure(final int wantedMtu)
    {
        if (!interfaces.exists(name))
        {
            throw new PortException("--packet=" + name, "there is no such interface",
                "make it first, or choose one that 'ip link' shows", null);
        }
        index = interfaces.index(name);
        foundMtu = interfaces.mtu(name);
        foundUp = interfaces.isUp(name);
        wasSeen = true;
        mtu = foundMtu;
        if (PacketOptions.UNSET != wantedMtu)
        {
            setMtu(wantedMtu);
        }
        if (!foundUp)
        {
            setUp();
        }
        return index;
    }

    int index()
    {
        return index;
    }

    int mtu()
    {
        return mtu;
    }

    synchronized void mtu(final int bytes)
    {
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
            mtu = interfaces.mtu(name);
        }
        catch (final SyscallException e)
        {
            LOG.debug("{}: {}", name, e.getMessage());
        }
        return before != mtu;
    }

    /** Up, and the cable or the peer is there. */
    synchronized boolean hasCarrier()
    {
        try
        {
            return 0 != (interfaces.flags(name) & If.IFF_RUNNING);
        }
        catch (final SyscallException e)
        {
            return false;
        }
    }

    @Override
    public synchronized void close()
    {
        if (wasSeen)
        {
            attempt(() -> mtu(foundMtu));
            if (!foundUp)
            {
                attempt(() -> interfaces.down(name));
            }
        }
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
                Errno.EINVAL == e.errno() ? "choose one that the device takes ('ip -d link show " + name + "')" :
                    "run: ip link set " + name + " mtu " + bytes, e);
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
}
