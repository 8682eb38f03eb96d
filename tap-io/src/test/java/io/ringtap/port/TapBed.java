package io.ringtap.port;

import io.ringtap.sys.Interfaces;

/** A TAP: the host's side is the interface itself. */
final class TapBed extends PortBed
{
    private static final String NAME = "rt0";

    private final PortIo io;

    TapBed(final PortIo io)
    {
        this.io = io;
    }

    @Override
    void raise(final int mtu)
    {
        // The port makes its interface.
    }

    @Override
    PortRig open(final int mtu)
    {
        final PortRig rig = PortRig.tap(new TapOptions().name(NAME).io(io).batch(PortRig.BATCH).mtu(mtu));
        rig.port.carrier(true);
        return rig;
    }

    @Override
    String device()
    {
        return NAME;
    }

    @Override
    String host()
    {
        return NAME;
    }

    @Override
    void lose()
    {
        NetNamespace.run("ip", "link", "del", NAME);
        // Somebody else's interface of that name is in the way.
        NetNamespace.run("ip", "link", "add", NAME, "type", "veth", "peer", "name", "other");
    }

    @Override
    void restore()
    {
        NetNamespace.run("ip", "link", "del", NAME);
    }

    @Override
    void mtu(final int mtu)
    {
        NetNamespace.run("ip", "link", "set", NAME, "mtu", Integer.toString(mtu));
    }

    @Override
    int mostCalls(final int frames)
    {
        // Reads with a system call each look once more to find the queue empty.
        return PortIo.SYSCALL == io ? 2 * frames : super.mostCalls(frames);
    }

    @Override
    public void close()
    {
        try (Interfaces interfaces = Interfaces.open())
        {
            if (interfaces.exists(NAME))
            {
                NetNamespace.run("ip", "link", "del", NAME);
            }
        }
    }
}
