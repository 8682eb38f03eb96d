package io.ringtap.vhost.virtio;

import io.ringtap.sys.Memory;
import io.ringtap.vhost.guest.GuestWindow;

import java.util.Arrays;

/**
 * What a predecessor left in the in-flight region of a packed ring: an update that it did not finish is finished or
 * taken back, and its chains lie in the ring again, as the driver made them available, from where the ring is used up
 * to. From there they are taken like any other. Being killed here does no harm: it is all done again.
 */
final class PackedRecovery
{
    private static final int INDEX_MASK = 0xffff;
    private static final int LAP_FLAGS = DescriptorLayout.AVAILABLE | DescriptorLayout.USED;
    private static final int FLAGS_SHIFT = 48;

    private final GuestWindow region;
    private final RingSetup setup;
    private final GuestWindow ring;
    private final int size;
    private final int[] next;
    private final int[] lasts;
    private final int[] counts;
    private final boolean[] isTaken;
    private final int[] chains;
    private int usedIndex;
    private boolean usedWrap;
    private int freeHead;
    private long nextCounter;

    PackedRecovery(final GuestWindow region, final RingSetup setup, final GuestWindow ring)
    {
        this.region = region;
        this.setup = setup;
        this.ring = ring;
        size = setup.size();
        next = new int[size];
        lasts = new int[size];
        counts = new int[size];
        isTaken = new boolean[size];
        final int version = region.getShort(InflightLayout.VERSION_OFFSET);
        final int entries = region.getShort(InflightLayout.ENTRIES_OFFSET) & INDEX_MASK;
        if (version != InflightLayout.VERSION || entries != size)
        {
            throw damaged("version " + version + " for " + entries + " descriptors, the ring has " + size);
        }
        settle();
        for (int i = 0; i < size; i++)
        {
            next[i] = region.getShort(entry(i) + InflightLayout.PACKED_NEXT_OFFSET) & INDEX_MASK;
        }
        followFreeList();
        chains = inFlight();
        restore();
    }

    int usedIndex()
    {
        return usedIndex;
    }

    boolean usedWrap()
    {
        return usedWrap;
    }

    int freeHead()
    {
        return freeHead;
    }

    int[] next()
    {
        return next;
    }

    long nextCounter()
    {
        return nextCounter;
    }

    /** First entry of each chain, oldest first. */
    int[] chains()
    {
        return chains;
    }

    int last(final int head)
    {
        return lasts[head];
    }

    /** Descriptors of the chain that begins here. */
    int count(final int head)
    {
        return counts[head];
    }

    /** An update that had not reached the driver is taken back, one that had is finished. */
    private void settle()
    {
        final long progress = region.getLong(InflightLayout.PROGRESS_OFFSET);
        final int heads = region.getInt(InflightLayout.FREE_HEADS_OFFSET);
        usedIndex = InflightLayout.oldUsed(progress);
        usedWrap = InflightLayout.oldUsedWrap(progress);
        freeHead = heads >>> 16;
        if (usedIndex >= size || InflightLayout.used(progress) >= size)
        {
            throw damaged(String.format("progress 0x%x is beyond size %d", progress, size));
        }
        // A batch of the whole ring leaves the index where it was, and only the wrap counter tells.
        final boolean isUnfinished = InflightLayout.used(progress) != usedIndex ||
            InflightLayout.usedWrap(progress) != usedWrap;
        if (isUnfinished && !isAvailable(usedIndex, usedWrap))
        {
            usedIndex = InflightLayout.used(progress);
            usedWrap = InflightLayout.usedWrap(progress);
            freeHead = heads & INDEX_MASK;
        }
        region.putInt(InflightLayout.FREE_HEADS_OFFSET, InflightLayout.freeHeads(freeHead, freeHead));
        Memory.storeFence();
        region.putLong(InflightLayout.PROGRESS_OFFSET,
            InflightLayout.progress(usedIndex, usedWrap, usedIndex, usedWrap));
    }

    /** What is free is not in flight, whatever its mark says: the predecessor did not get round to it. */
    private void followFreeList()
    {
        int free = freeHead;
        while (free < size)
        {
            if (isTaken[free])
            {
                throw damaged("its free list goes round at entry " + free);
            }
            isTaken[free] = true;
            region.putShort(entry(free), (short)0);
            free = next[free];
        }
    }

