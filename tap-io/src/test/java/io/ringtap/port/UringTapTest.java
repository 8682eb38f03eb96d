package io.ringtap.port;

/** {@link TapContract} with a submission a batch. */
class UringTapTest extends TapContract
{
    @Override
    PortIo io()
    {
        return PortIo.URING;
    }
}
