package io.ringtap.events;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** Frames had to wait for a millisecond or longer; told when they no longer have to. */
@Name("io.ringtap.Stall")
@Label("Stall")
@Category("Ringtap")
@StackTrace(false)
public final class StallEvent extends Event
{
    /** What they waited for. */
    public enum Reason
    {
        /** The host's queue. */
        PORT_FULL,
        /** Receive buffers of the guest. */
        NO_GUEST_BUFFER
    }

    @Label("Port")
    private String port;

    @Label("Queue")
    private int queue;

    @Label("Reason")
    private String reason;

    @Label("Waited")
    @Timespan(Timespan.NANOSECONDS)
    private long waited;

    private StallEvent()
    {
    }

    /** @param waitedNs for how long. */
    public static void tell(final String port, final int queue, final Reason reason, final long waitedNs)
    {
        final StallEvent event = new StallEvent();
        if (event.shouldCommit())
        {
            event.port = port;
            event.queue = queue;
            event.reason = reason.name();
            event.waited = waitedNs;
            event.commit();
        }
    }
}
