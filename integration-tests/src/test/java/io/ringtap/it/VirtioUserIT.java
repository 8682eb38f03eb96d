package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.TestFrames;
import io.ringtap.it.rig.Testpmd;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * DPDK's virtio-user as the front-end: the polling driver that never asks for notifications, sending, receiving and
 * sending back. A build takes eight devices in which every two properties meet in all their values;
 * {@code -Dringtap.it.virtio-user=all} takes every combination.
 */
@Tag("virtio.IN_ORDER")
@Tag("virtio.RING_PACKED")
@Tag("virtio.MRG_RXBUF")
class VirtioUserIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration QUIET = Duration.ofMillis(500);
    private static final long SOME = 20_000;
    private static final int QUEUES = 4;
    private static final List<byte[]> FRAMES = TestFrames.small();
    private static final boolean IS_ALL = "all".equals(System.getProperty("ringtap.it.virtio-user"));

    private static Lab lab;
    private static Path socket;
    private static Ringtap backend;
    private static int devices;

    /**
     * One way of asking for a device.
     *
     * @param queues pairs; more than one needs a control queue, which virtio-user answers itself.
     */
    record Device(int packed, int inOrder, int mergeable, int vectorized, int queues)
    {
        String properties()
        {
            return ",queues=" + queues + (queues > 1 ? ",cq=1" : "") +
                ",queue_size=" + (inOrder == mergeable ? 1024 : 256) + ",packed_vq=" + packed +
                ",in_order=" + inOrder + ",mrg_rxbuf=" + mergeable + ",vectorized=" + vectorized;
        }

        List<String> options()
        {
            return List.of("--forward-mode=txonly", "--txpkts=64", "--eth-peer=0,02:00:00:00:00:99", "--no-flush-rx",
                "--rxq=" + queues, "--txq=" + queues);
        }
    }

    @BeforeAll
    static void serve()
    {
        Provision.kit();
        lab = Lab.open(VirtioUserIT.class);
        socket = lab.socket("vhost.sock");
        backend = Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP, "--coalesce=off", "--queues=" + QUEUES);
        Wire.raise(lab.netns());
    }

    @AfterAll
    static void takeDown()
    {
        if (null != lab)
        {
            Progress.say("virtio-user: " + devices + " devices, each sending, receiving and sending back");
            lab.close();
        }
    }

    static Stream<Device> devices()
    {
        final List<Device> all = IntStream.range(0, 48).mapToObj(i ->
            new Device(i & 1, i >> 1 & 1, i >> 2 & 1, i >> 3 & 1, 1 << (i >> 4))).toList();
        // A square of strength two for the four switches, and each number of queues with both kinds of ring.
        return IS_ALL ? all.stream() : Stream.of(
            new Device(0, 0, 0, 0, 1), new Device(0, 0, 1, 1, 2), new Device(0, 1, 0, 1, 4), new Device(0, 1, 1, 0, 1),
            new Device(1, 0, 0, 1, 1), new Device(1, 0, 1, 0, 4), new Device(1, 1, 0, 0, 2), new Device(1, 1, 1, 1, 1));
    }

    @ParameterizedTest
    @MethodSource("devices")
    void shouldCarryEveryFrameOfEveryMode(final Device device)
    {
        devices++;
        try (Testpmd frontend = Testpmd.virtioUser(lab, "virtio-user", socket, device.properties(), device.options()))
        {
            warmUp(frontend);
            transmit(frontend);
            frontend.mode("rxonly");
            receive(frontend, 0);
            frontend.mode("io");
            receive(frontend, FRAMES.size());
        }
        assertTrue(backend.process().isAlive());
    }

    /**
     * DPDK does not wait until its rings are enabled: what it sends before is consumed and discarded, as it must be.
     * The kernel steers frames to a queue only once the queue has sent.
     */
    private static void warmUp(final Testpmd frontend)
    {
        final long before = framesOnTap();
        frontend.startForwarding();
        Await.until("frames on the TAP", LIMIT, () -> framesOnTap() - before > SOME);
        frontend.stopForwarding();
        Await.settled(QUIET, LIMIT, VirtioUserIT::framesOnTap);
    }

    private static void transmit(final Testpmd frontend)
    {
        final long sentBefore = frontend.sent();
        final long before = framesOnTap();
        frontend.startForwarding();
        Await.until("frames on the TAP", LIMIT, () -> framesOnTap() - before > SOME);
        frontend.stopForwarding();
        final long sent = frontend.sent() - sentBefore;

        assertEquals(sent, Await.settled(QUIET, LIMIT, VirtioUserIT::framesOnTap) - before);
    }

    /** @param returned frames that come back. */
    private static void receive(final Testpmd frontend, final int returned)
    {
        frontend.startForwarding();
        final long before = frontend.received();
        final long leftBefore = lab.netns().counter(Wire.TAP, "tx_packets");
        final long backBefore = lab.netns().counter(Wire.TAP, "rx_packets");

        Wire.replay(lab, FRAMES);

        Await.settled(QUIET, LIMIT, frontend::received);
        assertEquals(FRAMES.size(), lab.netns().counter(Wire.TAP, "tx_packets") - leftBefore, "left the host");
        assertEquals(FRAMES.size(), frontend.received() - before, "reached the driver");
        assertEquals(returned, lab.netns().counter(Wire.TAP, "rx_packets") - backBefore, "came back");
        frontend.stopForwarding();
    }

    private static long framesOnTap()
    {
        return lab.netns().counter(Wire.TAP, "rx_packets") + lab.netns().counter(Wire.TAP, "rx_dropped");
    }
}
