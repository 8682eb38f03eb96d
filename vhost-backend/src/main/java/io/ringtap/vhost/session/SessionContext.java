package io.ringtap.vhost.session;

import java.util.Objects;

import io.ringtap.counters.CounterSet;
import io.ringtap.sys.LinkWatch;
import io.ringtap.vhost.dataplane.DataPlane;
import io.ringtap.vhost.protocol.ProtocolFeature;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/** What the sessions of one port are made of. Set, then {@link #conclude()}d, then given to a {@link SessionAgent}. */
public final class SessionContext
{
    /** Sleeps until something happens: nothing else wakes an idle session. */
    public static final int SLEEP_FOR_EVER = -1;

    private String name = "port";
    private FrontendSource source;
    private DataPlane dataPlane;
    private long offeredFeatures;
    private long protocolFeatures =
        Session.SUPPORTED_PROTOCOL_FEATURES & ~Session.ON_DEMAND_PROTOCOL_FEATURES;
    private long mac;
    private long pinnedMac;
    private CounterSet<SessionCounter> counters;
    private NanoClock clock = SystemNanoClock.INSTANCE;
    private int maxSleepMs = SLEEP_FOR_EVER;
    private Runnable onExhausted = () -> {};
    private LinkWatch portWatch;

    /** Checks that nothing is missing, and fills in what has a default. */
    public SessionContext conclude()
    {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(dataPlane, "dataPlane");
        final long alien = protocolFeatures & ~Session.SUPPORTED_PROTOCOL_FEATURES;
        if (0 != alien)
        {
            throw new IllegalStateException(
                "protocol features " + ProtocolFeature.names(alien) + " are not there to be offered");
        }

        if (null == counters)
        {
            counters = new CounterSet<>(name, SessionCounter.class);
        }

        return this;
    }

    public String name()
    {
        return name;
    }

    /** The port's name, in front of each line of the log. */
    public SessionContext name(final String value)
    {
        name = value;
        return this;
    }

    public FrontendSource source()
    {
        return source;
    }

    /** Where front-ends come from; closed by the agent. */
    public SessionContext source(final FrontendSource value)
    {
        source = value;
        return this;
    }

    public DataPlane dataPlane()
    {
        return dataPlane;
    }

    /** What messages end in. */
    public SessionContext dataPlane(final DataPlane value)
    {
        dataPlane = value;
        return this;
    }

    public long offeredFeatures()
    {
        return offeredFeatures;
    }

    /** Virtio features; VHOST_USER_F_PROTOCOL_FEATURES is added. They do not change while front-ends may come. */
    public SessionContext offeredFeatures(final long value)
    {
        offeredFeatures = value;
        return this;
    }

    public long protocolFeatures()
    {
        return protocolFeatures;
    }

    /** {@link ProtocolFeature} bits to offer: all that work unless fewer are wanted. */
    public SessionContext protocolFeatures(final long value)
    {
        protocolFeatures = value;
        return this;
    }

    /** Offers the config space too. */
    public SessionContext offersConfig(final boolean offers)
    {
        protocolFeatures = offers ? protocolFeatures | Session.ON_DEMAND_PROTOCOL_FEATURES :
            protocolFeatures & ~Session.ON_DEMAND_PROTOCOL_FEATURES;
        return this;
    }

    public long mac()
    {
        return mac;
    }

    /** The guest's address in the config space, first byte in the low bits; 0 for none. */
    public SessionContext mac(final long address)
    {
        mac = address;
        return this;
    }

    public long pinnedMac()
    {
        return pinnedMac;
    }

    /** The only address that the guest may have; 0 for any. */
    public SessionContext pinnedMac(final long address)
    {
        pinnedMac = address;
        return this;
    }

    public CounterSet<SessionCounter> counters()
    {
        return counters;
    }

    /** Written by the agent's thread alone. */
    public SessionContext counters(final CounterSet<SessionCounter> value)
    {
        counters = value;
        return this;
    }

    public NanoClock clock()
    {
        return clock;
    }

    /** For the delays of a connector. */
    public SessionContext clock(final NanoClock value)
    {
        clock = value;
        return this;
    }

    public int maxSleepMs()
    {
        return maxSleepMs;
    }

    /** Longest sleep of one cycle of the agent: 0 when it shares its thread or is driven by hand. */
    public SessionContext maxSleepMs(final int value)
    {
        maxSleepMs = value;
        return this;
    }

    /** Null where nobody tells. */
    public LinkWatch portWatch()
    {
        return portWatch;
    }

    /** Tells when something of the port's interface is set; closed by the agent. */
    public SessionContext portWatch(final LinkWatch value)
    {
        portWatch = value;
        return this;
    }

    public Runnable onExhausted()
    {
        return onExhausted;
    }

    /** Called once by the agent's thread when its last front-end has gone: that of an inherited connection. */
    public SessionContext onExhausted(final Runnable value)
    {
        onExhausted = value;
        return this;
    }
}
