package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.TestFrames;
import io.ringtap.it.rig.Testpmd;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rigs against a backend that is known to work, so that a failure elsewhere is the product's and not theirs. */
class RigIT
{
    private static Lab lab;
    private static QemuGuest guest;
    private static Wire wire;

    @BeforeAll
    static void boot()
    {
        Provision.kit();
        lab = Lab.open(RigIT.class);
        final Path socket = lab.socket("dpdk.sock");
        Testpmd.vhostToTap(lab, "dpdk", socket, Wire.TAP);
        Wire.raise(lab.netns());
        guest = QemuGuest.plan().vhostUser(socket).boot(lab, "guest");
        guest.check("up " + Wire.GUEST_ADDRESS);
        wire = new Wire(lab, guest);
    }

    @AfterAll
    static void takeDown()
    {
        if (null != lab)
        {
            lab.close();
        }
    }

    @Test
    void shouldPingThroughBackendOfDpdk()
    {
        wire.ping();

        assertTrue(guest.check("features").contains("32"));
        assertEquals("1", guest.check("cat /sys/class/net/eth0/carrier"));
    }

    @Test
    void shouldCompareFramesOfBothDirections()
    {
        assertEquals("", wire.framesToHost(TestFrames.small(), "small.pcap"));
        assertEquals("", wire.framesToGuest(TestFrames.small(), "small.pcap"));
    }

    @Test
    void shouldCountGeneratedDatagrams()
    {
        assertNull(wire.lostOf(2000, 60, 1, 1));
    }

    @Test
    void shouldCompareStreamsOfBothDirections()
    {
        assertTrue(wire.streamToHost());
        assertTrue(wire.streamToGuest());
        assertTrue(wire.tcpMbits(true) > 0);
        assertTrue(wire.tcpMbits(false) > 0);
    }
}
