package io.ringtap.vhost.virtio;

import io.ringtap.sys.Memory;
import io.ringtap.vhost.guest.GuestWindow;

import java.util.Arrays;

/**
 * The chains of a split ring that are in our hands, in memory that outlives us (vhost-user, "in-flight I/O tracking").
 * <p>
 * At any moment the marked chains are those of the slots from used.idx on, in a row, as many as were ever taken: what
 * is put back keeps its mark, since it is next in any case. So whoever comes after us goes on at used.idx, whatever
 * base a front-end guesses. All that a front-end could write here is read once, at the start, and judged.
 * <p>
 * The region is memory of a process that may be killed between any two stores, so their order is the protocol; the
 * fences keep the compiler to it.
 */
final class SplitInflight
{
    private static final int INDEX_MASK = 0xffff;

    private final GuestWindow region;
    private final RingSetup setup;
    private final int size;
    private final int mask;
    /** Head of each marked slot of the available ring. */
    private final short[] heads;
    /** Index behind the last marked slot; runs freely like the ring's own. */
    private int markedEnd;
    private int lastBatchHead;
    private long counter;
    private boolean isSuccessor;

    private SplitInflight(final GuestWindow region, final RingSetup setup)
    {
        this.region = region;
        this.setup = setup;
        size = setup.size();
        mask = size - 1;
        heads = new short[size];
    }

    /**
     * Takes up the region of a ring; null when nothing is to be tracked.
     *
     * @throws RingFaultException when what is written there cannot be.
     */
    static SplitInflight open(final RingSetup setup)
    {
        final GuestWindow region = new GuestWindow();
        return setup.inflight() != null && setup.inflight().view(setup.index(), region) ?
            new SplitInflight(region, setup) : null;
    }

    /**
     * Finds out what a predecessor left behind.
     *
     * @param usedIndex of the ring, where the driver sees it.
     * @param available slots of the available ring, as many as the driver announced from usedIndex on.
     * @return heads that somebody took out of order and that only completing them brings back, oldest first.
     */
    int[] recover(final int usedIndex, final GuestWindow available, final int announced)
    {
        markedEnd = usedIndex;
        if (region.getShort(InflightLayout.VERSION_OFFSET) == InflightLayout.UNUSED)
        {
            begin(usedIndex);
            return new int[0];
        }
        isSuccessor = true;
        final int version = region.getShort(InflightLayout.VERSION_OFFSET);
        if (version != InflightLayout.VERSION)
        {
            throw damaged("version " + version + " is not known");
        }
        if (marked().length > 0)
        {
            forgetLastBatch(usedIndex);
        }
        region.putShort(InflightLayout.SPLIT_USED_INDEX_OFFSET, (short)usedIndex);
        final int[] marked = marked();
        if (isInARow(marked, usedIndex, available, announced))
        {
            markedEnd = usedIndex + marked.length;
            return new int[0];
        }
        if (NetFeatures.has(setup.features(), NetFeatures.IN_ORDER))
        {
            throw damaged(marked.length + " chains are in flight out of order although IN_ORDER was negotiated");
        }
        return marked;
    }

    /** Chains that a predecessor had taken and that will be taken again. */
    int resumed(final int usedIndex)
    {
        return markedEnd - usedIndex;
    }

    /** Somebody used the region before us. */
    boolean isSuccessor()
    {
        return isSuccessor;
    }

    /** Where the ring goes on when heads taken out of order are completed first. */
    void passOver(final int taken)
    {
        markedEnd += taken;
    }

    /** @param first index of the slot of the first chain. */
    void taken(final DescriptorChain[] chains, final int first, final int count)
    {
        for (int i = Math.max(0, markedEnd - first); i < count; i++)
        {
            mark(first + i, (int)chains[i].ticket());
        }
    }

    void taken(final int index, final int head)
    {
        if (index - markedEnd >= 0)
        {
            mark(index, head);
        }
    }

