package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.api.TestInstance;

/** What a guest and its owner do to a NIC while frames are on the way: each time the wire must carry again. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LifeCycleIT
{
    private Lab lab;
    private QemuGuest guest;
    private Wire wire;
    private Ringtap backend;
    private HostProcess flood;

    /** Every QEMU that is here: the order of the messages at stop differs. */
    static List<Integer> qemus()
    {
        return IntStream.range(0, Provision.kit().qemus().size()).boxed().toList();
    }

    @AfterEach
    void takeDown()
    {
        if (null != lab)
        {
            lab.close();
            lab = null;
        }
    }

    private void boot(final int qemu, final int queues)
    {
        lab = Lab.open(LifeCycleIT.class);
        final Path socket = lab.socket("vhost.sock");
        backend = Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP, "--queues=" + queues);
        Wire.raise(lab.netns());
        guest = QemuGuest.plan().qemu(Provision.kit().qemus().get(qemu)).queues(queues).vhostUser(socket)
            .boot(lab, "guest");
        guest.check("up " + Wire.GUEST_ADDRESS);
        wire = new Wire(lab, guest);
        wire.ping();
        // Never silent while things happen to the rings; unanswered echoes are part of it.
        lab.netns().check("ip", "neigh", "replace", Wire.GUEST, "lladdr", QemuGuest.MAC, "dev", Wire.TAP);
        flood = lab.start("flood", "ping", "-q", "-i", "0.005", Wire.GUEST);
    }

    @ParameterizedTest
    @MethodSource("qemus")
    void shouldCarryAgainAfterEveryEvent(final int qemu)
    {
        boot(qemu, 1);
        pauseAndResume();
        linkDownAndUp();
        driverAwayAndBack();
        guestReboots();
        machineResets();
        final List<String> descriptors = backend.view().descriptors();
        machineResets();
        assertEquals(descriptors, backend.view().descriptors(), "descriptors after one more reset");
        assertTrue(flood.isAlive());
        assertTrue(backend.process().isAlive());
    }

    @Test
    void shouldCarryAgainWithTwoQueuePairs()
    {
        boot(0, 2);
        pauseAndResume();
        linkDownAndUp();
        driverAwayAndBack();
        guestReboots();
        assertTrue(backend.process().isAlive());
    }

    private void pauseAndResume()
    {
        for (int round = 0; round < 3; round++)
        {
            guest.monitor("stop");
            Await.pause(Duration.ofMillis(300));
            guest.monitor("cont");
            wire.ping();
        }
    }

    private void linkDownAndUp()
    {
        for (int round = 0; round < 3; round++)
        {
            guest.link(false);
            assertEquals("0", guest.check("cat /sys/class/net/eth0/carrier"));
            guest.link(true);
            Await.until("the guest to see its carrier", Duration.ofSeconds(20),
                () -> guest.check("cat /sys/class/net/eth0/carrier").equals("1"));
            wire.ping();
        }
    }

    private void driverAwayAndBack()
    {
        for (int round = 0; round < 3; round++)
        {
            guest.check("rebind");
            guest.check("up " + Wire.GUEST_ADDRESS);
            wire.ping();
        }
    }

    private void guestReboots()
    {
        guest.reboot();
        guest.check("up " + Wire.GUEST_ADDRESS);
        wire.ping();
    }

    private void machineResets()
    {
        guest.reset();
        guest.check("up " + Wire.GUEST_ADDRESS);
        wire.ping();
    }
}
