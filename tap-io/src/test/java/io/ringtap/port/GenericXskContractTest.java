package io.ringtap.port;

/** {@link PortContract} with AF_XDP behind the driver. */
class GenericXskContractTest extends PortContract
{
    @Override
    PortBed bed()
    {
        return new XskBed(XskMode.GENERIC);
    }
}
