package io.ringtap.frontend;

import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The driver's half of a virtqueue over a window of guest memory: makes chains available, takes back used ones. It is
 * the fixture of the tests too, so it lets a hostile driver write whatever it likes ({@code poke...}).
 * <p>
 * Guest addresses are offsets in the window plus the guest address of the window's first byte. One thread owns it.
 */
public abstract sealed class DriverRing permits SplitDriverRing, PackedDriverRing
{
    /** No descriptor is free. */
    public static final int FULL = -1;
    /** Nothing was used. */
    public static final int NONE = -1;

    static final int NEXT = 1;
    static final int WRITE = 2;
    static final int INDIRECT = 4;

    final UnsafeBuffer window;
    final long guestBase;
    final int size;
    final boolean hasEventIndex;
    int free;

    DriverRing(final UnsafeBuffer window, final int size, final long guestBase, final long features)
    {
        this.window = window;
        this.size = size;
        this.guestBase = guestBase;
        hasEventIndex = NetFeatures.has(features, NetFeatures.EVENT_IDX);
        free = size;
    }

    /**
     * A ring that starts empty; split or packed by the features. Its memory is cleared.
     *
     * @param window     over guest memory.
     * @param offset     where the ring begins in the window, a multiple of 64; {@link #length} bytes.
     * @param size       descriptors.
     * @param guestBase  guest address of the window's first byte.
     * @param features   acknowledged virtio features.
     */
    public static DriverRing create(
        final UnsafeBuffer window, final int offset, final int size, final long guestBase, final long features)
    {
        window.setMemory(offset, length(size, features), (byte)0);
        return NetFeatures.has(features, NetFeatures.RING_PACKED) ?
            new PackedDriverRing(window, offset, size, guestBase, features) :
            new SplitDriverRing(window, offset, size, guestBase, features);
    }

    /** Bytes that a ring takes in the window, a multiple of 64. */
    public static int length(final int size, final long features)
    {
        return NetFeatures.has(features, NetFeatures.RING_PACKED) ?
            PackedDriverRing.length(size) : SplitDriverRing.length(size);
    }

    public final int size()
    {
        return size;
    }

    /** Descriptors that are free. */
    public final int free()
    {
        return free;
    }

    /** Guest address of the descriptor table or ring; {@code desc} of SET_VRING_ADDR. */
    public abstract long descriptorAddress();

    /** Guest address of the available ring or the driver's event structure; {@code avail} of SET_VRING_ADDR. */
    public abstract long driverAddress();

    /** Guest address of the used ring or the device's event structure; {@code used} of SET_VRING_ADDR. */
    public abstract long deviceAddress();

    /** What the device is to be told as its base before this ring was used. */
    public abstract int startBase();

    /**
     * What a new device is to be told as its base after the old one died without a word: where the used entries end.
     * The ring must be at rest.
     */
    public abstract int resumeBase();

    /**
     * Adds a chain of one buffer; the device sees it after {@link #publish}.
     *
     * @return id of the chain, less than {@link #size}, or {@link #FULL}.
     */
    public abstract int add(long guestAddress, int length, boolean isWritable);

    /**
     * Adds a chain of several buffers, {@code readable} ones first.
     *
     * @return id of the chain or {@link #FULL}.
     */
    public abstract int add(long[] guestAddresses, int[] lengths, int readable, int writable);

    /**
     * As the other, in one descriptor and a table.
     *
     * @param tableAddress guest address of 16 bytes for each buffer, in the window.
     */
    public abstract int addIndirect(
        long tableAddress, long[] guestAddresses, int[] lengths, int readable, int writable);

    /**
     * Shows the device the chains added since the last time.
     *
     * @return whether it wants a kick.
     */
    public abstract boolean publish();

    /**
     * Takes back the next used chain.
     *
     * @return its id or {@link #NONE}.
     */
    public abstract int poll();

    /** Bytes that the device wrote into the chain that {@link #poll} returned. */
    public abstract int usedLength();

    /**
     * Asks the device to notify of the next used chain.
     *
     * @return true when there is one already: do not sleep.
     */
    public abstract boolean arm();

    /**
     * As {@link #arm}, but the device may use three quarters of what it has before it notifies: how Linux's driver
     * waits for room (virtqueue_enable_cb_delayed), since being woken for each few chains costs both sides more than
     * the work.
     *
     * @return true when that many are used already, or any where the ring cannot ask for it.
     */
    public boolean armLater()
    {
        return arm();
    }

    /** Asks the device not to notify. */
    public abstract void disarm();

    /**
     * Writes a descriptor, whatever there is.
     *
     * @param nextOrId next index in a split ring, id in a packed one.
     */
    public final void pokeDescriptor(
        final int index, final long guestAddress, final int length, final int flags, final int nextOrId)
    {
        pokeTable(descriptorAddress(), index, guestAddress, length, flags, nextOrId);
    }

    /** Writes a descriptor of a table at a guest address. */
    public abstract void pokeTable(
        long tableAddress, int index, long guestAddress, int length, int flags, int nextOrId);

    final int at(final long guestAddress)
    {
        return (int)(guestAddress - guestBase);
    }
}
