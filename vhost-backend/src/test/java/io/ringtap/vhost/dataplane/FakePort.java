package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterSet;
import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.Offloads;
import io.ringtap.frag.FragAllocator;
import io.ringtap.port.PacketPort;
import io.ringtap.port.PortCounter;
import io.ringtap.port.PortQueue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A port in memory: keeps what is sent to it, gives what it was handed, and can hold frames back. */
final class FakePort implements PacketPort, PortQueue
{
    final List<byte[]> sent = new ArrayList<>();
    final List<byte[]> sentHeaders = new ArrayList<>();
    final Deque<byte[]> arriving = new ArrayDeque<>();
    final Deque<byte[]> arrivingHeaders = new ArrayDeque<>();
    private final FragAllocator fragments;
    private final CounterSet<PortCounter> counters = new CounterSet<>("fake0", PortCounter.class);
    int room = Integer.MAX_VALUE;
    int transmits;
    int flushes;
    int mtu = 1500;
    boolean hasCarrier;
    int engaged;
    private final int transmitOffloads;
    boolean isAttached;
    /** Whether it asks to be flushed in each cycle. */
    boolean isHolding;
    /** Thrown by whatever sends; null for nothing. */
    Throwable fault;

    FakePort(final FragAllocator fragments, final int transmitOffloads)
    {
        this.fragments = fragments;
        this.transmitOffloads = transmitOffloads;
    }

    void arrive(final byte[] frame)
    {
        arrive(frame, new byte[FrameLayout.NET_HEADER]);
    }

    void arrive(final byte[] frame, final byte[] header)
    {
        arriving.add(frame);
        arrivingHeaders.add(header);
    }

    @Override
    public int transmit(final FrameBatch batch)
    {
        fail();
        transmits++;
        int taken = 0;
        while (!batch.isDrained() && 0 < room)
        {
            final int i = batch.ready(batch.sent());
            sent.add(Frames.bytes(batch, i));
            final byte[] header = new byte[FrameLayout.NET_HEADER];
            batch.arena().getBytes(batch.netHeader(i), header);
            sentHeaders.add(header);
            batch.sent(batch.sent() + 1);
            room--;
            taken++;
        }
        return taken;
    }

    @Override
    public int receive(final FrameBatch batch, final int limit)
    {
        int n = 0;
        while (n < limit && !arriving.isEmpty() && !batch.isFull())
        {
            final byte[] frame = arriving.poll();
            final int slotLength = FrameLayout.HEADROOM + frame.length;
            final int slot = fragments.allocate(slotLength);
            final int offset = slot + FrameLayout.HEADROOM;
            batch.arena().putBytes(offset - FrameLayout.NET_HEADER, arrivingHeaders.poll());
            batch.arena().putBytes(offset, frame);
            batch.add(slot, slotLength, offset, frame.length, 0);
            n++;
        }
        return n;
    }

    @Override
    public void release(final FrameBatch batch)
    {
        for (int i = 0; i < batch.frames(); i++)
        {
            fragments.release(batch.slot(i));
        }
        batch.clear();
    }

    @Override
    public void flush()
    {
        fail();
        flushes++;
    }

    @Override
    public boolean isHolding()
    {
        return isHolding;
    }

    private void fail()
    {
        if (fault instanceof Error error)
        {
            throw error;
        }
        if (fault != null)
        {
            throw (RuntimeException)fault;
        }
    }

    @Override
    public CounterSet<PortCounter> counters()
    {
        return counters;
    }

    @Override
    public boolean armReceive()
    {
        return arriving.isEmpty();
    }

    @Override
    public int waitDescriptor()
    {
        return -1;
    }

    @Override
    public void attach(final boolean on)
    {
        isAttached = on;
    }

    @Override
    public String name()
    {
        return "fake0";
    }

    @Override
    public int queueCount()
    {
        return 1;
    }

    @Override
    public PortQueue queue(final int index)
    {
        return this;
    }

    @Override
    public int transmitOffloads()
    {
        return transmitOffloads;
    }

    @Override
    public int receiveOffloads(final int wanted)
    {
        engaged = wanted;
        return wanted;
    }

    @Override
    public int supportedReceiveOffloads()
    {
        return Offloads.ALL;
    }

    @Override
    public int mtu()
    {
        return mtu;
    }

    @Override
    public void mtu(final int bytes)
    {
        mtu = bytes;
    }

    @Override
    public void carrier(final boolean up)
    {
        hasCarrier = up;
    }

    @Override
    public void close()
    {
        // Nothing is open.
    }
}
