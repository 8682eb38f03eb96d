package io.ringtap.port;

/** {@link PortContract} with a TAP with a submission a batch. */
class UringTapContractTest extends PortContract
{
    @Override
    PortBed bed()
    {
        return new TapBed(PortIo.URING);
    }
}
