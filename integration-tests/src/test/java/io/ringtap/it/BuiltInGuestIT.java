package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.GuestCounter;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.PktgenConfig;
import io.ringtap.frontend.StackCounter;
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.TestFrames;
import io.ringtap.vhost.virtio.NetFeatures;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The built-in guest on the real backend over a TAP: every ring layout, real ping, a generator, stops and restarts. */
class BuiltInGuestIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration QUIET = Duration.ofMillis(500);
    private static final String MAC = "52:54:00:12:34:56";
    private static final int PORT = 9;
    private static final int MTU = 9000;

    private static Lab lab;
    private static Path socket;

    @BeforeAll
    static void serve()
    {
        Provision.kit();
        lab = Lab.open(BuiltInGuestIT.class);
        socket = lab.socket("vhost.sock");
        Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP, "--queues=2", "--mtu=" + MTU);
        // The backend listens before it opens its port.
        Await.until("the TAP", LIMIT, () -> lab.netns().hasInterface(Wire.TAP));
        Wire.raise(lab.netns());
    }

    @AfterAll
    static void takeDown()
    {
        if (null != lab)
        {
            lab.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', 1, false, 1, 1", "'', 2, false, 1, 2", "'', 4, true, 3, 1", "RING_PACKED, 1, false, 1, 1",
        "RING_PACKED, 3, true, 1, 2", "-MRG_RXBUF, 1, false, 1, 1", "-EVENT_IDX, 2, false, 1, 1",
        "-INDIRECT_DESC, 3, false, 2, 2", "RING_PACKED -MRG_RXBUF -EVENT_IDX, 2, false, 1, 1",
    })
    void shouldCarryEveryFrameUnchangedBothWays(
        final String features, final int parts, final boolean isIndirect, final int regions, final int pairs)
    {
        final List<byte[]> frames = new ArrayList<>(TestFrames.small());
        frames.addAll(TestFrames.jumbo());
        try (GuestWire wire = new GuestWire(lab, frontend(features)
            .descriptorsPerFrame(parts, isIndirect)
            .regions(regions, 1 < regions ? 1 << 20 : 0)
            .queuePairs(pairs)))
        {
            for (int pair = 0; pair < pairs; pair++)
            {
                assertEquals("", wire.framesToHost(frames, pair, "to-host.pcap"), "to the host on pair " + pair);
            }
            assertEquals("", wire.framesToGuest(frames), "to the guest");
        }
    }

    @Test
    void shouldCarryPlainFramesForADriverWithoutAnyFeature()
    {
        try (GuestWire wire = new GuestWire(lab, new FrontendConfig().socketPath(socket.toString()).features(0)))
        {
            assertEquals("", wire.framesToHost(TestFrames.small(), 0, "to-host.pcap"), "to the host");
            assertEquals("", wire.framesToGuest(TestFrames.small()), "to the guest");
        }
    }

    @ParameterizedTest
    @CsvSource({"'', 1", "RING_PACKED, 1", "'', 2", "-MRG_RXBUF, 1"})
    void shouldAnswerPing(final String features, final int pairs) throws UnknownHostException
    {
        try (Guest guest = guest(frontend(features).queuePairs(pairs), new GuestConfig()))
        {
            guest.start();
            ping("56");
            ping(Integer.toString(MTU - 28));
            assertTrue(guest.sum(StackCounter.ECHO_REPLIES) >= 10);
            assertEquals(0, guest.sum(StackCounter.BAD_CHECKSUM));
            assertEquals(0, guest.sum(GuestCounter.RECEIVE_FAULTS));
            assertNull(guest.failure());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', FULL, 1, 1, 1, 64", "'', PARTIAL, 4, 1, 1, 1514", "'', NONE, 1, 1, 2, 256",
        "RING_PACKED, FULL, 8, 1, 1, 64", "'', PARTIAL, 2, 30, 1, 200", "-HOST_USO, FULL, 3, 1, 1, 64",
    })
    @Tag("virtio.HOST_USO")
    void shouldDeliverEveryGeneratedDatagram(
        final String features,
        final ChecksumMode checksum,
        final int flows,
        final int segments,
        final int pairs,
        final int size) throws Exception
    {
        final long count = 30_000;
        try (Guest guest = guest(frontend(features).queuePairs(pairs), new GuestConfig());
            HostProcess sink = sink())
        {
            guest.start();
            final long before = datagrams();
            guest.generate(generator(guest, checksum).flows(flows).segments(segments).sizes(size).count(count));
            Await.until("the generator's end", LIMIT, () -> !guest.isGenerating());
            Await.settled(QUIET, LIMIT, BuiltInGuestIT::datagrams);
            assertEquals(guest.sum(GuestCounter.GENERATED_PACKETS), datagrams() - before);
            assertEquals(0, lab.netns().udp("InCsumErrors"));
            assertTrue(sink.isAlive());
        }
    }

    @ParameterizedTest
    @CsvSource({"''", "RING_PACKED"})
    void shouldGoOnWhereItStoppedAndAfterEachNewConnection(final String features) throws UnknownHostException
    {
        for (int connection = 0; connection < 3; connection++)
        {
            try (Guest guest = guest(frontend(features), new GuestConfig()))
            {
                guest.start();
                for (int stop = 0; stop < 3; stop++)
                {
                    ping("56");
                    guest.frontend().stop();
                    guest.frontend().start();
                }
                ping("56");
                assertNull(guest.failure());
            }
        }
    }

    @Test
    @Tag("message.SET_MEM_TABLE")
    void shouldLoseNothingWhileTheMemoryTableIsReplaced() throws Exception
    {
        try (Guest guest = guest(frontend(""), new GuestConfig()); HostProcess sink = sink())
        {
            guest.start();
            final long before = datagrams();
            guest.generate(generator(guest, ChecksumMode.FULL).flows(4).rate(20_000).count(20_000));
            for (int regions = 2; guest.isGenerating(); regions = regions % 8 + 1)
            {
                guest.frontend().splitMemory(regions);
                Thread.sleep(10);
            }
            Await.settled(QUIET, LIMIT, BuiltInGuestIT::datagrams);
            assertEquals(20_000, datagrams() - before);
            assertTrue(sink.isAlive());
        }
    }

    private static void ping(final String length)
    {
        lab.netns().check("ping", "-q", "-c", "5", "-i", "0.2", "-W", "10", "-M", "do", "-s", length, Wire.GUEST);
    }

    private static HostProcess sink()
    {
        final HostProcess sink = lab.start("sink", "socat", "-u", "UDP4-RECV:" + PORT + ",bind=" + Wire.HOST,
            "OPEN:/dev/null");
        Await.until("the sink's socket", LIMIT, () -> lab.netns().check("cat", "/proc/net/udp").contains(":0009 "));
        return sink;
    }

    /** Datagrams that the kernel counted for the socket, read and overflowed ones together. */
    private static long datagrams()
    {
        return lab.netns().udp("InDatagrams") + lab.netns().udp("InErrors");
    }

    private static PktgenConfig generator(final Guest guest, final ChecksumMode checksum) throws Exception
    {
        final InetAddress host = InetAddress.getByName(Wire.HOST);
        final MacAddress nextHop = guest.resolve(host, LIMIT.toMillis());
        assertNotNull(nextHop, "nobody answered ARP");
        return new PktgenConfig().spec(new FrameSpec(
            MacAddress.parse(MAC), nextHop, InetAddress.getByName(Wire.GUEST), host, false, 10_000, PORT, checksum));
    }

    private static Guest guest(final FrontendConfig frontend, final GuestConfig config) throws UnknownHostException
    {
        return new Guest(frontend, config.addresses(
            new GuestAddresses(MacAddress.parse(MAC), InetAddress.getByName(Wire.GUEST), null)));
    }

    /** @param changes names of features to add, or with a dash to leave out. */
    private static FrontendConfig frontend(final String changes)
    {
        long features = FrontendConfig.DEFAULT_FEATURES;
        for (final String change : changes.isEmpty() ? new String[0] : changes.split(" "))
        {
            final String name = change.replace("-", "");
            for (int bit = 0; bit < Long.SIZE; bit++)
            {
                if (NetFeatures.name(bit).equals(name))
                {
                    features = change.startsWith("-") ?
                        features & ~NetFeatures.bit(bit) : features | NetFeatures.bit(bit);
                }
            }
        }
        return new FrontendConfig().socketPath(socket.toString()).features(features).mtu(MTU);
    }
}
