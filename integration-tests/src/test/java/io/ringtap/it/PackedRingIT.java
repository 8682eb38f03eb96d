package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.QemuGuest;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The packed form of the virtqueue with a real guest. */
@Tag("virtio.RING_PACKED")
class PackedRingIT extends GuestTraffic
{
    private static final String RING_PACKED = "34";

    @Override
    List<String> options()
    {
        return List.of();
    }

    @Override
    QemuGuest.Plan plan()
    {
        return super.plan().device(",packed=on");
    }

    @Test
    void shouldUsePackedRing()
    {
        assertTrue(features().contains(RING_PACKED), () -> "agreed on " + features());
    }
}
