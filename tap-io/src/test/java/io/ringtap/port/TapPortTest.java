package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.flow.Offloads;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Fcntl;
import io.ringtap.sys.If;
import io.ringtap.sys.Interfaces;
import io.ringtap.sys.LinkWatch;
import io.ringtap.sys.Memory;
import io.ringtap.sys.OpenDescriptors;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Syscalls;
import io.ringtap.sys.Tun;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;

/** How a TAP is made, attached or taken over, and what is said when that fails. */
class TapPortTest extends TapFixture
{
    private static final int TAP = Tun.IFF_TAP | Tun.IFF_NO_PI | Tun.IFF_VNET_HDR;

    @Override
    PortIo io()
    {
        return PortIo.AUTO;
    }

    @AfterEach
    void forgetInterfaces()
    {
        try (Interfaces interfaces = Interfaces.open())
        {
            if (interfaces.exists(NAME) && null == rig)
            {
                NetNamespace.run("ip", "link", "del", NAME);
            }
        }
    }

    @Test
    void shouldMakeATapThatGoesWithThePort()
    {
        open(options().mtu(2000).mac(0x6655_4433_2202L));
        final String shown = NetNamespace.run("ip", "-d", "link", "show", NAME);
        assertTrue(shown.contains("mtu 2000"), shown);
        assertTrue(shown.contains("02:22:33:44:55:66"), shown);
        assertTrue(shown.contains("vnet_hdr on"), shown);
        assertTrue(shown.contains("UP"), shown);
        assertEquals(Offloads.ALL, rig.port.supportedReceiveOffloads());
        assertEquals(Offloads.ALL, rig.port.transmitOffloads());
        rig.close();
        rig = null;
        assertFalse(exists(NAME));
    }

    @Test
    void shouldLetTheKernelNumberTheInterface()
    {
        open(options().name("rtn%d"));
        assertEquals("rtn0", rig.port.name());
        assertTrue(((TapPort)rig.port).probe().toString().startsWith("rtn0: 1 queue, offloads csum,tso4,tso6,ecn"));
    }

    @Test
    void shouldTellOfAnMtuThatWasSetBehindItsBack()
    {
        open(options());
        try (LinkWatch watch = rig.port.watch())
        {
            assertEquals(0, Syscalls.poll(watch.number(), Poll.IN, 0));
            NetNamespace.run("ip", "link", "set", "lo", "mtu", "1280");
            assertEquals(0, Syscalls.poll(watch.number(), Poll.IN, 0), "another interface");
            NetNamespace.run("ip", "link", "set", NAME, "mtu", "1300");
            assertEquals(Poll.IN, Syscalls.poll(watch.number(), Poll.IN, 0));
            watch.drain();
            rig.port.refresh();
            assertEquals(1300, rig.port.mtu());
            assertEquals(0, Syscalls.poll(watch.number(), Poll.IN, 0));
        }
    }

    @Test
    void shouldLeaveAPersistentTapAsItWasFound()
    {
        NetNamespace.run("ip", "tuntap", "add", NAME, "mode", "tap");
        NetNamespace.run("ip", "link", "set", NAME, "mtu", "1300");
        final String mac = NetNamespace.run("cat", "/proc/net/dev") + macOf(NAME);
        open(options().mtu(4000).mac(0x6655_4433_2202L));
        rig.port.receiveOffloads(Offloads.ALL);
        rig.port.mtu(5000);
        assertEquals(5000, rig.port.mtu());
        rig.close();
        rig = null;
        final String shown = NetNamespace.run("ip", "link", "show", NAME);
        assertTrue(shown.contains("mtu 1300"), shown);
        assertFalse(shown.contains("UP"), shown);
        assertTrue(mac.endsWith(macOf(NAME)));
    }

