package io.ringtap.hostile;

import io.ringtap.frontend.DriverRing;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.virtio.NetFeatures;

import static io.ringtap.hostile.RawFrontend.GUEST;
import static io.ringtap.hostile.RawFrontend.SIZE;
import static io.ringtap.hostile.RawFrontend.USER;
import static io.ringtap.hostile.RawFrontend.data;
import static io.ringtap.hostile.RawFrontend.longs;
import static io.ringtap.hostile.RawFrontend.state;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A guest whose memory nobody sealed: its owner takes pages away while rings run. */
final class LooseGuest implements AutoCloseable
{
    static final long FEATURES = NetFeatures.bit(NetFeatures.VERSION_1) | NetFeatures.bit(NetFeatures.MRG_RXBUF) |
        NetFeatures.bit(NetFeatures.PROTOCOL_FEATURES);
    /** Where buffers begin; a file of this size holds the rings. */
    static final int BUFFERS = SIZE / 2;
    /** A file of this size holds the ring that receives. */
    static final int SECOND_RING = SIZE / 4;
    private static final int RING = 64;

    final RawFrontend frontend;
    private final Mapping mapping;
    private final DriverRing[] rings = new DriverRing[2];

    LooseGuest(final String path, final long features)
    {
        this(path, features, true);
    }

    /** @param isLoose whether nobody can seal its memory. */
    LooseGuest(final String path, final long features, final boolean isLoose)
    {
        frontend = new RawFrontend(path);
        if (isLoose)
        {
            // No seal can be added any more, so nobody can keep its owner from cutting it short.
            MemFd.seal(frontend.memory.number(), MemFd.F_SEAL_SEAL);
        }
        mapping = Mapping.shared(frontend.memory.number(), 0, SIZE, "loose guest");
        try
        {
            frontend.negotiate(features);
            assertEquals(0, frontend.acked(
                Request.ADD_MEM_REG, longs(0, GUEST, SIZE, USER, 0), frontend.memory.number()));
            for (int i = 0; i < rings.length; i++)
            {
                rings[i] = DriverRing.create(mapping.buffer(), i * SECOND_RING, RING, GUEST, features);
                start(i);
            }
        }
        catch (final AssertionError | RuntimeException failure)
        {
            close();
            throw failure;
        }
    }

    private void start(final int index)
    {
        final DriverRing ring = rings[index];
        frontend.acked(Request.SET_VRING_NUM, state(index, RING));
        frontend.acked(Request.SET_VRING_BASE, state(index, ring.startBase()));
        frontend.acked(Request.SET_VRING_ADDR, address(index));
        frontend.acked(Request.SET_VRING_CALL, longs(index), frontend.event.number());
        frontend.acked(Request.SET_VRING_KICK, longs(index), frontend.event.number());
        assertEquals(0, frontend.acked(Request.SET_VRING_ENABLE, state(index, 1)));
    }

    byte[] address(final int index)
    {
        final long shift = USER - GUEST;
        return data(40).putInt(index).putInt(0).putLong(rings[index].descriptorAddress() + shift)
            .putLong(rings[index].deviceAddress() + shift).putLong(rings[index].driverAddress() + shift).putLong(0)
            .array();
    }

    /** Makes a frame of so many bytes available to be sent. */
    void offer(final int length)
    {
        rings[1].add(GUEST + BUFFERS, length, false);
        rings[1].publish();
    }

    void lend(final int length)
    {
        rings[0].add(GUEST + BUFFERS, length, true);
        rings[0].publish();
    }

    void kick()
    {
        frontend.event.signal();
    }

    /** What lies behind is gone; whoever touches it gets a SIGBUS. */
    void truncate(final long length)
    {
        Syscalls.ftruncate(frontend.memory.number(), length);
    }

    @Override
    public void close()
    {
        frontend.close();
        mapping.close();
    }
}
