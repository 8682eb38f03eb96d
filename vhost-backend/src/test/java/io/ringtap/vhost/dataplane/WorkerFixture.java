package io.ringtap.vhost.dataplane;

import io.ringtap.flow.CoalesceRule;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.Offloads;
import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.FragStrategy;
import io.ringtap.frag.PageArena;
import io.ringtap.frontend.DriverRing;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.RegionRequest;
import io.ringtap.vhost.virtio.NetFeatures;
import io.ringtap.vhost.virtio.RingSetup;
import io.ringtap.xdp.HookChain;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** One worker over real shared memory, with the driver's halves of its two rings and a port in memory. */
final class WorkerFixture implements AutoCloseable
{
    static final long GUEST = 0x4000_0000L;
    static final long FRONTEND = 0x7f12_0000_0000L;
    static final int LENGTH = 16 << 20;
    static final int SIZE = 256;
    static final int HEADER = 12;
    static final int PORT_NUMBER = 77;
    static final int OTHER_PORT_NUMBER = 88;
    static final long BASIC = NetFeatures.bit(NetFeatures.VERSION_1) | NetFeatures.bit(NetFeatures.MRG_RXBUF) |
        NetFeatures.bit(NetFeatures.INDIRECT_DESC) | NetFeatures.bit(NetFeatures.EVENT_IDX);
    static final long OFFLOADS = BASIC | NetFeatures.bit(NetFeatures.CSUM) | NetFeatures.bit(NetFeatures.GUEST_CSUM) |
        NetFeatures.bit(NetFeatures.HOST_TSO4) | NetFeatures.bit(NetFeatures.GUEST_TSO4) |
        NetFeatures.bit(NetFeatures.HOST_USO) | NetFeatures.bit(NetFeatures.GUEST_USO4) |
        NetFeatures.bit(NetFeatures.GUEST_USO6);
    private static final int RECEIVE_AT = 4096;
    private static final int TRANSMIT_AT = 1 << 20;
    private static final int BUFFERS_AT = 4 << 20;
    private static final int STRIDE = 1 << 17;

    final PageArena arena = new PageArena(64);
    final FragAllocator fragments = FragStrategy.SHARED.create(arena);
    /** Frames that left for other ports, by arrival. */
    final List<byte[]> exchanged = new ArrayList<>();
    final RateLimits rates = new RateLimits();
    final FakePort port;
    final HookChain guestHooks = new HookChain();
    final HookChain hostHooks = new HookChain();
    final QueuePairWorker worker;
    final UnsafeBuffer guest;
    final DriverRing receive;
    final DriverRing transmit;
    final EventFd receiveCall;
    final EventFd transmitCall;
    final GuestMemory memory;
    private final Mapping mapping;
    private final long features;
    private int nextBuffer;

    WorkerFixture(final long features)
    {
        this(features, Offloads.ALL);
    }

    /** @param portOffloads what the port takes; none keeps frames apart. */
    WorkerFixture(final long features, final int portOffloads)
    {
        this(features, portOffloads, 0);
    }

    /** @param pair of several that share nothing here. */
    WorkerFixture(final long features, final int portOffloads, final int pair)
    {
        this.features = features;
        port = new FakePort(fragments, portOffloads);
        worker = new QueuePairWorker(pair, new WorkerSetup(port, arena, fragments, guestHooks, hostHooks, true,
            CoalesceRule.EXACT, 0, -1, PORT_NUMBER, this::exchange, rates));
        final Fd fd = MemFd.create("worker-fixture", LENGTH);
        mapping = Mapping.shared(fd.number(), 0, LENGTH, "guest");
        guest = mapping.buffer();
        memory = GuestMemory.map(List.of(new RegionRequest(GUEST, LENGTH, FRONTEND, 0, fd)));
        receive = DriverRing.create(guest, RECEIVE_AT, SIZE, GUEST, features);
        transmit = DriverRing.create(guest, TRANSMIT_AT, SIZE, GUEST, features);
        worker.settings().negotiated(features);
        receiveCall = start(worker.receiveRing(), receive);
        transmitCall = start(worker.transmitRing(), transmit);
    }

    RingSetup setup(final int index, final DriverRing driver)
    {
        return setup(index, driver, driver.startBase());
    }

    RingSetup setup(final int index, final DriverRing driver, final int base)
    {
        final long shift = FRONTEND - GUEST;
        return new RingSetup(index, SIZE, base, driver.descriptorAddress() + shift,
            driver.driverAddress() + shift, driver.deviceAddress() + shift, features);
    }

    private boolean exchange(final int number, final FrameBatch batch, final int row)
    {
        return OTHER_PORT_NUMBER == number && exchanged.add(Frames.bytes(batch, row));
    }

    private EventFd start(final RingEnd ring, final DriverRing driver)
    {
        ring.start(setup(ring.index(), driver), memory);
        ring.enable(true);
        final EventFd call = EventFd.create();
        ring.call(Fd.of(Syscalls.dup(call.number()).release()));
        // A ring that runs tells its new descriptor once; tests count what comes after.
        call.drain();
        return call;
    }

    /** The driver sends a frame behind an empty net header, in one buffer each. */
    int send(final byte[] frame)
    {
        return send(new byte[HEADER], frame);
    }

    int send(final byte[] header, final byte[] frame)
    {
        final int at = buffer();
        guest.putBytes(at, header);
        guest.putBytes(at + header.length, frame);
        final int id = transmit.add(
            new long[] { GUEST + at, GUEST + at + header.length }, new int[] { header.length, frame.length }, 2, 0);
        transmit.publish();
        return id;
    }

    /** The driver lends a receive buffer; its offset in guest memory. */
    int lend(final int length)
    {
        final int at = buffer();
        receive.add(GUEST + at, length, true);
        receive.publish();
        return at;
    }

    private int buffer()
    {
        return BUFFERS_AT + nextBuffer++ % 64 * STRIDE;
    }

    byte[] read(final int at, final int length)
    {
        final byte[] bytes = new byte[length];
        guest.getBytes(at, bytes);
        return bytes;
    }

    long count(final WorkerCounter counter)
    {
        return worker.counters().get(counter);
    }

    /** Runs cycles until nothing is left to do. */
    void work()
    {
        int turns = 0;
        while (0 < worker.doWork() && turns < 1000)
        {
            turns++;
        }
    }

    /** The same, after the rest that chains without frames have cost. */
    void workRested()
    {
        while (rates.fruitless().mustRest())
        {
            Thread.onSpinWait();
        }
        work();
    }

    static byte[] join(final byte[] first, final byte[] second)
    {
        final byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** Closes everything and asserts that no fragment was lost. */
    @Override
    public void close()
    {
        worker.onClose();
        fragments.close();
        assertEquals(0, arena.report().fragmentsOut(), "fragments lost");
        memory.close();
        mapping.close();
        receiveCall.close();
        transmitCall.close();
        arena.close();
    }
}
