package io.ringtap.port;

/** {@link TapFaultContract} with a submission a batch. */
class UringTapFaultTest extends TapFaultContract
{
    @Override
    PortIo io()
    {
        return PortIo.URING;
    }
}
