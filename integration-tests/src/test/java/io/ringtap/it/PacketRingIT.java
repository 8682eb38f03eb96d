package io.ringtap.it;

import io.ringtap.it.rig.Netns;
import java.util.List;

/** Packet sockets with mapped rings on one end of a virtual cable, whose other end is the host's. */
class PacketRingIT extends GuestTraffic
{
    private static final String NEAR = "near0";

    @Override
    List<String> options()
    {
        return List.of();
    }

    @Override
    String port()
    {
        return "--packet=" + NEAR;
    }

    @Override
    void lay(final Netns netns)
    {
        netns.check("ip", "link", "add", NEAR, "type", "veth", "peer", "name", Wire.TAP);
    }
}
