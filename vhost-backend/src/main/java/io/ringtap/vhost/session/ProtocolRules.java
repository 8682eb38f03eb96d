package io.ringtap.vhost.session;

import io.ringtap.vhost.protocol.ProtocolFeature;

/** Which protocol features need which others. */
final class ProtocolRules
{
    private ProtocolRules()
    {
    }

    /** Features that mean nothing without others: the front-end would go on by rules that are not ours. */
    static void check(final long value)
    {
        if (ProtocolFeature.GET_VRING_BASE_SKIP_DRAIN.isIn(value) &&
            (!ProtocolFeature.INFLIGHT_SHMFD.isIn(value) || !ProtocolFeature.GET_VRING_BASE_INFLIGHT.isIn(value)))
        {
            throw new ProtocolViolationException("GET_VRING_BASE_SKIP_DRAIN without INFLIGHT_SHMFD and " +
                "GET_VRING_BASE_INFLIGHT, which it needs");
        }

        if (ProtocolFeature.INBAND_NOTIFICATIONS.isIn(value) &&
            (!ProtocolFeature.REPLY_ACK.isIn(value) || !ProtocolFeature.BACKEND_REQ.isIn(value)))
        {
            throw new ProtocolViolationException(
                "INBAND_NOTIFICATIONS without REPLY_ACK and BACKEND_REQ, which it needs");
        }
    }
}
