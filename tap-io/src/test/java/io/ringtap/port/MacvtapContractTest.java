package io.ringtap.port;

/** {@link PortContract} with a macvtap. */
class MacvtapContractTest extends PortContract
{
    @Override
    PortBed bed()
    {
        return new MacvtapBed();
    }
}
