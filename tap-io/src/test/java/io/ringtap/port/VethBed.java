package io.ringtap.port;

import io.ringtap.sys.Interfaces;

import java.util.function.IntFunction;

/** A port on one end of a virtual cable; the host's side is the other end. */
class VethBed extends PortBed
{
    static final String NEAR = "rtv0";
    static final String FAR = "rtv1";

    private final IntFunction<PortRig> opener;
    private int mtu;

    /** @param opener makes the port on {@link #NEAR}, given the MTU. */
    VethBed(final IntFunction<PortRig> opener)
    {
        this.opener = opener;
    }

    @Override
    void raise(final int bytes)
    {
        mtu = bytes;
        restore();
    }

    @Override
    PortRig open(final int bytes)
    {
        final PortRig rig = opener.apply(bytes);
        rig.port.carrier(true);
        return rig;
    }

    @Override
    String device()
    {
        return NEAR;
    }

    @Override
    String host()
    {
        return FAR;
    }

    @Override
    void lose()
    {
        NetNamespace.run("ip", "link", "del", NEAR);
    }

    @Override
    void restore()
    {
        final String bytes = Integer.toString(mtu);
        NetNamespace.run(
            "ip", "link", "add", NEAR, "mtu", bytes, "type", "veth", "peer", "name", FAR, "mtu", bytes);
        NetNamespace.run("ip", "link", "set", NEAR, "up");
        NetNamespace.run("ip", "link", "set", FAR, "up");
    }

    /** The kernel opens the other end's queue some time after the link is there, and drops what comes before. */
    @Override
    void up()
    {
        super.up();
        final long deadline = System.nanoTime() + 5_000_000_000L;
        while (!NetNamespace.run("ip", "link", "show", FAR).contains("state UP"))
        {
            if (System.nanoTime() > deadline)
            {
                throw new AssertionError(FAR + " does not come up");
            }
        }
    }

    @Override
    void mtu(final int bytes)
    {
        mtu = bytes;
        NetNamespace.run("ip", "link", "set", FAR, "mtu", Integer.toString(bytes));
        NetNamespace.run("ip", "link", "set", NEAR, "mtu", Integer.toString(bytes));
    }

    @Override
    public void close()
    {
        try (Interfaces interfaces = Interfaces.open())
        {
            if (interfaces.exists(NEAR))
            {
                NetNamespace.run("ip", "link", "del", NEAR);
            }
        }
    }
}
