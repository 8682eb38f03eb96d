package io.ringtap.events;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A ring was started or stopped, or stopped by a fault. */
@Name("io.ringtap.Ring")
@Label("Ring")
@Category("Ringtap")
@StackTrace(false)
public final class RingEvent extends Event
{
    /** What happened. */
    public enum Change
    {
        STARTED,
        STOPPED,
        FAULT
    }

    @Label("Port")
    private String port;

    @Label("Ring")
    private int ring;

    @Label("Change")
    private String change;

    @Label("Detail")
    private String detail;

    private RingEvent()
    {
    }

    /** @param detail size and base, or why. */
    public static void tell(final String port, final int ring, final Change change, final String detail)
    {
        final RingEvent event = new RingEvent();
        if (event.shouldCommit())
        {
            event.port = port;
            event.ring = ring;
            event.change = change.name();
            event.detail = detail;
            event.commit();
        }
    }
}
