package io.ringtap.it;

import java.util.List;

/** {@link PacketRingIT} with a thread of its own that tells the kernel of frames to send. */
class PacketDoorbellIT extends PacketRingIT
{
    @Override
    List<String> options()
    {
        return List.of("--doorbell");
    }
}
