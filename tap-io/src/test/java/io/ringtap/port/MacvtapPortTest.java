package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.flow.Offloads;
import io.ringtap.sys.Fd;
import io.ringtap.sys.LinkInfo;
import io.ringtap.sys.Links;
import io.ringtap.sys.OpenDescriptors;
import io.ringtap.sys.Sockets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.List;
import java.util.Set;

/** How a macvtap is found, made and taken away, and what is said when that fails. */
@ExtendWith(NetNamespace.class)
class MacvtapPortTest
{
    private static final String OURS = "macvtap0";

    private final PortBed bed = new MacvtapBed();
    private PortRig rig;
    private Set<String> descriptors;

    @BeforeEach
    void raise()
    {
        bed.raise(1500);
        descriptors = OpenDescriptors.list();
    }

    @AfterEach
    void takeDown()
    {
        if (null != rig)
        {
            rig.close();
        }
        bed.close();
        assertEquals(descriptors, OpenDescriptors.list(), "descriptors lost");
    }

    @Test
    void shouldMakeAMacvtapThatGoesWithThePort()
    {
        rig = open(VethBed.NEAR, null);
        final String shown = NetNamespace.run("ip", "-d", "link", "show", OURS);
        assertTrue(shown.contains("mode bridge"), shown);
        assertTrue(shown.contains("link/ether 06:00:00:00:00:01"), shown);
        assertTrue(((MacvtapPort)rig.port).probeText().endsWith("for the guest address 06:00:00:00:00:01"));
        assertEquals(Offloads.ALL, rig.port.supportedReceiveOffloads());
        rig.close();
        rig = null;
        assertNull(find(OURS));
    }

    @Test
    void shouldMakeItInTheModeThatWasAskedFor()
    {
        rig = open(VethBed.NEAR, MacvtapMode.VEPA);
        assertTrue(NetNamespace.run("ip", "-d", "link", "show", OURS).contains("mode vepa"));
    }

    @Test
    void shouldLeaveAMacvtapThatWasThere()
    {
        addMacvtap("rtm0");
        rig = open("rtm0", null);
        exchange();
        rig.close();
        rig = null;
        assertNotNull(find("rtm0"));
    }

    @Test
    void shouldReplaceOneThatADeadProcessLeft()
    {
        addMacvtap(OURS);
        NetNamespace.run("ip", "link", "set", OURS, "alias", "ringtap");
        final int left = find(OURS).index();
        rig = open(VethBed.NEAR, null);
        assertEquals(OURS, rig.port.name());
        assertTrue(left != find(OURS).index());
        exchange();
    }

    @Test
    void shouldLeaveOneThatALivingProcessMade()
    {
        addMacvtap(OURS);
        NetNamespace.run("ip", "link", "set", OURS, "alias", "ringtap");
        try (Fd living = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_DGRAM, 0))
        {
            assertTrue(Sockets.bindAbstract(living.number(), "ringtap/" + OURS));
            NetNamespace.run("ip", "link", "set", OURS, "address", "06:00:00:00:00:77");
            rig = open(VethBed.NEAR, null);
            assertEquals("macvtap1", rig.port.name());
            rig.close();
            rig = null;
            assertNotNull(find(OURS));
        }
    }

    @Test
    void shouldOpenSeveralQueues()
    {
        rig = MacvtapBed.open(new TapOptions().name(VethBed.NEAR).mac(MacvtapBed.MAC).queues(3), null);
        assertEquals(3, rig.port.queueCount());
        rig.port.queue(1).attach(false);
        rig.port.queue(2).attach(false);
        exchange();
        rig.port.queue(1).attach(true);
        assertEquals(0, rig.port.queue(1).counters().get(PortCounter.TX_FAILED));
    }

    @Test
    void shouldTakeOverADescriptorOfAParent()
    {
        addMacvtap("rtm0");
        final int fd = MacvtapFile.open("rtm0", find("rtm0").index()).release();
        rig = PortRig.tap(new TapOptions().descriptors(List.of(fd)).batch(PortRig.BATCH));
        assertEquals("rtm0", rig.port.name());
        assertEquals(1500, rig.port.mtu());
        exchange();
        NetNamespace.run("ip", "link", "del", "rtm0");
        assertFalse(rig.queue.armReceive());
        assertTrue(rig.queue.isGone());
        assertFalse(rig.queue.revive(0));
    }

    @Test
    void shouldSayWhyThereIsNone()
    {
        assertEquals("--macvtap=rtnone: there is no interface of this name; name a macvtap, or the interface that one" +
            " is to be made over", refusal("rtnone", null));
        addMacvtap("rtm0");
        assertEquals("--macvtap=rtm0:vepa: the macvtap exists, and its maker chose the mode; leave the mode out",
            refusal("rtm0", MacvtapMode.VEPA));
        NetNamespace.run("ip", "link", "add", "rtbr", "type", "bridge");
        NetNamespace.run("ip", "link", "set", VethBed.FAR, "master", "rtbr");
        assertEquals("--macvtap=rtv1: no macvtap can be made over it (EBUSY); take rtv1 out of its bridge or bond, or" +
            " use --tap with --bridge", refusal(VethBed.FAR, null));
        NetNamespace.run("ip", "link", "del", "rtbr");
    }

    private void exchange()
    {
        try (PacketSocket host = new PacketSocket(VethBed.FAR, false))
        {
            final byte[] toOthers = TestFrames.numbered(1, 60);
            toOthers[5] = 9;
            TestFrames.add(rig.batch, rig.allocator, toOthers);
            rig.transmitAll();
            assertArrayEquals(toOthers, host.receive());
            host.send(TestFrames.numbered(2, 60));
            rig.receive();
            assertArrayEquals(TestFrames.numbered(2, 60), TestFrames.bytes(rig.batch, 0));
            rig.queue.release(rig.batch);
        }
    }

    private static PortRig open(final String name, final MacvtapMode mode)
    {
        return MacvtapBed.open(new TapOptions().name(name).mac(MacvtapBed.MAC), mode);
    }

    private static String refusal(final String name, final MacvtapMode mode)
    {
        return assertThrows(PortException.class, () -> open(name, mode)).getMessage();
    }

    private static void addMacvtap(final String name)
    {
        NetNamespace.run("ip", "link", "add", "link", VethBed.NEAR, "name", name, "address", "06:00:00:00:00:01",
            "type", "macvtap", "mode", "bridge");
        NetNamespace.run("ip", "link", "set", name, "up");
    }

    private static LinkInfo find(final String name)
    {
        try (Links links = Links.open())
        {
            return links.find(name);
        }
    }
}
