package io.ringtap.port;

/** The interfaces around a port under test, in the namespace of the calling thread. */
abstract class PortBed implements AutoCloseable
{
    /** Makes what the port needs to be there before it. */
    abstract void raise(int mtu);

    abstract PortRig open(int mtu);

    /** The interface of the port. */
    abstract String device();

    /** The interface at which a packet socket sees what the port sends, and sends what the port receives. */
    abstract String host();

    /** Deletes the interface of the port, and sees to it that it cannot come back before {@link #restore()}. */
    abstract void lose();

    /** Makes it possible for the interface to come back. */
    abstract void restore();

    /** Brings the interface of the port up again, and returns when frames go both ways. */
    void up()
    {
        NetNamespace.run("ip", "link", "set", device(), "up");
    }

    /** Sets the MTU of every interface as an administrator would. */
    abstract void mtu(int mtu);

    /** System calls that sending or receiving so many frames in batches may cost. */
    int mostCalls(final int frames)
    {
        return frames / 16;
    }

    /** Whether super-frames that the host sends arrive, whole or cut: the port hears of what they are. */
    boolean receivesSuperFrames()
    {
        return true;
    }

    @Override
    public abstract void close();
}
