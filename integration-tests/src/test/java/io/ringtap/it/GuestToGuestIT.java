package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import io.ringtap.frontend.SinkCounter;
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.vhost.virtio.NetFeatures;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two built-in guests on a bridge: what one generates the other checks, byte by byte and number by number. */
class GuestToGuestIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration QUIET = Duration.ofMillis(500);
    private static final String BRIDGE = "br0";
    private static final String[] TAPS = {"tap0", "tap1"};
    private static final String[] ADDRESSES = {"198.18.7.2", "198.18.7.3"};
    private static final String[] MACS = {"52:54:00:00:00:02", "52:54:00:00:00:03"};
    private static final int FLOWS = 8;
    /** A flow's packets in flight when a backend dies: two rings of 256 and what lies between them. */
    private static final long IN_FLIGHT = 2048;

    private static final Ringtap[] BACKENDS = new Ringtap[2];
    private static Lab lab;

    @BeforeAll
    static void serve()
    {
        Provision.kit();
        lab = Lab.open(GuestToGuestIT.class);
        lab.netns().check("ip", "link", "add", BRIDGE, "type", "bridge");
        for (int i = 0; i < 2; i++)
        {
            lab.netns().addTap(TAPS[i], false);
            lab.netns().check("ip", "link", "set", TAPS[i], "txqueuelen", "10000", "master", BRIDGE, "up");
            backend(i);
        }
        lab.netns().up(BRIDGE, null);
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
        "FULL, false, 1, 1, 64", "PARTIAL, false, 1, 32, 1000", "FULL, false, 1, 1, 1514", "FULL, true, 1, 16, 72",
        "PARTIAL, true, 1, 1, 1514", "FULL, false, 40, 1, 100", "FULL, true, 20, 1, 1514",
    })
    @Tag("virtio.GUEST_USO4")
    @Tag("virtio.GUEST_USO6")
    void shouldDeliverEveryPacketWholeAndInOrder(
        final ChecksumMode checksum, final boolean isTcp, final int segments, final int run, final int size)
        throws Exception
    {
        for (final long receiverFeatures : new long[]{
            FrontendConfig.DEFAULT_FEATURES, FrontendConfig.DEFAULT_FEATURES & ~offloads()})
        {
            try (Guest source = guest(0, FrontendConfig.DEFAULT_FEATURES); Guest sink = guest(1, receiverFeatures))
            {
                source.start();
                sink.start();
                final long count = 20_000;
                source.generate(new PktgenConfig()
                    .spec(spec(source, isTcp, checksum))
                    .flows(FLOWS).run(run).segments(segments).sizes(size).rate(20_000).count(count));
                Await.until("the generator's end", LIMIT, () -> !source.isGenerating());
                settle(sink);

                assertEquals(source.sum(GuestCounter.GENERATED_PACKETS),
                    sink.sink().counters().get(SinkCounter.PACKETS));
                assertTrue(sink.sink().isClean());
                assertEquals(0, sink.sum(GuestCounter.RECEIVE_FAULTS));
                assertNull(sink.failure());
            }
        }
    }

    @Test
    void shouldGoOnAfterBothBackendsWereKilled() throws Exception
    {
        try (Guest source = guest(0, FrontendConfig.DEFAULT_FEATURES);
            Guest sink = guest(1, FrontendConfig.DEFAULT_FEATURES))
        {
            source.start();
            sink.start();
            source.generate(new PktgenConfig()
                .spec(spec(source, false, ChecksumMode.FULL)).flows(FLOWS).rate(5_000));
            for (int i = 0; i < 2; i++)
            {
                final long before = packets(sink);
                Await.until("packets", LIMIT, () -> packets(sink) > before + 2_000);
                BACKENDS[i].kill();
                Await.until("the guest to see it", LIMIT, (0 == i ? source : sink)::isPeerGone);
                backend(i);
                (0 == i ? source : sink).reconnect();
            }
            final long after = packets(sink);
            Await.until("packets after both restarts", LIMIT, () -> packets(sink) > after + 2_000);
            final long altered = sink.sink().counters().get(SinkCounter.ALTERED);
            assertEquals(0, altered);
            assertEquals(0, sink.sink().counters().get(SinkCounter.BAD_CHECKSUM));
            assertTrue(sink.sink().counters().get(SinkCounter.DUPLICATES) <= IN_FLIGHT);
            assertNull(source.failure());
            assertNull(sink.failure());
            // What the host still holds belongs to this run, not to the next one.
            source.stopGenerating();
            settle(sink);
        }
    }

    private static long packets(final Guest sink)
    {
        return sink.sink().counters().get(SinkCounter.PACKETS);
    }

    private static void settle(final Guest sink)
    {
        Await.settled(QUIET, LIMIT, () -> packets(sink));
    }

    private static long offloads()
    {
        return NetFeatures.bit(NetFeatures.GUEST_CSUM) | NetFeatures.bit(NetFeatures.GUEST_TSO4) |
            NetFeatures.bit(NetFeatures.GUEST_TSO6) | NetFeatures.bit(NetFeatures.GUEST_ECN) |
            NetFeatures.bit(NetFeatures.GUEST_USO4) | NetFeatures.bit(NetFeatures.GUEST_USO6);
    }

    private static FrameSpec spec(final Guest source, final boolean isTcp, final ChecksumMode checksum)
        throws Exception
    {
        final InetAddress to = InetAddress.getByName(ADDRESSES[1]);
        final MacAddress mac = source.resolve(to, LIMIT.toMillis());
        assertEquals(MacAddress.parse(MACS[1]), mac);
        return new FrameSpec(
            MacAddress.parse(MACS[0]), mac, InetAddress.getByName(ADDRESSES[0]), to, isTcp, 10_000, 9, checksum);
    }

    private static void backend(final int index)
    {
        BACKENDS[index] = Ringtap.serve(lab, "ringtap-" + index, lab.socket(index + ".sock"), "--tap=" + TAPS[index]);
    }

    private static Guest guest(final int index, final long features) throws UnknownHostException
    {
        return new Guest(
            new FrontendConfig().socketPath(lab.socket(index + ".sock").toString()).features(features)
                .timeoutMs((int)LIMIT.toMillis()),
            new GuestConfig()
                .addresses(new GuestAddresses(
                    MacAddress.parse(MACS[index]), InetAddress.getByName(ADDRESSES[index]), null))
                .sinkFlows(1 == index ? FLOWS : 0));
    }
}
