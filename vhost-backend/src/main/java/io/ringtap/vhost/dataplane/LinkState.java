package io.ringtap.vhost.dataplane;

import io.ringtap.port.PacketPort;

/** The link of a port: up while a front-end is connected and the operator did not take it down. Any thread. */
public final class LinkState
{
    private final PacketPort port;
    private boolean isConnected;
    private boolean isWanted = true;
    private Runnable onChange = () -> {};

    /** @param port its carrier follows. */
    public LinkState(final PacketPort port)
    {
        this.port = port;
    }

    /** @param action called by the thread that takes the link up or down for the operator. */
    public synchronized void onChange(final Runnable action)
    {
        onChange = action;
    }

    /** The session is up or gone. */
    public synchronized void connected(final boolean up)
    {
        isConnected = up;
        port.carrier(isUp());
    }

    /** The operator takes it up or down. */
    public synchronized void wanted(final boolean up)
    {
        isWanted = up;
        port.carrier(isUp());
        onChange.run();
    }

    public synchronized boolean isUp()
    {
        return isConnected && isWanted;
    }

    /** Whether the operator left it up. */
    public synchronized boolean isWanted()
    {
        return isWanted;
    }
}
