package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Testpmd;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The rigs against a backend that is known to work, so that a failure elsewhere is the product's and not theirs. */
class RigIT
{
    private static final String TAP = "tap0";

    @Test
    void shouldPingThroughBackendOfDpdk()
    {
        Provision.kit();
        try (Lab lab = Lab.open(RigIT.class))
        {
            final Path socket = lab.socket("dpdk.sock");
            Testpmd.vhostToTap(lab, "dpdk", socket, TAP);
            lab.netns().up(TAP, Wire.HOST_ADDRESS);
            final QemuGuest guest = QemuGuest.plan().vhostUser(socket).boot(lab, "guest");
            guest.check("up " + Wire.GUEST_ADDRESS);

            Wire.ping(lab.netns(), guest);

            assertTrue(guest.check("features").contains("32"));
            assertEquals("1", guest.check("cat /sys/class/net/eth0/carrier"));
        }
    }
}
