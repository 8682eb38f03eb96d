package io.ringtap.vhost.dataplane;

/** What one NIC has of a thread that it shares with others; all workers of the NIC on that thread have it together. */
final class ThreadShare
{
    private final String nic;
    private int members;
    private long aheadNs;
    private boolean isWanting;

    ThreadShare(final String nic)
    {
        this.nic = nic;
    }

    String nic()
    {
        return nic;
    }

    /** @return workers of the NIC on this thread, after so many more came. */
    int members(final int more)
    {
        members += more;
        return members;
    }

    /** Time that the NIC had more than the one that wanted the thread and had it least. */
    long aheadNs()
    {
        return aheadNs;
    }

    void aheadNs(final long ns)
    {
        aheadNs = ns;
    }

    /** Whether it had work in this round, or waits. */
    boolean isWanting()
    {
        return isWanting;
    }

    void isWanting(final boolean wants)
    {
        isWanting = wants;
    }
}
