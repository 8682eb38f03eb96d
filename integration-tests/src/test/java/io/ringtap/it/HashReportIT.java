package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.TestFrames;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A guest that wants hashes, so that every frame in both directions has a net header of 20 bytes. */
@Tag("virtio.HASH_REPORT")
class HashReportIT
{
    private static final String HASH_REPORT = "57";
    private static final int GENERATED = 5_000;

    private Lab lab;

    @BeforeEach
    void open()
    {
        Provision.kit();
        lab = Lab.open(HashReportIT.class);
    }

    @AfterEach
    void takeDown()
    {
        lab.close();
    }

    @Test
    void shouldCarryEverythingBehindTheLongHeader()
    {
        final Path socket = lab.socket("vhost.sock");
        final Ringtap backend = Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP);
        Wire.raise(lab.netns());
        final QemuGuest guest = QemuGuest.plan().device(",rss=on,hash=on").vhostUser(socket).boot(lab, "guest");
        assertTrue(List.of(guest.check("features").split(" ")).contains(HASH_REPORT));
        guest.check("up " + Wire.GUEST_ADDRESS);
        final Wire wire = new Wire(lab, guest);

        wire.ping();
        assertTrue(wire.streamToHost(), "stream to the host");
        assertTrue(wire.streamToGuest(), "stream to the guest");
        assertNull(wire.lostOf(GENERATED, 60, 1, 1));
        assertEquals("", wire.framesToHost(TestFrames.small(), "small.pcap"), "to the host");
        assertEquals("", wire.framesToGuest(TestFrames.small(), "small.pcap"), "to the guest");
        assertEquals(0, backend.terminate());
    }
}
