package io.ringtap.vhost.session;

import io.ringtap.counters.CounterSet;
import io.ringtap.sys.Memory;
import io.ringtap.vhost.control.ControlEffects;
import io.ringtap.vhost.control.ControlQueue;
import io.ringtap.vhost.control.ReceiveRules;
import io.ringtap.vhost.dataplane.ChainHandler;
import io.ringtap.vhost.dataplane.DataPlane;
import io.ringtap.vhost.virtio.DescriptorChain;
import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Answers the guest's driver on the control queue: a command is copied once, judged, done by everybody whom it
 * concerns, and then acknowledged (virtio 1.x, 5.1.6.5). Used by the session's thread.
 */
final class ControlDesk implements ChainHandler, ControlEffects
{
    private static final int ACK_LENGTH = 1;
    private static final byte[] NOTHING = {};

    private final DataPlane dataPlane;
    private final ConfigSpace config;
    private final CounterSet<SessionCounter> counters;
    private final ControlQueue queue;
    private final long mac;
    private final UnsafeBuffer command;
    private long features;
    /** What another device was asked for, while we do not know the features that it was asked with. */
    private byte[] restored = NOTHING;

    ControlDesk(final SessionContext context, final ConfigSpace config)
    {
        dataPlane = context.dataPlane();
        this.config = config;
        counters = context.counters();
        mac = 0 == context.pinnedMac() ? context.mac() : context.pinnedMac();
        queue = new ControlQueue(Math.max(1, dataPlane.ringCount() / 2), context.pinnedMac(), this);
        command = NetFeatures.has(context.offeredFeatures(), NetFeatures.CTRL_VQ) ?
            Memory.scratch(ControlQueue.MAX_LENGTH) : null;
    }

    /** The device starts anew with these features. */
    void negotiated(final long acknowledged)
    {
        features = acknowledged;
        config.isAnnouncing(false);
        if (null != command)
        {
            queue.negotiated(acknowledged, mac);
        }

        if (0 == acknowledged)
        {
            restored = NOTHING;
        }

        restore();
    }

    /** Whether the control queue is offered. */
    boolean isOffered()
    {
        return null != command;
    }

    /** Whether nobody tells when the driver asks for something. */
    boolean mustPoll()
    {
        return dataPlane.mustPollControl();
    }

    /** Serves what the driver asks for, a bounded part of it. */
    void doWork()
    {
        dataPlane.control(this);
    }

    /**
     * Asks the guest to announce itself, where it can be asked and can answer: by the config space, and by the control
     * queue.
     */
    void announce()
    {
        config.isAnnouncing(queue.isOurs() && NetFeatures.has(features, NetFeatures.STATUS) &&
            NetFeatures.has(features, NetFeatures.GUEST_ANNOUNCE));
    }

    @Override
    public int onChain(final DescriptorChain chain)
    {
        counters.increment(SessionCounter.CONTROL_COMMANDS);
        final int length = chain.readable().length();
        if (chain.writable().length() < ACK_LENGTH)
        {
            // Nobody can be told what became of it, so nothing does.
            counters.increment(SessionCounter.CONTROL_REFUSALS);
            return 0;
        }

        int result = ControlQueue.ERROR;
        if (length <= ControlQueue.MAX_LENGTH)
        {
            chain.readable().copyIn(0, command, 0, length);
            result = queue.handle(command, 0, length);
        }

        counters.add(SessionCounter.CONTROL_REFUSALS, result);
        command.putByte(0, (byte)result);
        return chain.writable().copyOut(0, command, 0, ACK_LENGTH);
    }

    @Override
    public void receive(final ReceiveRules rules)
    {
        dataPlane.receive(rules);
    }

    @Override
    public void offloads(final int offloads)
    {
        dataPlane.offloads(offloads);
    }

    @Override
    public void address(final long address)
    {
        config.mac(address);
    }

    @Override
    public boolean announced()
    {
        return config.isAnnouncing(false);
    }

    /** Writes what the driver asked for so far; @return bytes, none without a control queue. */
    int save(final MutableDirectBuffer to, final int offset)
    {
        return queue.isOurs() ? queue.state().save(to, offset) : 0;
    }

    /**
     * Asks for the same, now or when the features are known.
     *
     * @return false when it is no such writing; nothing has changed then.
     */
    boolean isRestored(final DirectBuffer from, final int offset, final int length)
    {
        final boolean isWhole = ControlQueue.isSaved(from, offset, length);
        if (isWhole)
        {
            restored = new byte[length];
            from.getBytes(offset, restored);
            restore();
        }

        return isWhole;
    }

    private void restore()
    {
        if (queue.isOurs() && 0 < restored.length)
        {
            queue.restore(new UnsafeBuffer(restored), 0, restored.length);
            restored = NOTHING;
            announce();
        }
    }
}
