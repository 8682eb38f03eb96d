package io.ringtap.vhost.virtio;

import io.ringtap.flow.Offloads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.ringtap.vhost.virtio.NetFeatures.bit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is offered, and what acknowledged bits mean. */
class NetFeaturesTest
{
    private static final int NO_UFO = Offloads.ALL & ~Offloads.UFO;

    @Test
    void shouldOfferEverythingToAPortThatCan()
    {
        final long offered = NetFeatures.offered(Offloads.ALL, Offloads.ALL);
        // 0 1 3 7-14 15 21 22 24 27-30 32 34 35 54 55 56 57
        assertEquals(0x03c0_000d_7960_ff8bL, offered);
    }

    @Test
    void shouldOfferNoOffloadWithoutChecksums()
    {
        final long offered = NetFeatures.offered(Offloads.ALL & ~Offloads.CSUM, Offloads.NONE);
        assertEquals(0x0200_000d_7960_8008L, offered);
    }

    @Test
    void shouldOfferWhatThePortCanEachWay()
    {
        final long offered = NetFeatures.offered(NO_UFO, Offloads.CSUM | Offloads.TSO4 | Offloads.USO4);
        assertTrue(NetFeatures.has(offered, NetFeatures.HOST_TSO6));
        assertTrue(NetFeatures.has(offered, NetFeatures.HOST_USO));
        assertFalse(NetFeatures.has(offered, NetFeatures.HOST_UFO));
        assertTrue(NetFeatures.has(offered, NetFeatures.GUEST_TSO4));
        assertTrue(NetFeatures.has(offered, NetFeatures.GUEST_USO4));
        assertFalse(NetFeatures.has(offered, NetFeatures.GUEST_USO6));
        assertFalse(NetFeatures.has(offered, NetFeatures.GUEST_TSO6));
        assertFalse(NetFeatures.has(
            NetFeatures.offered(Offloads.CSUM | Offloads.USO4, Offloads.NONE), NetFeatures.HOST_USO));
    }

    @Test
    void shouldOfferNothingThatTheFrontEndAnswersItself()
    {
        final long offered = NetFeatures.offered(Offloads.ALL, Offloads.ALL);
        for (final int never : new int[]{2, 5, 16, 17, 18, 19, 20, 23, 26, 33, 40, 60, 63})
        {
            assertFalse(NetFeatures.has(offered, never), "bit " + never);
        }
    }

    @Test
    @Tag("virtio.GUEST_ECN")
    @Tag("virtio.GUEST_UFO")
    void shouldMapGuestBitsToReceiveOffloads()
    {
        final long all = NetFeatures.offered(Offloads.ALL, Offloads.ALL);
        assertEquals(Offloads.ALL, NetFeatures.receiveOffloads(all));
        assertEquals(Offloads.NONE, NetFeatures.receiveOffloads(all & ~bit(NetFeatures.GUEST_CSUM)));
        assertEquals(Offloads.CSUM, NetFeatures.receiveOffloads(bit(NetFeatures.GUEST_CSUM)));
        assertEquals(Offloads.CSUM,
            NetFeatures.receiveOffloads(bit(NetFeatures.GUEST_CSUM) | bit(NetFeatures.GUEST_ECN)));
        assertEquals(Offloads.CSUM | Offloads.TSO6 | Offloads.ECN, NetFeatures.receiveOffloads(
            bit(NetFeatures.GUEST_CSUM) | bit(NetFeatures.GUEST_ECN) | bit(NetFeatures.GUEST_TSO6)));
    }

    @Test
    @Tag("virtio.HOST_ECN")
    @Tag("virtio.HOST_UFO")
    void shouldMapHostBitsToTransmitOffloads()
    {
        final long all = NetFeatures.offered(Offloads.ALL, Offloads.ALL);
        assertEquals(Offloads.ALL, NetFeatures.transmitOffloads(all));
        assertEquals(Offloads.NONE, NetFeatures.transmitOffloads(all & ~bit(NetFeatures.CSUM)));
        assertEquals(Offloads.CSUM | Offloads.USO4 | Offloads.USO6,
            NetFeatures.transmitOffloads(bit(NetFeatures.CSUM) | bit(NetFeatures.HOST_USO)));
    }

    @Test
    @Tag("virtio.VERSION_1")
    @Tag("virtio.MRG_RXBUF")
    void shouldKnowTheLengthOfTheHeader()
    {
        assertEquals(10, NetFeatures.headerLength(0));
        assertEquals(12, NetFeatures.headerLength(bit(NetFeatures.MRG_RXBUF)));
        assertEquals(12, NetFeatures.headerLength(bit(NetFeatures.VERSION_1)));
        assertEquals(20, NetFeatures.headerLength(bit(NetFeatures.VERSION_1) | bit(NetFeatures.HASH_REPORT)));
    }

    @Test
    void shouldNameBits()
    {
        assertEquals(List.of("CSUM", "MRG_RXBUF", "VERSION_1", "bit 41"),
            NetFeatures.names(bit(0) | bit(15) | bit(32) | bit(41)));
    }
}
