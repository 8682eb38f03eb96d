package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.TestFrames;
import io.ringtap.it.rig.Testpmd;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DPDK's virtio-user as the front-end: the polling driver that never asks for notifications, on every ring layout. */
class VirtioUserIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration QUIET = Duration.ofMillis(500);
    private static final long SOME = 20_000;
    private static final List<byte[]> FRAMES = TestFrames.small();

    private static Lab lab;
    private static Path socket;
    private static Ringtap backend;

    @BeforeAll
    static void serve()
    {
        Provision.kit();
        lab = Lab.open(VirtioUserIT.class);
        socket = lab.socket("vhost.sock");
        backend = Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP, "--coalesce=off");
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
    @ValueSource(strings = {
        ",queues=1,queue_size=256,packed_vq=0,in_order=0,mrg_rxbuf=0",
        ",queues=1,queue_size=1024,packed_vq=0,in_order=0,mrg_rxbuf=1",
        ",queues=1,queue_size=1024,packed_vq=0,in_order=1,mrg_rxbuf=1",
        ",queues=1,queue_size=256,packed_vq=1,in_order=0,mrg_rxbuf=0",
        ",queues=1,queue_size=1024,packed_vq=1,in_order=1,mrg_rxbuf=1"})
    void shouldPutEveryFrameOnTap(final String device)
    {
        final long before = framesOnTap();
        try (Testpmd frontend = Testpmd.virtioUser(lab, "txonly", socket, device,
            List.of("--forward-mode=txonly", "--txpkts=64", "--eth-peer=0,02:00:00:00:00:99")))
        {
            frontend.startForwarding();
            Await.until("frames on the TAP", LIMIT, () -> framesOnTap() - before > SOME);
            frontend.stopForwarding();
            final long sent = frontend.sent();

            assertEquals(sent, Await.settled(QUIET, LIMIT, VirtioUserIT::framesOnTap) - before);
        }
        assertTrue(backend.process().isAlive());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        ",queues=1,queue_size=1024,packed_vq=0,in_order=0,mrg_rxbuf=1",
        ",queues=1,queue_size=1024,packed_vq=0,in_order=1,mrg_rxbuf=0",
        ",queues=1,queue_size=1024,packed_vq=1,in_order=1,mrg_rxbuf=1"})
    void shouldGiveEveryFrameOfTapToGuest(final String device)
    {
        try (Testpmd frontend = Testpmd.virtioUser(lab, "rxonly", socket, device,
            List.of("--forward-mode=rxonly", "--no-flush-rx")))
        {
            frontend.startForwarding();
            final long before = frontend.received();
            final long leftBefore = lab.netns().counter(Wire.TAP, "tx_packets");

            Wire.replay(lab, FRAMES);

            Await.settled(QUIET, LIMIT, frontend::received);
            assertEquals(FRAMES.size(), lab.netns().counter(Wire.TAP, "tx_packets") - leftBefore, "left the host");
            assertEquals(FRAMES.size(), frontend.received() - before, "reached the driver");
        }
    }

    private static long framesOnTap()
    {
        return lab.netns().counter(Wire.TAP, "rx_packets") + lab.netns().counter(Wire.TAP, "rx_dropped");
    }
}
