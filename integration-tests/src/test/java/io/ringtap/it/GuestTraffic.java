package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Netns;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.TestFrames;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Everything a wire has to carry, for one way of setting it up; one boot a class. What differs is in the subclasses:
 * the backend's options, the guest's device, and what must have been agreed on.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class GuestTraffic
{
    private static final int GENERATED = 20_000;
    private static final int BURST = 32;

    private Lab lab;
    private Ringtap backend;
    private QemuGuest guest;
    private Wire wire;

    /** Options of the backend beside socket and port. */
    abstract List<String> options();

    /** The option that names the port; what leaves by it arrives at {@link Wire#TAP}. */
    String port()
    {
        return "--tap=" + Wire.TAP;
    }

    /** Makes what has to be there before the backend. */
    void lay(final Netns netns)
    {
    }

    /** The guest's device, without its network. */
    QemuGuest.Plan plan()
    {
        return QemuGuest.plan();
    }

    int mtu()
    {
        return 1500;
    }

    @BeforeAll
    final void boot()
    {
        Provision.kit();
        lab = Lab.open(getClass());
        final Path socket = lab.socket("vhost.sock");
        lay(lab.netns());
        backend = Ringtap.serve(lab, "ringtap", socket,
            Stream.concat(Stream.of(port()), options().stream()).toArray(String[]::new));
        Wire.raise(lab.netns());
        guest = plan().vhostUser(socket).boot(lab, "guest");
        guest.check("up " + Wire.GUEST_ADDRESS + " " + mtu());
        wire = new Wire(lab, guest);
    }

    @AfterAll
    final void takeDown()
    {
        if (null != lab)
        {
            lab.close();
        }
    }

    final Lab lab()
    {
        return lab;
    }

    final QemuGuest guest()
    {
        return guest;
    }

    final Ringtap backend()
    {
        return backend;
    }

    final Wire wire()
    {
        return wire;
    }

    /** Numbers of the features between guest and device; QEMU adds its own to what the backend offers. */
    final List<String> features()
    {
        return List.of(guest.check("features").split(" "));
    }

    @Test
    void shouldAnswerEveryPingOfBothSides()
    {
        wire.ping();
        wire.pingWith(mtu());
    }

    @Test
    void shouldCarryTcpBothWays()
    {
        final double toHost = wire.tcpMbits(true);
        final double toGuest = wire.tcpMbits(false);
        Progress.say(String.format("%s: TCP %.0f Mbit/s to the host, %.0f to the guest", getClass().getSimpleName(),
            toHost, toGuest));
        assertTrue(toHost > 0);
        assertTrue(toGuest > 0);
    }

    @Test
    void shouldDeliverStreamsUnchanged()
    {
        assertTrue(wire.streamToHost(), "stream to the host");
        assertTrue(wire.streamToGuest(), "stream to the guest");
    }

    @Test
    void shouldCountEveryDatagramThatGuestGenerates()
    {
        assertNull(wire.lostOf(GENERATED, 60, BURST, 1));
        assertNull(wire.lostOf(GENERATED, 60, BURST, 8));
        assertNull(wire.lostOf(GENERATED / 4, 1514, 1, 1));
    }

    @Test
    void shouldDeliverEveryFrameOfEverySizeUnchanged()
    {
        assertEquals("", wire.framesToHost(TestFrames.small(), "small.pcap"), "to the host");
        assertEquals("", wire.framesToGuest(TestFrames.small(), "small.pcap"), "to the guest");
    }
}