    private int[] inFlight()
    {
        final long[][] found = new long[size][];
        int count = 0;
        for (int i = 0; i < size; i++)
        {
            if ((region.getShort(entry(i)) & 0xff) != 0)
            {
                final long when = region.getLong(entry(i) + InflightLayout.COUNTER_OFFSET);
                nextCounter = Math.max(nextCounter, when + 1);
                claim(i);
                found[count++] = new long[]{when, i};
            }
        }
        final long[][] inOrder = Arrays.copyOf(found, count);
        Arrays.sort(inOrder, (a, b) -> Long.compareUnsigned(a[0], b[0]));
        reclaimRest();
        return Arrays.stream(inOrder).mapToInt(each -> (int)each[1]).toArray();
    }

    /** The entries of a chain belong to no other. */
    private void claim(final int head)
    {
        lasts[head] = region.getShort(entry(head) + InflightLayout.LAST_OFFSET) & INDEX_MASK;
        final int count = region.getShort(entry(head) + InflightLayout.COUNT_OFFSET) & INDEX_MASK;
        counts[head] = count;
        int at = head;
        for (int i = 0; i < count; i++)
        {
            if (at >= size || isTaken[at])
            {
                throw damaged("chain " + head + " goes to entry " + at + ", which is not its own");
            }
            isTaken[at] = true;
            if (i == count - 1 && at == lasts[head])
            {
                return;
            }
            at = next[at];
        }
        throw damaged("chain " + head + " of " + count + " descriptors does not end at entry " + lasts[head]);
    }

    /** Entries that belong to nobody: a predecessor with rules of its own for the end of the list lost them. */
    private void reclaimRest()
    {
        for (int i = 0; i < size; i++)
        {
            if (!isTaken[i])
            {
                next[i] = freeHead;
                region.putShort(entry(i) + InflightLayout.PACKED_NEXT_OFFSET, (short)freeHead);
                freeHead = i;
            }
        }
        Memory.storeFence();
        region.putInt(InflightLayout.FREE_HEADS_OFFSET, InflightLayout.freeHeads(freeHead, freeHead));
    }

    /**
     * Some slots may hold used descriptors that the driver never looked at. It would take them for new ones as soon as
     * the chain before them is completed.
     */
    private void restore()
    {
        int slot = usedIndex;
        boolean wrap = usedWrap;
        for (final int head : chains)
        {
            final int last = last(head);
            int at = head;
            while (true)
            {
                write(slot, wrap, at);
                slot++;
                if (slot == size)
                {
                    slot = 0;
                    wrap = !wrap;
                }
                if (at == last)
                {
                    break;
                }
                at = next[at];
            }
        }
        Memory.storeFence();
    }

    private void write(final int slot, final boolean wrap, final int at)
    {
        final long rest = Long.rotateRight(region.getLong(entry(at) + InflightLayout.DESCRIPTOR_OFFSET), Integer.SIZE);
        final long available = rest & ~((long)LAP_FLAGS << FLAGS_SHIFT) |
            (long)(wrap ? DescriptorLayout.AVAILABLE : DescriptorLayout.USED) << FLAGS_SHIFT;
        final int offset = slot * DescriptorLayout.LENGTH;
        final long guestAddress = region.getLong(entry(at) + InflightLayout.ADDRESS_OFFSET);
        if (ring.getLong(offset + DescriptorLayout.ADDRESS_OFFSET) != guestAddress)
        {
            ring.putLong(offset + DescriptorLayout.ADDRESS_OFFSET, guestAddress);
        }
        if (ring.getLong(offset + DescriptorLayout.REST_OFFSET) != available)
        {
            ring.putLong(offset + DescriptorLayout.REST_OFFSET, available);
        }
    }

    private boolean isAvailable(final int slot, final boolean wrap)
    {
        final int flags = ring.getShort(slot * DescriptorLayout.LENGTH + DescriptorLayout.PACKED_FLAGS_OFFSET);
        return (flags & LAP_FLAGS) == (wrap ? DescriptorLayout.AVAILABLE : DescriptorLayout.USED);
    }

    private static int entry(final int index)
    {
        return InflightLayout.packedEntry(index);
    }

    private RingFaultException damaged(final String what)
    {
        return RingFaultException.of(setup,
            "its in-flight region is damaged: " + what + "; GET_INFLIGHT_FD gives a new one");
    }
}
