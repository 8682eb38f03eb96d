package io.ringtap.vhost.session;

import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.MemFd;
import io.ringtap.vhost.protocol.Request;

/** What a front-end hands over: shared memory with room for rings, and event descriptors. */
final class TestGuest implements AutoCloseable
{
    static final long SIZE = 1 << 20;
    static final long GUEST_ADDRESS = 0x4000_0000L;
    static final long FRONTEND_ADDRESS = 0x7f00_0000_0000L;
    static final int RING_SIZE = 256;

    /** Rings lie one after another, each with room for all three parts. */
    private static final long RING_STRIDE = 0x4000;
    private static final long AVAILABLE_OFFSET = 0x1000;
    private static final long USED_OFFSET = 0x2000;

    final Fd memory = MemFd.create("guest", SIZE);
    final EventFd event = EventFd.create();

    long[] region()
    {
        return new long[]{GUEST_ADDRESS, SIZE, FRONTEND_ADDRESS, 0};
    }

    byte[] table()
    {
        return Payloads.table(region());
    }

    static long ringAddress(final int ring)
    {
        return FRONTEND_ADDRESS + ring * RING_STRIDE;
    }

    static byte[] address(final int ring)
    {
        return address(ring, ringAddress(ring), 0);
    }

    static byte[] address(final int ring, final long at, final int flags)
    {
        return Payloads.address(ring, flags, at, at + USED_OFFSET, at + AVAILABLE_OFFSET, GUEST_ADDRESS);
    }

    /** The messages of one ring, in QEMU's order. */
    void setUpRing(final FrontendScript script, final int ring, final int base)
    {
        script.send(Request.SET_VRING_NUM, Payloads.state(ring, RING_SIZE))
            .send(Request.SET_VRING_BASE, Payloads.state(ring, base))
            .send(Request.SET_VRING_ADDR, address(ring))
            .send(Request.SET_VRING_KICK, Payloads.withDescriptor(ring), event.number())
            .send(Request.SET_VRING_CALL, Payloads.withDescriptor(ring), event.number());
    }

    @Override
    public void close()
    {
        memory.close();
        event.close();
    }
}
