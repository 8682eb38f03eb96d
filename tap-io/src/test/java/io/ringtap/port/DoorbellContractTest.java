package io.ringtap.port;

/** {@link PortContract} with packet rings that a thread of their own flushes. */
class DoorbellContractTest extends PortContract
{
    @Override
    PortBed bed()
    {
        return new VethBed((mtu) -> PortRig.packet(new PacketOptions().name(VethBed.NEAR).doorbell(true)));
    }
}
