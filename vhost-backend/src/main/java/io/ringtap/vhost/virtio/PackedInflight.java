package io.ringtap.vhost.virtio;

import io.ringtap.sys.Memory;
import io.ringtap.vhost.guest.GuestWindow;

/**
 * The chains of a packed ring that are in our hands, in memory that outlives us (vhost-user, "in-flight I/O tracking"):
 * a copy of each descriptor, since the ring's own slots are overwritten by what is used, and how far the ring is used,
 * which no driver shows in its memory.
 * <p>
 * What we need to go on is kept in private memory too, so nothing that a front-end writes here is ever read but once,
 * by {@link PackedRecovery}. Of what is put back the record stays, since it is taken next in any case.
 * <p>
 * The region is memory of a process that may be killed between any two stores, so their order is the protocol; the
 * fences keep the compiler to it.
 */
final class PackedInflight
{
    private final GuestWindow region;
    private final RingSetup setup;
    private final int size;
    /** Our copy of the free list, and of the entries of a chain; {@link #size} ends it. */
    private final int[] next;
    /** First and last entry of each recorded chain, by its number. */
    private final int[] firsts;
    private final int[] lasts;
    private final int[] counts;
    private final int chainMask;
    private int freeHead;
    private int freeCount;
    private long counter;
    private int usedIndex;
    private boolean usedWrap;
    /** Numbers of chains: the oldest that is not completed, the next to be taken, the next to be recorded. */
    private int oldest;
    private int nextTaken;
    private int nextRecorded;
    private int resumed;
    private boolean isSuccessor;

    private PackedInflight(final GuestWindow region, final RingSetup setup)
    {
        this.region = region;
        this.setup = setup;
        size = setup.size();
        next = new int[size];
        final int chains = size == 1 ? 1 : Integer.highestOneBit(size - 1) << 1;
        chainMask = chains - 1;
        firsts = new int[chains];
        lasts = new int[chains];
        counts = new int[chains];
    }

    /**
     * Takes up the region of a ring; null when nothing is to be tracked.
     *
     * @param ring      its descriptors.
     * @param used      where a front-end says that the ring is used up to: believed where the region knows nothing.
     * @throws RingFaultException when what is written there cannot be.
     */
    static PackedInflight open(final RingSetup setup, final GuestWindow ring, final int used, final boolean usedWrap)
    {
        final GuestWindow region = new GuestWindow();
        if (setup.inflight() == null || !setup.inflight().view(setup.index(), region))
        {
            return null;
        }
        final PackedInflight inflight = new PackedInflight(region, setup);
        if (region.getShort(InflightLayout.VERSION_OFFSET) == InflightLayout.UNUSED)
        {
            inflight.begin(used, usedWrap);
        }
        else
        {
            inflight.takeUp(new PackedRecovery(region, setup, ring));
        }
        return inflight;
    }

    /** Where the ring goes on: what is in flight lies from here on and is taken again. */
    int usedIndex()
    {
        return usedIndex;
    }

    boolean usedWrap()
    {
        return usedWrap;
    }

    /** Chains that a predecessor had taken and that will be taken again. */
    int resumed()
    {
        return resumed;
    }

    /** Somebody used the region before us. */
    boolean isSuccessor()
    {
        return isSuccessor;
    }

    /**
     * Records what was taken.
     *
     * @param ring  the descriptors.
     * @param first slot of the first chain.
     * @return false when there is no room: the driver has changed what was put back.
     */
    boolean taken(final GuestWindow ring, final int first, final DescriptorChain[] chains, final int count)
    {
        boolean hasRoom = true;
        int slot = first;
        for (int i = 0; i < count && hasRoom; i++)
        {
            final int slots = PackedTicket.slots(chains[i].ticket());
            hasRoom = taken(ring, slot, slots);
            slot += slots;
            slot -= slot >= size ? size : 0;
        }
        return hasRoom;
    }

    boolean taken(final GuestWindow ring, final int first, final int slots)
    {
        if (nextTaken == nextRecorded)
        {
            if (slots > freeCount)
            {
                return false;
            }
            record(ring, first, slots);
            nextRecorded++;
        }
        nextTaken++;
        return true;
    }

    void putBack(final int chains)
    {
        nextTaken -= chains;
    }

    /**
     * Before the flags that show the first one to the driver.
     *
     * @param chains completed.
     * @param used   where the ring is used up to with them.
     */
    void completing(final int chains, final int used, final boolean wrap)
    {
        final int oldFree = freeHead;
        for (int i = 0; i < chains; i++)
        {
            final int chain = oldest + i & chainMask;
            final int last = lasts[chain];
            next[last] = freeHead;
            region.putShort(InflightLayout.packedEntry(last) + InflightLayout.PACKED_NEXT_OFFSET, (short)freeHead);
            freeHead = firsts[chain];
            freeCount += counts[chain];
        }
        region.putInt(InflightLayout.FREE_HEADS_OFFSET, InflightLayout.freeHeads(freeHead, oldFree));
        Memory.storeFence();
        region.putLong(InflightLayout.PROGRESS_OFFSET, InflightLayout.progress(used, wrap, usedIndex, usedWrap));
        usedIndex = used;
        usedWrap = wrap;
    }

