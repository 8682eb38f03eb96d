package io.ringtap.frontend;

import io.ringtap.sys.Affinity;

/** How a {@link Guest} is to be on top of its front-end. Setters return this. */
public final class GuestConfig
{
    /** Long enough for a peer on another core to answer, short enough to cost nothing. */
    public static final long DEFAULT_SPIN_NS = 20_000;

    private GuestAddresses addresses;
    private int echoPort = GuestStack.NO_PORT;
    private int sinkFlows;
    private boolean verifiesChecksums = true;
    private long spinNs = DEFAULT_SPIN_NS;
    private int threads = Integer.MAX_VALUE;
    private int[] cpus = {};

    /** Who the guest is. */
    public GuestConfig addresses(final GuestAddresses who)
    {
        addresses = who;
        return this;
    }

    /** UDP port whose datagrams are sent back. */
    public GuestConfig echoPort(final int port)
    {
        echoPort = port;
        return this;
    }

    /**
     * Checks the frames of generators with flows below this number; 0 for no sink. A sink has one thread for all
     * queues, since the host may move a flow from one queue to another.
     */
    public GuestConfig sinkFlows(final int flows)
    {
        sinkFlows = flows;
        return this;
    }

    /** Whether the sink looks at IP and transport checksums too. */
    public GuestConfig verifiesChecksums(final boolean verifies)
    {
        verifiesChecksums = verifies;
        return this;
    }

    /** How long a thread spins before it sleeps; negative for ever, which is for benchmarks. */
    public GuestConfig spinNs(final long time)
    {
        spinNs = time;
        return this;
    }

    /** Most threads; never more than queue pairs. */
    public GuestConfig threads(final int most)
    {
        threads = most;
        return this;
    }

    /** Threads are pinned to these processors in turn; none for no pinning, see {@link Affinity}. */
    public GuestConfig cpus(final int... processors)
    {
        cpus = processors.clone();
        return this;
    }

    public GuestAddresses addresses()
    {
        return addresses;
    }

    public int echoPort()
    {
        return echoPort;
    }

    public int sinkFlows()
    {
        return sinkFlows;
    }

    public boolean verifiesChecksums()
    {
        return verifiesChecksums;
    }

    public long spinNs()
    {
        return spinNs;
    }

    public int threads()
    {
        return sinkFlows > 0 ? 1 : threads;
    }

    public int[] cpus()
    {
        return cpus.clone();
    }
}