    /** Before the used index: links what is completed, so that a successor finds it. */
    void completing(final GuestWindow used, final int before, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            // The element is ours, but where a guest could change it: the mask keeps it in the table.
            final int head = used.getInt(SplitLayout.elementOffset(before + i & mask)) & mask;
            region.putShort(InflightLayout.splitEntry(head) + InflightLayout.SPLIT_NEXT_OFFSET, (short)lastBatchHead);
            lastBatchHead = head;
        }
        region.putShort(InflightLayout.LAST_BATCH_HEAD_OFFSET, (short)lastBatchHead);
    }

    /** After the used index: what the driver sees as used is in flight no more. */
    void completed(final GuestWindow used, final int before, final int count)
    {
        Memory.storeFence();
        for (int i = 0; i < count; i++)
        {
            final int head = used.getInt(SplitLayout.elementOffset(before + i & mask)) & mask;
            region.putShort(InflightLayout.splitEntry(head), (short)0);
        }
        Memory.storeFence();
        region.putShort(InflightLayout.SPLIT_USED_INDEX_OFFSET, (short)(before + count));
    }

    /**
     * The ring stops with nothing in our hands.
     *
     * @param nextAvailable index of the first slot that was put back or never taken.
     */
    void rest(final int nextAvailable)
    {
        // The last first: those that are left are in a row at any moment.
        for (int index = markedEnd - 1; index - nextAvailable >= 0; index--)
        {
            region.putShort(InflightLayout.splitEntry(heads[index & mask] & INDEX_MASK), (short)0);
            Memory.storeFence();
        }
        markedEnd = nextAvailable;
        region.putShort(InflightLayout.VERSION_OFFSET, (short)InflightLayout.UNUSED);
    }

    private void mark(final int index, final int head)
    {
        heads[index & mask] = (short)head;
        final int entry = InflightLayout.splitEntry(head);
        region.putLong(entry + InflightLayout.COUNTER_OFFSET, counter++);
        region.putShortRelease(entry, (short)1);
        markedEnd = index + 1;
    }

    private void begin(final int usedIndex)
    {
        for (int i = 0; i < setup.inflight().ringSize(); i++)
        {
            region.putShort(InflightLayout.splitEntry(i), (short)0);
        }
        region.putShort(InflightLayout.ENTRIES_OFFSET, (short)size);
        region.putShort(InflightLayout.SPLIT_USED_INDEX_OFFSET, (short)usedIndex);
        region.putShortRelease(InflightLayout.VERSION_OFFSET, (short)InflightLayout.VERSION);
    }

    /** A predecessor that ended after it had shown a batch to the driver may not have got round to these marks. */
    private void forgetLastBatch(final int usedIndex)
    {
        final int count = usedIndex - region.getShort(InflightLayout.SPLIT_USED_INDEX_OFFSET) & INDEX_MASK;
        if (count > size)
        {
            throw damaged("its last batch has " + count + " chains, more than the ring");
        }
        int head = region.getShort(InflightLayout.LAST_BATCH_HEAD_OFFSET) & INDEX_MASK;
        for (int i = 0; i < count; i++)
        {
            if (head >= size)
            {
                throw damaged("its last batch goes to entry " + head + " of " + size);
            }
            region.putShort(InflightLayout.splitEntry(head), (short)0);
            head = region.getShort(InflightLayout.splitEntry(head) + InflightLayout.SPLIT_NEXT_OFFSET) & INDEX_MASK;
        }
        Memory.storeFence();
    }

    /** Heads that are marked, in the order in which they were taken. */
    private int[] marked()
    {
        final long[][] found = new long[size][];
        int count = 0;
        for (int i = 0; i < setup.inflight().ringSize(); i++)
        {
            final int entry = InflightLayout.splitEntry(i);
            if ((region.getShort(entry) & 0xff) == 0)
            {
                continue;
            }
            if (i >= size)
            {
                throw damaged("entry " + i + " is in flight in a ring of " + size);
            }
            final long when = region.getLong(entry + InflightLayout.COUNTER_OFFSET);
            counter = Math.max(counter, when + 1);
            found[count++] = new long[]{when, i};
        }
        final long[][] inOrder = Arrays.copyOf(found, count);
        Arrays.sort(inOrder, (a, b) -> Long.compareUnsigned(a[0], b[0]));
        return Arrays.stream(inOrder).mapToInt(each -> (int)each[1]).toArray();
    }

    /** Whether the marked chains are just those that are available next. */
    private boolean isInARow(
        final int[] marked, final int usedIndex, final GuestWindow available, final int announced)
    {
        if (marked.length > announced)
        {
            return false;
        }
        final boolean[] isMissing = new boolean[size];
        for (final int head : marked)
        {
            isMissing[head] = true;
        }
        for (int i = 0; i < marked.length; i++)
        {
            final int slot = usedIndex + i & mask;
            final int head = available.getShort(SplitLayout.headOffset(slot)) & INDEX_MASK;
            if (head >= size || !isMissing[head])
            {
                return false;
            }
            isMissing[head] = false;
            heads[slot] = (short)head;
        }
        return true;
    }

    private RingFaultException damaged(final String what)
    {
        return RingFaultException.of(setup,
            "its in-flight region is damaged: " + what + "; GET_INFLIGHT_FD gives a new one");
    }
}
