package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The backend as it comes: every offload that the kernel and the guest can both do. */
class OffloadsIT extends GuestTraffic
{
    /** CSUM, GUEST_CSUM, GUEST_TSO4/6, HOST_TSO4/6, MRG_RXBUF, INDIRECT_DESC, EVENT_IDX, VERSION_1. */
    private static final List<String> EXPECTED = List.of("0", "1", "7", "8", "11", "12", "15", "28", "29", "32");

    @Override
    List<String> options()
    {
        return List.of();
    }

    @Test
    @Tag("virtio.CSUM")
    @Tag("virtio.GUEST_CSUM")
    @Tag("virtio.GUEST_TSO4")
    @Tag("virtio.GUEST_TSO6")
    @Tag("virtio.HOST_TSO4")
    @Tag("virtio.HOST_TSO6")
    @Tag("virtio.MRG_RXBUF")
    @Tag("virtio.INDIRECT_DESC")
    @Tag("virtio.EVENT_IDX")
    @Tag("virtio.VERSION_1")
    void shouldOfferWhatHostAndGuestCanDo()
    {
        assertTrue(features().containsAll(EXPECTED), () -> "agreed on " + features());
    }

    @Test
    void shouldCarryTcpWhenGuestSwitchesItsOffloadsOffAndOnAgain()
    {
        guest().check("ethtool -K eth0 tso off gso off gro off tx off");
        try
        {
            assertTrue(wire().streamToHost(), "without the guest's offloads, to the host");
            assertTrue(wire().streamToGuest(), "without the guest's offloads, to the guest");
        }
        finally
        {
            guest().check("ethtool -K eth0 tx on gso on tso on gro on");
        }
        assertTrue(wire().streamToHost(), "with them again");
    }
}
