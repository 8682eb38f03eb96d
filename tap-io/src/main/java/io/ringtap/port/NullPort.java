package io.ringtap.port;

import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.Offloads;
import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.Fd;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A host that is not there: swallows and counts what is sent, and generates frames without end when asked to. It costs
 * next to nothing, so that what is measured with it is the ring and the worker.
 */
public final class NullPort implements PacketPort
{
    private final List<NullQueue> queues = new ArrayList<>();
    private int mtu;

    /**
     * @param queueCount one a worker.
     * @param mtu        reported only.
     * @param arena      where generated frames lie.
     * @param allocators the allocator of each queue; asked for the prepared frames once, here.
     * @param frames     what to generate; {@link GeneratedFrames#NONE} for nothing.
     */
    public NullPort(
        final int queueCount,
        final int mtu,
        final UnsafeBuffer arena,
        final IntFunction<FragAllocator> allocators,
        final GeneratedFrames frames)
    {
        this.mtu = mtu;
        if (frames.length() > FrameLayout.SMALL_FRAME)
        {
            throw new PortException("frames of " + frames.length() + " bytes",
                "the null port generates at most " + FrameLayout.SMALL_FRAME, "choose a smaller size", null);
        }
        for (int i = 0; i < queueCount; i++)
        {
            queues.add(new NullQueue(i, arena, allocators.apply(i), frames));
        }
    }

    @Override
    public String name()
    {
        return "null";
    }

    @Override
    public int queueCount()
    {
        return queues.size();
    }

    @Override
    public PortQueue queue(final int index)
    {
        return queues.get(index);
    }

    @Override
    public int transmitOffloads()
    {
        return Offloads.ALL;
    }

    @Override
    public int receiveOffloads(final int wanted)
    {
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
        // There is no link to show it.
    }

    @Override
    public List<Fd> handOver()
    {
        return List.of();
    }

    @Override
    public void close()
    {
        queues.forEach(NullQueue::close);
    }
}
