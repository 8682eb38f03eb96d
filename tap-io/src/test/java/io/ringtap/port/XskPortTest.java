package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.Offloads;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.OpenDescriptors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;

/** How a device is taken over by AF_XDP sockets and given back, and what is said when that fails. */
@ExtendWith(NetNamespace.class)
class XskPortTest
{
    private static final int ROUNDS = 3_000;
    private static final int FRAMES = 8;

    private final PortBed bed = new XskBed(XskMode.AUTO);
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
    void shouldSayHowFramesAreCarried()
    {
        rig = XskBed.open(options());
        assertTrue(((XskPort)rig.port).probeText().startsWith("rtv0: 1 queue, no offloads, AF_XDP native (copies), "),
            ((XskPort)rig.port).probeText());
        rig.close();
        rig = XskBed.open(options().mode(XskMode.GENERIC));
        assertTrue(((XskPort)rig.port).probeText().contains("AF_XDP generic (copies)"));
        assertEquals(Offloads.NONE, rig.port.transmitOffloads());
        assertEquals(Offloads.CSUM, rig.port.receiveOffloads(Offloads.ALL));
    }

    @Test
    void shouldRegisterTheArenaOnceAQueueAndNeverAFrame()
    {
        rig = XskBed.open(options());
        for (int i = 0; i < 1000; i++)
        {
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 60));
            rig.transmitAll();
        }
        assertEquals(1, rig.arena.report().registrations());
    }

    /** A socket in a wait set makes the kernel look for sleepers once for each frame that was sent. */
    @Test
    void shouldListenOnlyWhileItMaySleepWhenItSendsBursts() throws IOException
    {
        rig = XskBed.open(options());
        final Path watched = Path.of("/proc/self/fdinfo/" + rig.queue.waitDescriptor());
        assertTrue(rig.queue.armReceive());
        final long asleep = watchedIn(watched);
        for (int round = 0; round < 3; round++)
        {
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(round, 60));
            rig.transmitAll();
            assertEquals(asleep, watchedIn(watched), "a single frame is not worth two system calls");
            for (int i = 0; i < FRAMES; i++)
            {
                TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 60));
            }
            rig.transmitAll();
            assertEquals(asleep - 1, watchedIn(watched));
            assertTrue(rig.queue.armReceive());
            assertEquals(asleep, watchedIn(watched));
        }
    }

    /** Descriptors of a wait set, by what /proc says of it. */
    private static long watchedIn(final Path waitSet) throws IOException
    {
        try (Stream<String> lines = Files.lines(waitSet))
        {
            return lines.filter((line) -> line.startsWith("tfd:")).count();
        }
    }

    @Test
    void shouldTakeItsProgramAwayAtTheEnd()
    {
        rig = XskBed.open(options());
        assertTrue(NetNamespace.run("ip", "link", "show", VethBed.NEAR).contains("xdp"));
        assertTrue(NetNamespace.run("ip", "-d", "link", "show", VethBed.NEAR).contains("promiscuity 1"));
        rig.close();
        rig = null;
        assertFalse(NetNamespace.run("ip", "link", "show", VethBed.NEAR).contains("xdp"));
        assertTrue(NetNamespace.run("ip", "-d", "link", "show", VethBed.NEAR).contains("promiscuity 0"));
    }

    @Test
    void shouldServeEachQueueOfTheDevice()
    {
        bed.close();
        NetNamespace.run("ip", "link", "add", VethBed.NEAR, "numrxqueues", "2", "numtxqueues", "2", "type", "veth",
            "peer", "name", VethBed.FAR, "numrxqueues", "2", "numtxqueues", "2");
        NetNamespace.run("ip", "link", "set", VethBed.NEAR, "up");
        NetNamespace.run("ip", "link", "set", VethBed.FAR, "up");
        rig = XskBed.open(options().queues(2));
        assertEquals(2, rig.port.queueCount());
        try (PacketSocket host = new PacketSocket(VethBed.FAR, false))
        {
            for (int q = 0; q < 2; q++)
            {
                TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(q, 100));
                rig.port.queue(q).transmit(rig.batch);
                TestFrames.finish(rig.batch, rig.allocator);
                assertArrayEquals(TestFrames.numbered(q, 100), host.receive());
            }
            rig.port.queue(1).attach(false);
            assertEquals(-1, rig.port.queue(1).waitDescriptor());
            rig.port.queue(1).attach(true);
            assertTrue(rig.port.queue(1).waitDescriptor() >= 0);
        }
    }

    @Test
    void shouldGiveFragmentsBackWhoeverKeepsFrames()
    {
        rig = XskBed.open(options());
        final long out = rig.fragmentsOut();
        try (PacketSocket host = new PacketSocket(VethBed.FAR, false))
        {
            for (int i = 0; i < 5000; i++)
            {
                host.send(TestFrames.numbered(i, 60));
                TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 60));
                rig.transmitAll();
                rig.queue.flush();
                rig.receive();
                rig.queue.release(rig.batch);
            }
        }
        // Up to a page's worth of chunks is cut ahead, and as many are missing from the ring before it is filled up.
        assertTrue(Math.abs(rig.fragmentsOut() - out) <= 80, out + " " + rig.fragmentsOut());
    }

    @Test
    void shouldRefuseRuntsAndGiantsItself()
    {
        rig = XskBed.open(options());
        try (PacketSocket host = new PacketSocket(VethBed.FAR, false);
            Mapping tail = Mapping.anonymous(1 << 17, "tail"))
        {
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(0, 18));
            rig.batch.linear(0, rig.batch.offset(0), 13);
            TestFrames.addSegmented(rig.batch, rig.allocator, new byte[FrameLayout.NET_HEADER], new byte[40_000], 60,
                tail, 4096);
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(2, 60));
            rig.transmitAll();
            assertArrayEquals(TestFrames.numbered(2, 60), host.receive());
            assertEquals(1, rig.count(PortCounter.TX_RUNT));
            assertEquals(1, rig.count(PortCounter.TX_TOO_LONG));
            assertEquals(1, rig.count(PortCounter.TX_FRAMES));
        }
    }

    @Test
    void shouldNotAllocateForAFrame()
    {
        rig = XskBed.open(options());
        final PortRig other = XskBed.open(options().name(VethBed.FAR));
        try
        {
            for (int i = 0; i < FRAMES; i++)
            {
                TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 100));
            }
            final long allocated = Allocations.least(() -> run(other));
            assertTrue(allocated < ROUNDS, allocated + " bytes in " + ROUNDS + " rounds of " + FRAMES + " frames");
        }
        finally
        {
            other.close();
        }
    }

    private void run(final PortRig other)
    {
        for (int round = 0; round < ROUNDS; round++)
        {
            rig.batch.sent(0);
            assertEquals(FRAMES, rig.queue.transmit(rig.batch));
            rig.queue.flush();
            for (int received = 0, tries = 0; received < FRAMES; tries++)
            {
                received += other.queue.receive(other.batch, PortRig.BATCH);
                other.queue.release(other.batch);
                assertTrue(tries < 1_000_000, "frames were lost");
            }
        }
    }

    @Test
    void shouldSayWhyADeviceCannotBeTakenOver()
    {
        assertEquals("--xsk=rtnone: there is no interface of this name; name one that can be taken over whole",
            refusal(options().name("rtnone")));
        assertEquals("--queues=3: rtv0 has 1; use fewer, or give it more (ethtool -L rtv0)",
            refusal(options().queues(3)));
        assertEquals("--xsk=rtv0: queue 0 takes no AF_XDP socket (EOPNOTSUPP); its driver must copy: use" +
            " --xsk=rtv0:native", refusal(options().mode(XskMode.ZEROCOPY)));
        rig = XskBed.open(options());
        assertEquals("--xsk=rtv0: its native mode takes no XDP program (EBUSY); another program is there: stop its" +
            " owner, or run: ip link set dev rtv0 xdp off", refusal(options()));
    }

    private static XskOptions options()
    {
        return new XskOptions().name(VethBed.NEAR);
    }

    private static String refusal(final XskOptions options)
    {
        return assertThrows(PortException.class, () -> XskBed.open(options)).getMessage();
    }
}
