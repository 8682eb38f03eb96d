package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.TestFrames;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A guest that lets its devices reach nothing but what it maps for them, page by page, and takes pages back. */
@Tag("virtio.ACCESS_PLATFORM")
@Tag("message.IOTLB_MSG")
@Tag("backend.IOTLB_MSG")
class IommuIT
{
    private static final String ACCESS_PLATFORM = "33";
    private static final int GENERATED = 5_000;
    /** What the driver took back while the device was stopped must not be used again. */
    private static final int REBINDS = Integer.getInteger("ringtap.it.rebinds", 5);

    private Lab lab;
    private Ringtap backend;
    private QemuGuest guest;

    @BeforeEach
    void open()
    {
        Provision.kit();
        lab = Lab.open(IommuIT.class);
    }

    @AfterEach
    void takeDown()
    {
        lab.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",packed=on"})
    void shouldCarryEverythingThroughTranslations(final String device)
    {
        final Path socket = lab.socket("vhost.sock");
        backend = Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP);
        Wire.raise(lab.netns());
        guest = QemuGuest.plan().device(device).iommu().vhostUser(socket).boot(lab, "guest");
        assertTrue(List.of(guest.check("features").split(" ")).contains(ACCESS_PLATFORM));
        assertTrue(Integer.parseInt(guest.check("ls /sys/kernel/iommu_groups | wc -l")) > 0, "the IOMMU is on");
        guest.check("up " + Wire.GUEST_ADDRESS);
        final Wire wire = new Wire(lab, guest);

        wire.ping();
        assertTrue(wire.streamToHost(), "stream to the host");
        assertTrue(wire.streamToGuest(), "stream to the guest");
        assertNull(wire.lostOf(GENERATED, 60, 1, 1));
        assertEquals("", wire.framesToGuest(TestFrames.small(), "small.pcap"), "to the guest");
        for (int i = 0; i < REBINDS; i++)
        {
            guest.check("rebind");
            guest.check("up " + Wire.GUEST_ADDRESS);
            wire.ping();
            assertNull(wire.lostOf(GENERATED, 60, 1, 1));
        }

        Progress.say("behind an IOMMU" + device + ": TCP " + Math.round(wire.tcpMbits(true)) + " Mbit/s to the host, " +
            Math.round(wire.tcpMbits(false)) + " to the guest");
        assertTrue(backend.process().output().contains("ACCESS_PLATFORM"));
        assertEquals(0, backend.terminate());
    }
}
