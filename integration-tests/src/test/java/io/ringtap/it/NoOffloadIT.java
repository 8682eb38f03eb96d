package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every offload switched off and nothing merged: one frame of the guest is one frame of the TAP. */
class NoOffloadIT extends GuestTraffic
{
    /** CSUM, GUEST_CSUM, GUEST_TSO4/6, GUEST_ECN, GUEST_UFO, HOST_TSO4/6, HOST_ECN, HOST_UFO. */
    private static final List<String> OFFLOADS = List.of("0", "1", "7", "8", "9", "10", "11", "12", "13", "14");
    private static final int GENERATED = 5_000;

    @Override
    List<String> options()
    {
        return List.of("--no-offload=all", "--coalesce=off");
    }

    @Test
    void shouldOfferNoOffload()
    {
        assertTrue(Collections.disjoint(features(), OFFLOADS), () -> "agreed on " + features());
    }

    @Test
    void shouldPutEveryFrameOfGuestOnTap()
    {
        final long before = wire().framesOnTap();
        final long sentBefore = guest().counter("tx_packets");

        assertNull(wire().lostOf(GENERATED, 60, 1, 1));

        assertEquals(guest().counter("tx_packets") - sentBefore, wire().framesOnTap() - before);
    }
}