    @Test
    void shouldAttachToATapWithOrWithoutMultiQueue()
    {
        NetNamespace.run("ip", "tuntap", "add", NAME, "mode", "tap", "multi_queue");
        open(options());
        assertEquals(1, rig.port.queueCount());
        assertTrue(((TapPort)rig.port).isMultiQueue());
        rig.close();
        open(options().queues(2));
        assertEquals(2, rig.port.queueCount());
        rig.close();
        rig = null;
        NetNamespace.run("ip", "link", "del", NAME);
        NetNamespace.run("ip", "tuntap", "add", NAME, "mode", "tap");
        assertEquals(NAME + ": it exists with a single queue, but 2 are wanted; use --queues=1, or make it anew with" +
            " multi_queue", assertThrows(PortException.class, () -> open(options().queues(2))).getMessage());
    }

    @Test
    void shouldGiveNoFlowsToADetachedQueue()
    {
        open(options().queues(2));
        try (PacketSocket host = new PacketSocket(NAME, false))
        {
            final PortQueue second = rig.port.queue(1);
            second.attach(false);
            second.attach(false);
            assertEquals(-1, second.waitDescriptor());
            for (int i = 0; i < 50; i++)
            {
                host.send(TestFrames.numbered(i, 60 + i));
            }
            assertEquals(0, second.receive(rig.batch, PortRig.BATCH));
            int received = 0;
            while (received < 50)
            {
                received += rig.receive();
                rig.queue.release(rig.batch);
            }
            second.attach(true);
            assertTrue(second.waitDescriptor() >= 0);
            assertEquals(0, second.counters().get(PortCounter.DEVICE_GONE));
        }
    }

    @Test
    void shouldTakeOverDescriptorsOfAParent()
    {
        final Fd first = openTap(NAME, TAP | Tun.IFF_MULTI_QUEUE);
        final Fd second = openTap(NAME, TAP | Tun.IFF_MULTI_QUEUE);
        open(options().descriptors(List.of(first.release(), second.release())).mtu(1450));
        assertEquals(NAME, rig.port.name());
        assertEquals(2, rig.port.queueCount());
        assertEquals(1450, rig.port.mtu());
        final int number = rig.queue.waitDescriptor();
        assertTrue(OpenDescriptors.isCloseOnExec(number));
        assertTrue(0 != (Syscalls.fcntl(number, Fcntl.F_GETFL, 0) & Fcntl.O_NONBLOCK));
    }

    @Test
    void shouldSayWhyADescriptorCannotBeTakenOver()
    {
        assertEquals("--tap-fd=999: no such descriptor was inherited (EBADF); check the number, and that the parent" +
            " leaves it open for its child", refusal(options().descriptors(List.of(999))));
        try (Fd file = Syscalls.open("/proc/self/stat", Fcntl.O_RDONLY))
        {
            assertEquals("--tap-fd=" + file.number() + ": the descriptor is not a TAP (ENOTTY); hand over one of" +
                " /dev/net/tun or /dev/tapN", refusal(options().descriptors(List.of(file.number()))));
            assertTrue(OpenDescriptors.isCloseOnExec(file.number()), "left open");
        }
        final Fd detached = Syscalls.open(Tun.DEVICE, Fcntl.O_RDWR);
        assertEquals("--tap-fd=" + detached.number() + ": the descriptor is not attached to an interface (EBADFD);" +
            " attach it first with TUNSETIFF, and keep the interface",
            refusal(options().descriptors(List.of(detached.number()))));
        detached.close();
        final int plain = openTap("rtplain", Tun.IFF_TAP | Tun.IFF_NO_PI).release();
        assertEquals("--tap-fd=" + plain + " (rtplain): it is not a TAP with a net header and without packet" +
            " information; open it with IFF_TAP, IFF_NO_PI and IFF_VNET_HDR",
            refusal(options().descriptors(List.of(plain))));
        assertFalse(exists("rtplain"));
    }

