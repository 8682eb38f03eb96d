package io.ringtap.frontend;

import java.util.concurrent.locks.LockSupport;

/**
 * The driver's end of the control queue (virtio 1.x, 5.1.6.5): one command at a time, and the device's word on it. The
 * rings have to run. One thread owns it.
 */
public final class ControlDriver implements AutoCloseable
{
    /** VIRTIO_NET_OK. */
    public static final int OK = 0;
    /** VIRTIO_NET_ERR. */
    public static final int ERROR = 1;
    /** What we wrote in the place of the device's word, and it did not touch. */
    public static final int NO_ACK = 0xAA;

    static final int RING_SIZE = 64;
    /** The longest command that a device has to look at, and something behind it. */
    static final int BUFFER_LENGTH = 32 * 1024;
    private static final int HEADER_LENGTH = 2;
    private static final long PAUSE_NS = 20_000;
    private static final long NS_PER_MS = 1_000_000;

    private final FrontendMemory memory;
    private final FrontendRing ring;
    private final int buffer;
    private final long patienceNs;

    ControlDriver(final int index, final FrontendMemory memory, final long features, final FrontendConfig config)
    {
        this.memory = memory;
        patienceNs = config.timeoutMs() * NS_PER_MS;
        final int at = memory.allocate(DriverRing.length(RING_SIZE, features), 64);
        ring = new FrontendRing(index, DriverRing.create(
            memory.buffer(), at, RING_SIZE, memory.guestAddress(at) - at, features), at, config.hasNotifications());
        buffer = memory.allocate(BUFFER_LENGTH, 64);
    }

    /** For what is no command. */
    public FrontendRing ring()
    {
        return ring;
    }

    /** Where commands are written, {@link #BUFFER_LENGTH} bytes of the memory. */
    public int buffer()
    {
        return buffer;
    }

    /**
     * Sends a command as Linux does, its two bytes, its data and room for the answer apart, and waits.
     *
     * @return {@link #OK}, {@link #ERROR}, or {@link #NO_ACK} when the chain came back without an answer.
     */
    public int send(final int group, final int number, final byte[] data)
    {
        final int dataAt = buffer + HEADER_LENGTH;
        final int ackAt = dataAt + data.length;
        memory.buffer().putByte(buffer, (byte)group);
        memory.buffer().putByte(buffer + 1, (byte)number);
        memory.buffer().putBytes(dataAt, data);
        memory.buffer().putByte(ackAt, (byte)NO_ACK);
        final long[] addresses = {address(buffer), address(dataAt), address(ackAt)};
        if (0 == data.length)
        {
            addresses[1] = addresses[2];
            chain(addresses, new int[]{HEADER_LENGTH, 1}, 1, 1);
        }
        else
        {
            chain(addresses, new int[]{HEADER_LENGTH, data.length, 1}, 2, 1);
        }
        return memory.buffer().getByte(ackAt) & 0xFF;
    }

    /**
     * Sends any chain and waits until it came back.
     *
     * @return bytes that the device says it has written.
     */
    public int chain(final long[] addresses, final int[] lengths, final int readable, final int writable)
    {
        if (DriverRing.FULL == ring.ring().add(addresses, lengths, readable, writable))
        {
            throw new FrontendException("the control ring is full");
        }
        if (ring.ring().publish() && null != ring.kick())
        {
            ring.kick().signal();
        }
        final long deadlineNs = System.nanoTime() + patienceNs;
        while (DriverRing.NONE == ring.ring().poll())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new FrontendException("no answer on the control queue within " + patienceNs / NS_PER_MS + " ms");
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        return ring.ring().usedLength();
    }

    /** What the guest calls a place in its memory. */
    public long address(final int offset)
    {
        return memory.guestAddress(offset);
    }

    @Override
    public void close()
    {
        ring.close();
    }
}
