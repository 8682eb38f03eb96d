package io.ringtap.port;

/** AF_XDP sockets on one end of a virtual cable. */
final class XskBed extends VethBed
{
    private final boolean isGeneric;

    XskBed(final XskMode mode)
    {
        super((mtu) -> open(new XskOptions().name(NEAR).mtu(mtu).mode(mode)));
        isGeneric = XskMode.GENERIC == mode;
    }

    /** Behind the driver the program sees super-frames as they are, and nothing says what they are. */
    @Override
    boolean receivesSuperFrames()
    {
        return !isGeneric;
    }

    static PortRig open(final XskOptions options)
    {
        return new PortRig(128, (arena, allocator) ->
            XskPort.open(options.batch(PortRig.BATCH), arena, (i) -> allocator));
    }
}
