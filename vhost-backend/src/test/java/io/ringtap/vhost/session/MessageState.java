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
    RUNNING;

    /** A second region beside the one that the rings lie in. */
    static final byte[] EXTRA_REGION = Payloads.region(0x2_0000_0000L, 0x10000, 0x7d00_0000_0000L, 0);

    /** In which a right message is handled. */
    static MessageState right(final Request request)
    {
        return RingRule.ANY == request.ringRule() ? RUNNING : STOPPED;
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
            default -> RingRule.ANY == request.ringRule() ? null : RUNNING;
        };
    }

    FrontendScript enter(final SessionFixture fixture)
    {
        if (NEGOTIATED == this)
        {
            return fixture.negotiated();
        }

        final FrontendScript script = fixture.running();
        script.acked(Request.ADD_MEM_REG, EXTRA_REGION, fixture.guest.memory.number());
        for (int ring = 0; STOPPED == this && ring < fixture.dataPlane.ringCount(); ring++)
        {
            script.askBase(ring);
        }

        return script;
    }
}
