package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.vhost.control.ReceiveRules;
import io.ringtap.vhost.control.RssTable;
import io.ringtap.vhost.virtio.NetFeatures;

/** What the guest chose for one queue pair, by features and by commands, brought to those that act by it. */
final class PairSettings
{
    private final int pair;
    private final GuestToPort guestToPort;
    private final PortToGuest portToGuest;
    private final RingWriter writer;
    private final FrameStages stages;
    private final CounterSet<WorkerCounter> counters;
    /** For other NICs of the process, whose workers choose the pair by it. */
    private volatile RssTable rss;

    PairSettings(
        final int pair,
        final GuestToPort guestToPort,
        final PortToGuest portToGuest,
        final RingWriter writer,
        final FrameStages stages,
        final CounterSet<WorkerCounter> counters)
    {
        this.pair = pair;
        this.guestToPort = guestToPort;
        this.portToGuest = portToGuest;
        this.writer = writer;
        this.stages = stages;
        this.counters = counters;
    }

    /** On the worker: what rings started from now on will carry. */
    void negotiated(final long features)
    {
        final int headerLength = NetFeatures.headerLength(features);
        guestToPort.negotiated(headerLength, NetFeatures.transmitOffloads(features));
        writer.negotiated(headerLength, NetFeatures.hasMergeableBuffers(features));
        offloads(NetFeatures.receiveOffloads(features));
    }

    /** On the worker: what the guest takes from now on; what waits for it in another form is cut to it. */
    void offloads(final int offloads)
    {
        writer.offloads(offloads);
        stages.negotiated(offloads);
    }

    /**
     * On the worker: which frames the guest is given from now on.
     *
     * @param inboxes of all pairs.
     */
    void receive(final ReceiveRules rules, final Inbox[] inboxes)
    {
        rss = rules.rss();
        writer.rules(rules);
        portToGuest.steering(
            null == rss ? null : new Steering(pair, rules.filter(), rules.rss(), inboxes, counters));
    }

    /** Any thread: null when the guest does not choose. */
    RssTable rss()
    {
        return rss;
    }
}