    @Test
    void shouldSayWhyATapCannotBeOpened()
    {
        assertEquals("lo: an interface of this name exists and is not a TAP (EINVAL); choose another name, or delete" +
            " it (ip link delete lo)", refusal(options().name("lo")));
        open(options());
        assertEquals("rt0: another process has it open (EBUSY); stop that process or choose another name",
            refusal(options()));
        rig.close();
        rig = null;
        assertEquals("'sixteen-letters!': an interface name has 1 to 15 bytes, not 16; choose another name",
            refusal(options().name("sixteen-letters!")));
        assertEquals("--mtu=70000: rt0 does not take it (EINVAL); choose one between 68 and 65521",
            refusal(options().mtu(70_000)));
    }

    @Test
    void shouldJoinABridge()
    {
        NetNamespace.run("ip", "link", "add", "rtbr", "type", "bridge");
        open(options().bridge("rtbr"));
        assertTrue(NetNamespace.run("ip", "link", "show", NAME).contains("master rtbr"));
        rig.close();
        rig = null;
        NetNamespace.run("ip", "link", "del", "rtbr");
        assertEquals("--bridge=rtbr: there is no bridge of this name; make one first (ip link add rtbr type bridge)",
            refusal(options().bridge("rtbr")));
        assertEquals("--bridge=lo: it is no bridge; make one first (ip link add br0 type bridge)",
            refusal(options().bridge("lo")));
    }

    @Test
    void shouldLeaveABridgeOnlyWhenItJoinedIt()
    {
        NetNamespace.run("ip", "link", "add", "rtbr", "type", "bridge");
        NetNamespace.run("ip", "link", "add", "rtbr2", "type", "bridge");
        NetNamespace.run("ip", "tuntap", "add", NAME, "mode", "tap");
        try
        {
            open(options().bridge("rtbr"));
            assertTrue(NetNamespace.run("ip", "link", "show", NAME).contains("master rtbr "));
            rig.close();
            assertFalse(NetNamespace.run("ip", "link", "show", NAME).contains("master"));
            NetNamespace.run("ip", "link", "set", NAME, "master", "rtbr");
            open(options().bridge("rtbr"));
            rig.close();
            rig = null;
            assertTrue(NetNamespace.run("ip", "link", "show", NAME).contains("master rtbr "));
            assertEquals("--bridge=rtbr2: rt0 belongs to rtbr already; take it out first (ip link set rt0 nomaster)",
                refusal(options().bridge("rtbr2")));
            final Fd fd = openTap(NAME, TAP);
            NetNamespace.run("ip", "link", "set", NAME, "nomaster");
            open(options().descriptors(List.of(fd.release())).bridge("rtbr"));
            rig.close();
            rig = null;
            assertFalse(NetNamespace.run("ip", "link", "show", NAME).contains("master"));
        }
        finally
        {
            NetNamespace.run("ip", "link", "del", "rtbr");
            NetNamespace.run("ip", "link", "del", "rtbr2");
        }
    }

    @Test
    void shouldSurrenderOffloadsThatCannotStandAlone()
    {
        assertEquals(Offloads.NONE, TapDevice.legal(Offloads.TSO4));
        assertEquals(Offloads.CSUM, TapDevice.legal(Offloads.CSUM | Offloads.USO4 | Offloads.ECN));
        assertEquals(Offloads.ALL, TapDevice.legal(-1));
    }

    private String refusal(final TapOptions options)
    {
        return assertThrows(PortException.class, () -> PortRig.tap(options)).getMessage();
    }

    private static boolean exists(final String name)
    {
        try (Interfaces interfaces = Interfaces.open())
        {
            return interfaces.exists(name);
        }
    }

    private static String macOf(final String name)
    {
        try (Interfaces interfaces = Interfaces.open())
        {
            return java.util.Arrays.toString(interfaces.mac(name));
        }
    }

    private static Fd openTap(final String name, final int flags)
    {
        final Fd fd = Syscalls.open(Tun.DEVICE, Fcntl.O_RDWR);
        final UnsafeBuffer request = Memory.scratch(If.IFREQ_LENGTH);
        Interfaces.putName(request, 0, name);
        request.putShort(If.IFREQ_VALUE, (short)flags);
        Syscalls.ioctl(fd.number(), Tun.TUNSETIFF, request, name);
        return fd;
    }
}
