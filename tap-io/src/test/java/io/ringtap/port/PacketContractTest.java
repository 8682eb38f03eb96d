package io.ringtap.port;

/** {@link PortContract} with packet rings. */
class PacketContractTest extends PortContract
{
    @Override
    PortBed bed()
    {
        return new VethBed((mtu) -> PortRig.packet(new PacketOptions().name(VethBed.NEAR)));
    }
}
