package io.ringtap.vhost.session;

import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.protocol.RingRule;

/** How far a session has come when a message arrives. */
enum MessageState
{
    /** Features are agreed on, nothing else was said. */
    NEGOTIATED,
    /** All was said, and the rings are stopped again. */
    STOPPED,
    RUNNING,
    /** Stopped, and the device's state has gone out. */
    SAVED;

    /** A second region beside the one that the rings lie in. */
    static final byte[] EXTRA_REGION = Payloads.region(0x2_0000_0000L, 0x10000, 0x7d00_0000_0000L, 0);

    /** In which a right message is handled. */
    static MessageState right(final Request request)
    {
        return Request.CHECK_DEVICE_STATE == request ? SAVED : RingRule.ANY == request.ringRule() ? RUNNING : STOPPED;
    }

    /** In which a message that is right otherwise is refused; null for one that is welcome at any time. */
    static MessageState wrong(final Request request)
    {
        return switch (request)
        {
            // No size, no addresses, no memory; no such region.
            case SET_VRING_KICK, REM_MEM_REG -> NEGOTIATED;
            // Other features than those that the rings run with.
            case SET_FEATURES -> RUNNING;
            // No transfer was begun.
            case CHECK_DEVICE_STATE -> STOPPED;
            default -> RingRule.ANY == request.ringRule() ? null : RUNNING;
        };
    }

    FrontendScript enter(final SessionFixture fixture)
    {
        final FrontendScript script = NEGOTIATED == this ? fixture.negotiated() : fixture.running();
        script.send(Request.SET_PROTOCOL_FEATURES, Payloads.u64(Session.SUPPORTED_PROTOCOL_FEATURES));
        if (NEGOTIATED == this)
        {
            return script;
        }

        script.acked(Request.ADD_MEM_REG, EXTRA_REGION, fixture.guest.memory.number());
        for (int ring = 0; RUNNING != this && ring < fixture.dataPlane.ringCount(); ring++)
        {
            script.askBase(ring);
        }

        if (SAVED == this)
        {
            script.send(Request.SET_DEVICE_STATE_FD, Payloads.state(0, 0), fixture.guest.memory.number());
            script.reply(Request.SET_DEVICE_STATE_FD.code());
        }

        return script;
    }
}
