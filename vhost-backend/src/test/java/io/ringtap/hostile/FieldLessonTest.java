package io.ringtap.hostile;

import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.virtio.NetFeatures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.ringtap.hostile.HostileBed.await;
import static io.ringtap.hostile.HostileDriver.RECEIVE;
import static io.ringtap.hostile.HostileDriver.SEND;
import static io.ringtap.hostile.RawFrontend.GUEST;
import static io.ringtap.hostile.RawFrontend.SIZE;
import static io.ringtap.hostile.RawFrontend.USER;
import static io.ringtap.hostile.RawFrontend.address;
import static io.ringtap.hostile.RawFrontend.longs;
import static io.ringtap.hostile.RawFrontend.state;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Faults that others had, by their numbers in docs/reliability.md, where no other test is about just that. */
class FieldLessonTest
{
    private static final HostileSetting SETTING = HostileSetting.SPLIT;
    private static final int TIMES = 300;
    private static final int FEW = 20;
    private static final long FEATURES = LooseGuest.FEATURES;

    private HostileBed bed;

    @BeforeEach
    void open()
    {
        bed = new HostileBed(SETTING);
    }

    @AfterEach
    void close()
    {
        bed.checkNeighbour();
        bed.close();
    }

    /** rust-vmm/vhost 375: what lay in a ring before it was started was never seen, because no kick came any more. */
    @Test
    void lesson26ShouldLookAtARingWhenItStarts()
    {
        final long before = bed.sent(HostileBed.ATTACKED, 0);
        try (LooseGuest guest = new LooseGuest(bed.path(HostileBed.ATTACKED), FEATURES))
        {
            assertEquals(0, guest.frontend.acked(Request.GET_VRING_BASE, state(1, 0)) >>> 32);
            guest.offer(100);
            assertEquals(0, guest.frontend.acked(
                Request.SET_VRING_KICK, longs(1), guest.frontend.event.number()));
            await(() -> before < bed.sent(HostileBed.ATTACKED, 0), "a frame that was there before is not sent");
        }
    }

    /** virtio-spec 185: flags towards a guest that took no GUEST_CSUM are 0, and the checksum is complete. */
    @Test
    void lesson63ShouldShowNoFlagsToAGuestWithoutChecksums()
    {
        final Attack guest = Attack.receiving("none", Verdict.PASSES, (driver) -> {}).without(
            NetFeatures.GUEST_CSUM, NetFeatures.GUEST_TSO4, NetFeatures.GUEST_TSO6, NetFeatures.GUEST_ECN,
            NetFeatures.GUEST_USO4, NetFeatures.GUEST_USO6);
        try (HostileDriver driver = new HostileDriver(guest.frontend(SETTING, bed.path(HostileBed.ATTACKED))))
        {
            driver.offer(RECEIVE, Piece.writable(driver.room(), HostileDriver.ROOM));
            driver.offer(HostileDriver.OTHER_RECEIVE, Piece.writable(driver.room(), HostileDriver.ROOM));
            final byte[] frame = bed.frameTo(HostileBed.ATTACKED, 1, 100);
            final byte[] header = new byte[HostileDriver.HEADER];
            header[0] = 1;
            header[6] = WireFrames.TRANSPORT;
            header[8] = 6;
            bed.source().send(header, frame);
            final int at = (int)(driver.room() - driver.start());
            await(() -> 2 == driver.memory().getByte(at + HostileDriver.HEADER), "the frame does not arrive");
            await(() -> 0 != driver.memory().getShort(at + HostileDriver.HEADER + WireFrames.TRANSPORT + 6),
                "the checksum is not complete");
            assertEquals(0, driver.memory().getByte(at), "flags");
        }
    }

