package io.ringtap.vhost.virtio;

import io.ringtap.counters.CounterSet;
import io.ringtap.vhost.guest.DirtyLog;
import io.ringtap.vhost.guest.GuestBuffers;
import io.ringtap.vhost.guest.GuestCursor;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.GuestWindow;
import io.ringtap.vhost.guest.Iotlb;

/**
 * The device's half of a virtqueue: takes chains of buffers, gives them back, keeps notifications down.
 * <p>
 * The cycle: {@link #take} until {@link #EMPTY} or the batch is full, use the buffers, {@link #complete} each chain in
 * the order it was taken, {@link #publish} once. Before the worker sleeps: {@link #arm}, and look again if it says so.
 * One thread owns it. Nothing is allocated or thrown here; the driver's faults are counted.
 */
public abstract sealed class Virtqueue permits SplitVirtqueue, PackedVirtqueue
{
    /** A chain was taken. */
    public static final int TAKEN = 1;
    /** The driver has nothing for us. */
    public static final int EMPTY = 0;
    /** A chain was taken that broke a rule: it was counted and is to be completed with 0 like any other. */
    public static final int MALFORMED = -1;
    /** The ring can no longer be trusted and is stopped for good. */
    public static final int BROKEN = -2;
    /** A chain that cannot be taken yet: it names memory that the guest's IOMMU has to be asked about. */
    static final int AWAITING = -3;
    /** A chain was taken, and is the last of its batch: walking has cost enough. */
    static final int LONG = 2;

    /**
     * Descriptors of chains of several after which a batch ends: more than 256 of the longest frames have in pages. The
     * chain at hand is walked to its end, so that there is progress; it has no more of them than its ring.
     */
    public static final int MOST_WALKED = 8192;
    /** A fault costs a publication, perhaps a notification: as much as so many descriptors. */
    private static final int FAULT = 64;

    /** Most descriptors of a ring (virtio 1.x, 2.7 and 2.8). */
    public static final int MAX_SIZE = 32768;

    /** {@link #log(DirtyLog, long)} without what is written to the ring itself. */
    public static final long RING_NOT_LOGGED = -1;

    final RingSetup setup;
    final int size;
    final boolean hasEventIndex;
    final boolean hasIndirect;
    final boolean isInOrder;
    final CounterSet<RingCounter> counters;
    final GuestWindow table = new GuestWindow();
    /** Into the memory that the ring is in: for what is read, and for what is written. */
    final GuestCursor cursor;
    private final GuestCursor writing;
    final RingLog log;
    /** Chains completed since the last publication. */
    int staged;
    private RingCounter brokenBy;
    private boolean isAwaiting;
    private boolean isSuccessor;
    String remark;
    int walked;

    Virtqueue(final RingSetup setup, final GuestMemory memory, final CounterSet<RingCounter> counters)
    {
        this.setup = setup;
        this.size = setup.size();
        cursor = new GuestCursor(memory, Iotlb.READ);
        writing = new GuestCursor(memory, Iotlb.WRITE);
        this.counters = counters;
        log = new RingLog(counters, cursor, size);
        hasEventIndex = NetFeatures.has(setup.features(), NetFeatures.EVENT_IDX);
        hasIndirect = NetFeatures.has(setup.features(), NetFeatures.INDIRECT_DESC);
        isInOrder = NetFeatures.has(setup.features(), NetFeatures.IN_ORDER);
    }

    /**
     * Opens a ring where its setup says; split or packed by its features.
     *
     * @throws RingFaultException when the size is not allowed, or a part is not mapped or not aligned.
     */
    public static Virtqueue open(
        final RingSetup setup, final GuestMemory memory, final CounterSet<RingCounter> counters)
    {
        return setup.isPacked() ?
            new PackedVirtqueue(setup, memory, counters) : new SplitVirtqueue(setup, memory, counters);
    }

    /**
     * Takes the next chain.
     *
     * @return {@link #TAKEN}, {@link #EMPTY}, {@link #MALFORMED} or {@link #BROKEN}.
     */
    public abstract int take(DescriptorChain chain);

