package io.ringtap.it;

import io.ringtap.it.rig.Netns;
import io.ringtap.it.rig.QemuGuest;

/** What both ends of the wire agree on, and the simplest proof that it carries frames. */
final class Wire
{
    static final String HOST = "198.18.7.1";
    static final String GUEST = "198.18.7.2";
    static final String HOST_ADDRESS = HOST + "/24";
    static final String GUEST_ADDRESS = GUEST + "/24";

    private Wire()
    {
    }

    /** Both ways; a first lost packet (ARP, a link that just came up) is not held against anybody. */
    static void ping(final Netns netns, final QemuGuest guest)
    {
        guest.check("ping -q -c 5 -i 0.2 -W 5 " + HOST);
        netns.check("ping", "-q", "-c", "5", "-i", "0.2", "-W", "5", GUEST);
    }
}
