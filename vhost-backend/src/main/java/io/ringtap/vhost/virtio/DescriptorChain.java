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
        readable = new GuestBuffers(maxBuffers);
        writable = new GuestBuffers(maxBuffers);
    }

    /** {@code count} chains for {@link Virtqueue#take(DescriptorChain[], int)}. */
    public static DescriptorChain[] batch(final int count)
    {
        final DescriptorChain[] chains = new DescriptorChain[count];
        for (int i = 0; i < count; i++)
        {
            chains[i] = new DescriptorChain();
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