    /**
     * Takes up to {@code max} chains, malformed ones too ({@link DescriptorChain#isMalformed()}); fewer of long ones.
     *
     * @return chains taken, or {@link #BROKEN} when the ring is broken and none was taken.
     */
    public abstract int take(DescriptorChain[] chains, int max);

    /** What the last batch cost beyond chains of one descriptor each, in descriptors. */
    public final int walked()
    {
        return walked;
    }

    final boolean hasWalkedFar()
    {
        return walked > MOST_WALKED;
    }

    /** Puts back the chains taken last, so that they are taken again. They must not have been completed. */
    public abstract void untake(int chains);

    /**
     * Gives a chain back to the driver, which sees it after {@link #publish}. In the order of taking: IN_ORDER promises
     * it (virtio 1.x, 2.7.9).
     *
     * @param length bytes written into the chain's writable buffers; 0 for a transmitted or malformed one.
     */
    public abstract void complete(long ticket, int length);

    /** As {@link #complete}, for a chain that was written to: in a migration that is noted. */
    public final void completeWritten(final DescriptorChain chain, final int length)
    {
        log.written(chain.writable, length);
        complete(chain.ticket, length);
    }

    /**
     * Gives a run of chains back that the driver only gave to read: {@link #complete} with 0 for each of them.
     *
     * <p>
     * A split ring has an element for each also where IN_ORDER would be content with one: they lie close together, in
     * lines that stay ours because a driver that knows the order reads none of them.
     *
     * @param tickets in the order of taking.
     */
    public void completeRead(final long[] tickets, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            complete(tickets[i], 0);
        }
    }

    /**
     * Makes completed chains visible to the driver.
     *
     * @return whether the driver wants to be notified.
     */
    public abstract boolean publish();

    /**
     * Asks the driver to kick when it makes the next chain available.
     *
     * @return true when there is one already: do not sleep.
     */
    public abstract boolean arm();

    /** Asks the driver not to kick. */
    public abstract void disarm();

    /** Where a successor has to go on: the answer to GET_VRING_BASE once everything taken was completed or put back. */
    public abstract int base();

    /**
     * The ring stops, everything taken was completed or put back: the in-flight region, if there is one, says so. A
     * ring that is let go without it leaves what it had to a successor.
     */
    public abstract void rest();

    /** Whether somebody used the ring before us, as what it left shows. */
    public final boolean isSuccessor()
    {
        return isSuccessor;
    }

    /** What people should know of where the ring goes on; null for nothing. */
    public final String remark()
    {
        return remark;
    }

    /**
     * Moves the ring into a new memory map.
     *
     * @return false when the map does not hold the ring: it is broken then.
     */
    public final boolean rebase(final GuestMemory newMemory)
    {
        if (!view(newMemory))
        {
            stop(RingCounter.UNMAPPED);
            return false;
        }
        cursor.memory(newMemory);
        writing.memory(newMemory);
        return true;
    }

    /** Translations of the guest's IOMMU came: what had to wait is looked at again. */
    public final void lookAgain()
    {
        isAwaiting = false;
    }

    /** Nothing is taken before {@link #lookAgain}. */
    final boolean isAwaiting()
    {
        return isAwaiting;
    }

    /**
     * Notes every later write into the guest's memory.
     *
     * @param dirtyLog         null for none: the migration is over.
     * @param usedGuestAddress where writes to the used ring, or to the device's event suppression, are noted;
     *                         {@link #RING_NOT_LOGGED} for nowhere.
     */
    public final void log(final DirtyLog dirtyLog, final long usedGuestAddress)
    {
        log.to(dirtyLog, usedGuestAddress);
        // What was written before, when a predecessor's chains were given back, counts too.
        log.used(0, setup.isPacked() ? PackedLayout.EVENT_LENGTH : SplitLayout.usedLength(size));
        if (setup.isPacked())
        {
            log.published(descriptors(), 0, 0);
        }
    }

    /**
     * Whether nothing was ever written to the descriptors, as far as we see. A driver that kicks such a ring writes
     * into memory that is not shared with us ({@code share=off}): that is worth a line in the log.
     */
    public final boolean isBlank()
    {
        if (isBroken())
        {
            return false;
        }
        final GuestWindow descriptors = descriptors();
        for (int i = 0; i < descriptors.length(); i += Long.BYTES)
        {
            if (descriptors.getLong(i) != 0)
            {
                return false;
            }
        }
        return true;
    }

    public final int index()
    {
        return setup.index();
    }

    public final int size()
    {
        return size;
    }

    public final RingSetup setup()
    {
        return setup;
    }

    public final boolean isBroken()
    {
        return brokenBy != null;
    }

    /** Why the ring is stopped for good; null when it is not. */
    public final RingCounter brokenBy()
    {
        return brokenBy;
    }

    /** The descriptor table or ring, a multiple of 16 bytes. */
    abstract GuestWindow descriptors();

    /** Points the windows into the map; all of them or none. */
    abstract boolean view(GuestMemory newMemory);

    /**
     * The ring is neither read nor written any more, by {@link #complete} and {@link #publish} neither: its memory may
     * be gone.
     */
    final int stop(final RingCounter why)
    {
        if (brokenBy == null)
        {
            brokenBy = why;
            counters.increment(why);
        }
        return BROKEN;
    }

    final int malformed(final DescriptorChain chain, final RingCounter why)
    {
        counters.increment(why);
        if (why == RingCounter.AWAITED)
        {
            isAwaiting = true;
            return AWAITING;
        }
        walked += FAULT;
        chain.isMalformed = true;
        return MALFORMED;
    }

    /**
     * Adds the buffer of one descriptor to its chain.
     *
     * @param rest second half of the copied descriptor.
     * @return null, or what is wrong with it.
     */
    final RingCounter add(final DescriptorChain chain, final long guestAddress, final long rest, final int flags)
    {
        final int length = (int)rest;
        final GuestBuffers buffers;
        final GuestCursor at;
        if ((flags & DescriptorLayout.WRITE) != 0)
        {
            buffers = chain.writable;
            at = writing;
            chain.hasWritable = true;
        }
        else if (!chain.hasWritable)
        {
            buffers = chain.readable;
            at = cursor;
        }
        else
        {
            // virtio 1.x, 2.7.4.2: all readable ones first
            return RingCounter.BUFFER_ORDER;
        }
        final int before = buffers.count();
        if (!buffers.add(at, guestAddress, length))
        {
            return BufferFault.of(buffers, buffers == chain.readable, at, guestAddress, DescriptorLayout.length(rest));
        }
        if (buffers.count() - before > 1)
        {
            counters.increment(RingCounter.BUFFER_STRADDLES);
        }
        return null;
    }

    /** Judges an indirect descriptor and points {@link #table} at its table. */
    final RingCounter openTable(final long guestAddress, final long rest, final int flags)
    {
        final long length = DescriptorLayout.length(rest);
        if (!hasIndirect)
        {
            return RingCounter.INDIRECT_UNEXPECTED;
        }
        if ((flags & DescriptorLayout.NEXT) != 0)
        {
            return RingCounter.INDIRECT_CHAINED;
        }
        // a chain is not longer than the ring, in a table neither (virtio 1.x, 2.7.5.3.1); the product fits an int
        if (length == 0 || length % DescriptorLayout.LENGTH != 0 || length > (long)DescriptorLayout.LENGTH * size)
        {
            return RingCounter.INDIRECT_LENGTH;
        }
        return cursor.view(guestAddress, (int)length, table) ?
            null : BufferFault.awaitedOr(cursor, RingCounter.INDIRECT_UNMAPPED);
    }

    /** Counts what a predecessor had taken and we take again. */
    final void resumed(final boolean hadPredecessor, final int chains)
    {
        isSuccessor = hadPredecessor;
        counters.add(RingCounter.RESUMED, chains);
    }

    /** Counts a publication; true when the driver wants a notification. */
    final boolean published(final int chains, final boolean isNotificationWanted)
    {
        counters.add(RingCounter.CHAINS, chains);
        counters.increment(RingCounter.PUBLICATIONS);
        if (isNotificationWanted)
        {
            counters.increment(RingCounter.NOTIFICATIONS);
        }
        return isNotificationWanted;
    }
}
