package io.ringtap.port;

/** {@link PortContract} with packet rings as on a kernel before 6.5, whose net header is shorter. */
class ShortHeaderContractTest extends PortContract
{
    @Override
    PortBed bed()
    {
        return new VethBed((mtu) -> PortRig.packet(
            new PacketOptions().name(VethBed.NEAR).netHeader(PacketSockets.SHORT_HEADER)));
    }
}
