package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.QemuGuest;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two queue pairs and a guest with two CPUs, which uses both, one, and both again. */
@Tag("virtio.MQ")
@Tag("protocol.MQ")
class MultiQueueIT extends GuestTraffic
{
    @Override
    List<String> options()
    {
        return List.of("--queues=2");
    }

    @Override
    QemuGuest.Plan plan()
    {
        return super.plan().queues(2);
    }

    @Test
    void shouldServeAsManyPairsAsGuestEnables()
    {
        assertEquals("2", combined());
        for (int round = 0; round < 3; round++)
        {
            guest().check("ethtool -L eth0 combined 1");
            assertEquals("1", combined());
            wire().ping();
            guest().check("ethtool -L eth0 combined 2");
            assertEquals("2", combined());
            wire().ping();
        }
        assertTrue(wire().streamToHost());
        assertTrue(wire().streamToGuest());
    }

    private String combined()
    {
        return guest().check("ethtool -l eth0 | awk '/Current/ {on = 1} on && /Combined/ {print $2}'");
    }
}
