package io.ringtap.vhost.virtio;

import io.ringtap.vhost.guest.GuestBuffers;

/**
 * One chain taken from a ring: buffers to read, then buffers to write, judged and translated. Reused for chain after
 * chain; owned by the ring's thread.
 */
public final class DescriptorChain
{
    /** Most buffers on either side: a frame in single pages needs 19, no driver comes near this. */
    public static final int MAX_BUFFERS = 256;

    /** Buffers of the kind that a ring's chains do not have; a chain with more of them is malformed. */
    private static final int UNUSED_BUFFERS = 8;

    final GuestBuffers readable;
    final GuestBuffers writable;
    long ticket;
    boolean isMalformed;
    /** Whether anything was added to writable: its memory is not touched otherwise. */
    boolean hasWritable;

    public DescriptorChain()
    {
        this(MAX_BUFFERS);
    }

    /** @param maxBuffers most buffers on either side; a chain with more of them is malformed. */
    public DescriptorChain(final int maxBuffers)
    {
        this(maxBuffers, maxBuffers);
    }

    private DescriptorChain(final int maxReadable, final int maxWritable)
    {
        readable = new GuestBuffers(maxReadable);
        writable = new GuestBuffers(maxWritable);
    }

    /** {@code count} chains for {@link Virtqueue#take(DescriptorChain[], int)}. */
    public static DescriptorChain[] batch(final int count)
    {
        return batch(count, MAX_BUFFERS, MAX_BUFFERS);
    }

    /** Chains of a ring that the driver sends frames through: a list takes 3 KiB, so there is little room to write. */
    public static DescriptorChain[] transmitBatch(final int count)
    {
        return batch(count, MAX_BUFFERS, UNUSED_BUFFERS);
    }

    /** Chains of a ring that the driver receives frames through; little room to read. */
    public static DescriptorChain[] receiveBatch(final int count)
    {
        return batch(count, UNUSED_BUFFERS, MAX_BUFFERS);
    }

    private static DescriptorChain[] batch(final int count, final int maxReadable, final int maxWritable)
    {
        final DescriptorChain[] chains = new DescriptorChain[count];
        for (int i = 0; i < count; i++)
        {
            chains[i] = new DescriptorChain(maxReadable, maxWritable);
        }
        return chains;
    }

    /** What the driver gives: a frame it sends. */
    public GuestBuffers readable()
    {
        return readable;
    }

    /** What the driver lends: room for a frame it receives. */
    public GuestBuffers writable()
    {
        return writable;
    }

    /** What {@link Virtqueue#complete} wants back. */
    public long ticket()
    {
        return ticket;
    }

    /** The chain broke a rule, which was counted; its buffers are not to be used, it is to be completed with 0. */
    public boolean isMalformed()
    {
        return isMalformed;
    }

    void begin(final long chainTicket)
    {
        ticket = chainTicket;
        isMalformed = false;
        readable.clear();
        if (hasWritable)
        {
            hasWritable = false;
            writable.clear();
        }
    }
}
