package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.TestFrames;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An MTU of 9000, told to the guest by its NIC, with frames of every size class up to it. */
@Tag("virtio.MTU")
@Tag("protocol.NET_MTU")
@Tag("message.NET_SET_MTU")
class JumboIT extends GuestTraffic
{
    @Override
    List<String> options()
    {
        return List.of("--mtu=9000");
    }

    @Override
    QemuGuest.Plan plan()
    {
        return super.plan().device(",host_mtu=9000");
    }

    @Override
    int mtu()
    {
        return 9000;
    }

    @Test
    void shouldSetMtuOfTap()
    {
        assertEquals("9000", lab().netns().check("cat", "/sys/class/net/" + Wire.TAP + "/mtu").strip());
    }

    @Test
    void shouldDeliverJumboFramesUnchanged()
    {
        assertEquals("", wire().framesToHost(TestFrames.jumbo(), "jumbo.pcap"), "to the host");
        assertEquals("", wire().framesToGuest(TestFrames.jumbo(), "jumbo.pcap"), "to the guest");
    }
}
