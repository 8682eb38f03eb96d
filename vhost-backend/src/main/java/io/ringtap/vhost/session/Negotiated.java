package io.ringtap.vhost.session;

import java.util.List;

/**
 * What a NIC offers and what its front-end took of it, in the specification's words.
 *
 * @param offered         virtio features.
 * @param acknowledged    those that the guest's driver took; empty while no front-end is there.
 * @param protocolOffered features of the vhost-user protocol.
 * @param protocolAgreed  those that the front-end took.
 */
public record Negotiated(
    List<String> offered, List<String> acknowledged, String protocolOffered, String protocolAgreed)
{
    /** Copies the lists. */
    public Negotiated
    {
        offered = List.copyOf(offered);
        acknowledged = List.copyOf(acknowledged);
    }
}
