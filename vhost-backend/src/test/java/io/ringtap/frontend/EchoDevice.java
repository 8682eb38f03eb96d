package io.ringtap.frontend;

import io.ringtap.counters.CounterSet;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.RegionRequest;
import io.ringtap.vhost.protocol.MemoryRegionsFlyweight;
import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.protocol.VringAddressFlyweight;
import io.ringtap.vhost.virtio.DescriptorChain;
import io.ringtap.vhost.virtio.NetFeatures;
import io.ringtap.vhost.virtio.RingCounter;
import io.ringtap.vhost.virtio.RingSetup;
import io.ringtap.vhost.virtio.Virtqueue;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A back-end that gives each frame back to the guest on the same queue pair, over the real device half of the rings:
 * enough to test a guest without a data plane.
 */
final class EchoDevice extends BackendScript
{
    private static final int MAX_RINGS = 16;

    private final Virtqueue[] queues = new Virtqueue[MAX_RINGS];
    private final EventFd[] calls = new EventFd[MAX_RINGS];
    private final int[] sizes = new int[MAX_RINGS];
    private final int[] bases = new int[MAX_RINGS];
    private final long[][] addresses = new long[MAX_RINGS][];
    private final DescriptorChain chain = new DescriptorChain();
    private final List<DescriptorChain> targets = new ArrayList<>();
    private final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(70_000));
    private final MemoryRegionsFlyweight table = new MemoryRegionsFlyweight();
    private final VringAddressFlyweight address = new VringAddressFlyweight();
    private final boolean swallows;
    private GuestMemory memory;
    private long features;
    private volatile boolean isHeld;
    private volatile long frames;

    EchoDevice(final Fd socket, final long features, final long protocolFeatures, final boolean swallows)
    {
        super(socket, features, protocolFeatures);
        this.swallows = swallows;
        for (int i = 0; i < 256; i++)
        {
            targets.add(new DescriptorChain());
        }
    }

    /** Stops looking at the rings. */
    void hold(final boolean held)
    {
        isHeld = held;
    }

    long frames()
    {
        return frames;
    }

    @Override
    void onMessage(final Request request, final int at, final int size)
    {
        final int ring = buffer.getInt(at) & 0xFF;
        switch (request)
        {
            case SET_FEATURES -> features = buffer.getLong(at);
            case SET_MEM_TABLE -> map(at);
            case SET_VRING_NUM -> sizes[ring] = buffer.getInt(at + 4);
            case SET_VRING_BASE -> bases[ring] = buffer.getInt(at + 4);
            case SET_VRING_ADDR ->
            {
                address.wrap(buffer, at);
                addresses[ring] = new long[]{
                    address.descriptorAddress(), address.availableAddress(), address.usedAddress()};
            }
            case SET_VRING_CALL -> calls[ring] = 0 == fds.size() ? null : EventFd.of(fds.take(0));
            case SET_VRING_KICK -> queues[ring] = Virtqueue.open(
                new RingSetup(ring, sizes[ring], bases[ring], addresses[ring][0], addresses[ring][1],
                    addresses[ring][2], features),
                memory,
                new CounterSet<>("ring " + ring, RingCounter.class));
            case GET_VRING_BASE ->
            {
                answer(Request.GET_VRING_BASE, queues[ring].base());
                queues[ring] = null;
            }
            default ->
            {
                // Nothing to do with rings.
            }
        }
    }

    @Override
    void onIdle()
    {
        for (int ring = 0; ring < MAX_RINGS && !isHeld; ring += 2)
        {
            if (null != queues[ring] && null != queues[ring + 1])
            {
                turn(queues[ring + 1], queues[ring], ring);
            }
        }
    }

    private void map(final int at)
    {
        table.wrap(buffer, at);
        final List<RegionRequest> requests = new ArrayList<>();
        for (int i = 0; i < table.count(); i++)
        {
            requests.add(new RegionRequest(
                table.guestAddress(i), table.size(i), table.frontendAddress(i), table.mmapOffset(i), fds.take(i)));
        }
        memory = GuestMemory.map(requests);
        for (final Virtqueue queue : queues)
        {
            if (null != queue && !queue.rebase(memory))
            {
                throw new IllegalStateException("ring lost its memory");
            }
        }
    }

    private void turn(final Virtqueue from, final Virtqueue to, final int ring)
    {
        int count = 0;
        while (count < 64 && Virtqueue.TAKEN == from.take(chain))
        {
            final int length = chain.readable().length();
            if (!swallows)
            {
                chain.readable().copyIn(0, frame, 0, length);
                if (!deliver(to, length))
                {
                    from.untake(1);
                    break;
                }
            }
            from.complete(chain.ticket(), 0);
            count++;
        }
        if (count > 0)
        {
            frames += count;
            notify(to, ring);
            notify(from, ring + 1);
        }
    }

    private boolean deliver(final Virtqueue to, final int length)
    {
        int taken = 0;
        int room = 0;
        while (room < length)
        {
            if (Virtqueue.TAKEN != to.take(targets.get(taken)))
            {
                to.untake(taken);
                return false;
            }
            room += targets.get(taken++).writable().length();
        }
        if (NetFeatures.headerLength(features) >= NetHeader.LENGTH)
        {
            frame.putShort(NetHeader.BUFFER_COUNT_OFFSET, (short)taken);
        }
        int at = 0;
        for (int i = 0; i < taken; i++)
        {
            final int part = Math.min(length - at, targets.get(i).writable().length());
            targets.get(i).writable().copyOut(0, frame, at, part);
            to.complete(targets.get(i).ticket(), part);
            at += part;
        }
        return true;
    }

    private void notify(final Virtqueue queue, final int ring)
    {
        if (queue.publish() && null != calls[ring])
        {
            calls[ring].signal();
        }
        queue.disarm();
    }
}