    /** After those flags: what the driver sees as used is in flight no more. */
    void completed(final int chains)
    {
        Memory.storeFence();
        for (int i = 0; i < chains; i++)
        {
            region.putShort(InflightLayout.packedEntry(firsts[oldest + i & chainMask]), (short)0);
        }
        oldest += chains;
        Memory.storeFence();
        region.putInt(InflightLayout.FREE_HEADS_OFFSET, InflightLayout.freeHeads(freeHead, freeHead));
        Memory.storeFence();
        region.putLong(InflightLayout.PROGRESS_OFFSET,
            InflightLayout.progress(usedIndex, usedWrap, usedIndex, usedWrap));
    }

    /** The ring stops with nothing in our hands; what was put back is given up, the last first. */
    void rest()
    {
        while (nextRecorded != nextTaken)
        {
            nextRecorded--;
            final int chain = nextRecorded & chainMask;
            final int last = lasts[chain];
            next[last] = freeHead;
            region.putShort(InflightLayout.packedEntry(last) + InflightLayout.PACKED_NEXT_OFFSET, (short)freeHead);
            freeHead = firsts[chain];
            freeCount += counts[chain];
            Memory.storeFence();
            region.putInt(InflightLayout.FREE_HEADS_OFFSET, InflightLayout.freeHeads(freeHead, freeHead));
            Memory.storeFence();
            region.putShort(InflightLayout.packedEntry(freeHead), (short)0);
        }
        Memory.storeFence();
        region.putShort(InflightLayout.VERSION_OFFSET, (short)InflightLayout.UNUSED);
    }

    private void record(final GuestWindow ring, final int first, final int slots)
    {
        final int head = freeHead;
        int last = head;
        int slot = first;
        for (int i = 0; i < slots; i++)
        {
            last = freeHead;
            final int from = slot * DescriptorLayout.LENGTH;
            final int entry = InflightLayout.packedEntry(last);
            region.putLong(entry + InflightLayout.ADDRESS_OFFSET,
                ring.getLong(from + DescriptorLayout.ADDRESS_OFFSET));
            region.putLong(entry + InflightLayout.DESCRIPTOR_OFFSET,
                Long.rotateLeft(ring.getLong(from + DescriptorLayout.REST_OFFSET), Integer.SIZE));
            freeHead = next[last];
            slot = slot + 1 == size ? 0 : slot + 1;
        }
        firsts[nextRecorded & chainMask] = head;
        lasts[nextRecorded & chainMask] = last;
        counts[nextRecorded & chainMask] = slots;
        freeCount -= slots;
        final int entry = InflightLayout.packedEntry(head);
        region.putShort(entry + InflightLayout.LAST_OFFSET, (short)last);
        region.putShort(entry + InflightLayout.COUNT_OFFSET, (short)slots);
        region.putLong(entry + InflightLayout.COUNTER_OFFSET, counter++);
        region.putShortRelease(entry, (short)1);
        Memory.storeFence();
        region.putInt(InflightLayout.FREE_HEADS_OFFSET, InflightLayout.freeHeads(freeHead, freeHead));
    }

    private void begin(final int used, final boolean wrap)
    {
        usedIndex = used;
        usedWrap = wrap;
        freeCount = size;
        for (int i = 0; i < size; i++)
        {
            next[i] = i + 1;
            region.putShort(InflightLayout.packedEntry(i), (short)0);
            region.putShort(InflightLayout.packedEntry(i) + InflightLayout.PACKED_NEXT_OFFSET, (short)(i + 1));
        }
        region.putShort(InflightLayout.ENTRIES_OFFSET, (short)size);
        region.putInt(InflightLayout.FREE_HEADS_OFFSET, 0);
        region.putLong(InflightLayout.PROGRESS_OFFSET, InflightLayout.progress(used, wrap, used, wrap));
        region.putShortRelease(InflightLayout.VERSION_OFFSET, (short)InflightLayout.VERSION);
    }

    private void takeUp(final PackedRecovery found)
    {
        isSuccessor = true;
        usedIndex = found.usedIndex();
        usedWrap = found.usedWrap();
        freeHead = found.freeHead();
        freeCount = size;
        counter = found.nextCounter();
        System.arraycopy(found.next(), 0, next, 0, size);
        for (final int head : found.chains())
        {
            firsts[nextRecorded & chainMask] = head;
            lasts[nextRecorded & chainMask] = found.last(head);
            counts[nextRecorded & chainMask] = found.count(head);
            freeCount -= found.count(head);
            nextRecorded++;
        }
        resumed = nextRecorded;
    }
}
