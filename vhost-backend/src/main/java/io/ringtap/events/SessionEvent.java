package io.ringtap.events;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A front-end came, agreed on features, was refused something, or went. */
@Name("io.ringtap.Session")
@Label("Session")
@Category("Ringtap")
@StackTrace(false)
public final class SessionEvent extends Event
{
    /** What happened. */
    public enum Change
    {
        CONNECTED,
        FEATURES,
        REFUSED,
        DISCONNECTED
    }

    @Label("Port")
    private String port;

    @Label("Change")
    private String change;

    @Label("Detail")
    private String detail;

    private SessionEvent()
    {
    }

    /** @param detail peer, features, or reason. */
    public static void tell(final String port, final Change change, final String detail)
    {
        final SessionEvent event = new SessionEvent();
        if (event.shouldCommit())
        {
            event.port = port;
            event.change = change.name();
            event.detail = detail;
            event.commit();
        }
    }
}
