package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** {@link TapContract} with a submission a batch, and an arena that the ring knows. */
class RegisteredTapTest extends TapContract
{
    @Override
    PortIo io()
    {
        return PortIo.URING;
    }

    @Override
    void open(final TapOptions options)
    {
        rig = PortRig.registeredTap(options);
        rig.port.carrier(true);
        assertEquals(rig.port.queueCount(), rig.arena.report().registrations());
    }
}