    /** CVE-2019-14818: descriptors and memory of the same message again and again were kept. */
    @Test
    void lesson95ShouldKeepNothingOfRepeatedMessages()
    {
        final long before = Holdings.descriptors();
        try (LooseGuest guest = new LooseGuest(bed.path(HostileBed.ATTACKED), FEATURES))
        {
            final long connected = Holdings.descriptors();
            for (int i = 0; i < TIMES; i++)
            {
                for (int ring = 0; ring < 2; ring++)
                {
                    guest.frontend.acked(Request.SET_VRING_KICK, longs(ring), guest.frontend.event.number());
                    guest.frontend.acked(Request.SET_VRING_CALL, longs(ring), guest.frontend.event.number());
                    guest.frontend.acked(Request.SET_VRING_ERR, longs(ring), guest.frontend.event.number());
                    guest.frontend.acked(Request.SET_VRING_ADDR, guest.address(ring));
                }
                guest.frontend.acked(Request.SET_MEM_TABLE, longs(1, GUEST, SIZE, USER, 0),
                    guest.frontend.memory.number());
            }
            // both error descriptors are new; the JVM may have one or two more of its own
            assertTrue(Holdings.descriptors() < connected + FEW);
        }
        await(() -> Holdings.descriptors() < before + FEW, "descriptors are kept");
    }

    /** CVE-2022-0669: descriptors of in-flight messages that were refused stayed open. */
    @Test
    void lesson99ShouldKeepNothingOfRefusedTrackingMemory()
    {
        try (RawFrontend frontend = new RawFrontend(bed.path(HostileBed.ATTACKED)))
        {
            frontend.negotiate(FEATURES);
            final long before = Holdings.descriptors();
            for (int i = 0; i < TIMES; i++)
            {
                assertNotEquals(0, frontend.acked(Request.SET_INFLIGHT_FD, longs(-1, 0, 2), frontend.memory.number()));
            }
            assertTrue(Holdings.descriptors() < before + FEW);
        }
    }

    /** libvhost-user: the ring's number was not looked at in three messages, and every ack said success. */
    @Test
    void lesson111ShouldRefuseRingsThatAreNoneAndSaySo()
    {
        try (RawFrontend frontend = new RawFrontend(bed.path(HostileBed.ATTACKED)))
        {
            frontend.negotiate(FEATURES);
            for (final int ring : new int[]{4, 5, 255, 256, 1 << 16, Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
            {
                assertNotEquals(0, frontend.acked(Request.SET_VRING_NUM, state(ring, 64)));
                assertNotEquals(0, frontend.acked(Request.SET_VRING_BASE, state(ring, 0)));
                assertNotEquals(0, frontend.acked(Request.SET_VRING_ADDR, address(ring, USER)));
                assertNotEquals(0, frontend.acked(Request.SET_VRING_ENABLE, state(ring, 1)));
            }
            for (final int size : new int[]{0, -1, 32769, 1 << 16, Integer.MIN_VALUE})
            {
                assertNotEquals(0, frontend.acked(Request.SET_VRING_NUM, state(0, size)));
            }
            assertFalse(frontend.isClosedByPeer());
        }
    }

    /** cloud-hypervisor 8142: one malformed chain must not cost the thread that serves the ring. */
    @Test
    void lesson50ShouldGoOnAfterEachOfManyMalformedChains()
    {
        final Attack none = Attack.sending("none", Verdict.PASSES, (driver) -> {});
        try (HostileDriver driver = new HostileDriver(none.frontend(SETTING, bed.path(HostileBed.ATTACKED))))
        {
            for (int i = 0; i < TIMES; i++)
            {
                final long before = bed.sent(HostileBed.ATTACKED, 0);
                driver.offer(SEND, Piece.readable(i, 60));
                driver.sendGood(SEND);
                await(() -> before < bed.sent(HostileBed.ATTACKED, 0), "the ring does not go on");
                await(() -> RawRing.NONE != driver.ring(SEND).poll(), "no chain comes back");
                await(() -> RawRing.NONE != driver.ring(SEND).poll(), "a chain does not come back");
            }
        }
    }
}
