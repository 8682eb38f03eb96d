package io.ringtap.port;

/** {@link PortContract} with AF_XDP in the driver. */
class XskContractTest extends PortContract
{
    @Override
    PortBed bed()
    {
        return new XskBed(XskMode.AUTO);
    }
}
