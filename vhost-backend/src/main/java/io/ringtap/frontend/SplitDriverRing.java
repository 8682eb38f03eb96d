package io.ringtap.frontend;

import io.ringtap.sys.Memory;
import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.concurrent.UnsafeBuffer;

/** The driver's half of a split virtqueue (virtio 1.x, 2.7). */
public final class SplitDriverRing extends DriverRing
{
    private static final int INDEX_MASK = 0xffff;

    private final int descriptors;
    private final int available;
    private final int used;
    private final int mask;
    /** Next of each descriptor in the free list, then in its chain; ours, since the device could lie in the table. */
    private final short[] next;
    /** Descriptors of the chain that begins here. */
    private final short[] chainLength;
    private int freeHead;
    private int nextAvailable;
    private int publishedAvailable;
    private int nextUsed;
    private int usedLength;
    /** With IN_ORDER: heads by the slot they were made available in, and the one that ends the run being polled. */
    private final short[] order;
    private int lastOfRun = NONE;

    SplitDriverRing(
        final UnsafeBuffer window, final int offset, final int size, final long guestBase, final long features)
    {
        super(window, size, guestBase, features);
        descriptors = offset;
        available = offset + align(16 * size);
        used = available + align(6 + 2 * size);
        mask = size - 1;
        next = new short[size];
        chainLength = new short[size];
        order = NetFeatures.has(features, NetFeatures.IN_ORDER) ? new short[size] : null;
        for (int i = 0; i < size; i++)
        {
            next[i] = (short)(i + 1);
        }
    }

    static int length(final int size)
    {
        return align(16 * size) + align(6 + 2 * size) + align(6 + 8 * size);
    }

    @Override
    public long descriptorAddress()
    {
        return guestBase + descriptors;
    }

    @Override
    public long driverAddress()
    {
        return guestBase + available;
    }

    @Override
    public long deviceAddress()
    {
        return guestBase + used;
    }

    @Override
    public int startBase()
    {
        return 0;
    }

    @Override
    public int resumeBase()
    {
        return usedIndex();
    }

    @Override
    public int add(final long guestAddress, final int length, final boolean isWritable)
    {
        if (free == 0)
        {
            return FULL;
        }
        final int head = freeHead;
        write(descriptors + 16 * head, guestAddress, length, isWritable ? WRITE : 0, 0);
        freeHead = next[head] & INDEX_MASK;
        return makeAvailable(head, 1);
    }

    @Override
    public int add(final long[] guestAddresses, final int[] lengths, final int readable, final int writable)
    {
        final int count = readable + writable;
        if (free < count || count == 0)
        {
            return FULL;
        }
        final int head = freeHead;
        int index = head;
        for (int i = 0; i < count; i++)
        {
            final int following = next[index] & INDEX_MASK;
            final int flags = (i < readable ? 0 : WRITE) | (i < count - 1 ? NEXT : 0);
            write(descriptors + 16 * index, guestAddresses[i], lengths[i], flags, i < count - 1 ? following : 0);
            index = following;
        }
        freeHead = index;
        return makeAvailable(head, count);
    }

    @Override
    public int addIndirect(
        final long tableAddress, final long[] guestAddresses, final int[] lengths, final int readable,
        final int writable)
    {
        if (free == 0)
        {
            return FULL;
        }
        final int count = readable + writable;
        for (int i = 0; i < count; i++)
        {
            final int flags = (i < readable ? 0 : WRITE) | (i < count - 1 ? NEXT : 0);
            pokeTable(tableAddress, i, guestAddresses[i], lengths[i], flags, i < count - 1 ? i + 1 : 0);
        }
        final int head = freeHead;
        write(descriptors + 16 * head, tableAddress, 16 * count, INDIRECT, 0);
        freeHead = next[head] & INDEX_MASK;
        return makeAvailable(head, 1);
    }

    @Override
    public boolean publish()
    {
        final int before = publishedAvailable;
        if (before == nextAvailable)
        {
            return false;
        }
        publishedAvailable = nextAvailable;
        // pairs with the device's acquire; then the index is written before the device's wish is read
        Memory.shortRelease(window, available + 2, (short)nextAvailable);
        Memory.fullFence();
        if (!hasEventIndex)
        {
            return (window.getShort(used) & 1) == 0;
        }
        final int event = window.getShort(used + 4 + 8 * size);
        return (nextAvailable - event - 1 & INDEX_MASK) < (nextAvailable - before & INDEX_MASK);
    }

    @Override
    public int poll()
    {
        if (!hasUsed())
        {
            return NONE;
        }
        if (lastOfRun == NONE)
        {
            final int element = used + 4 + 8 * (nextUsed & mask);
            final int head = window.getInt(element);
            if (head < 0 || head >= size || chainLength[head] == 0)
            {
                throw new IllegalStateException("device used chain " + head + " that is not in its hands");
            }
            usedLength = window.getInt(element + 4);
            lastOfRun = head;
        }
        // one element stands for all that were made available up to its chain (virtio 1.x, 2.7.9)
        final int head = order == null ? lastOfRun : order[nextUsed & mask] & INDEX_MASK;
        lastOfRun = head == lastOfRun ? NONE : lastOfRun;
        nextUsed++;
        giveBack(head);
        return head;
    }

    @Override
    public int usedLength()
    {
        return usedLength;
    }

    @Override
    public boolean arm()
    {
        if (hasEventIndex)
        {
            window.putShort(available + 4 + 2 * size, (short)nextUsed);
        }
        else
        {
            window.putShort(available, (short)0);
        }
        Memory.fullFence();
        return hasUsed();
    }

    @Override
    public boolean armLater()
    {
        final int later = (publishedAvailable - nextUsed & 0xffff) * 3 / 4;
        if (!hasEventIndex || later == 0)
        {
            return arm();
        }
        window.putShort(available + 4 + 2 * size, (short)(nextUsed + later));
        Memory.fullFence();
        return (Memory.shortAcquire(window, used + 2) - nextUsed & 0xffff) > later;
    }

    @Override
    public void disarm()
    {
        if (hasEventIndex)
        {
            window.putShort(available + 4 + 2 * size, (short)(nextUsed - 1));
        }
        else
        {
            window.putShort(available, (short)1);
        }
    }

    @Override
    public void pokeTable(
        final long tableAddress, final int index, final long guestAddress, final int length, final int flags,
        final int nextOrId)
    {
        write(at(tableAddress) + 16 * index, guestAddress, length, flags, nextOrId);
    }

    /** Writes the available index, whatever was added. */
    public void pokeAvailableIndex(final int value)
    {
        Memory.shortRelease(window, available + 2, (short)value);
    }

    /** Writes a slot of the available ring. */
    public void pokeAvailable(final int slot, final int head)
    {
        window.putShort(available + 4 + 2 * slot, (short)head);
    }

    public int availableIndex()
    {
        return window.getShort(available + 2) & INDEX_MASK;
    }

    public void pokeUsedEvent(final int value)
    {
        window.putShort(available + 4 + 2 * size, (short)value);
    }

    public int availableEvent()
    {
        return window.getShort(used + 4 + 8 * size) & INDEX_MASK;
    }

    /** The device's used index as it lies in memory. */
    public int usedIndex()
    {
        return window.getShort(used + 2) & INDEX_MASK;
    }

    public void pokeUsedIndex(final int value)
    {
        window.putShort(used + 2, (short)value);
    }

    public int usedFlags()
    {
        return window.getShort(used) & INDEX_MASK;
    }

    public int usedId(final int slot)
    {
        return window.getInt(used + 4 + 8 * slot);
    }

    public int usedLength(final int slot)
    {
        return window.getInt(used + 4 + 8 * slot + 4);
    }

    /** Starts both indexes at a value, for tests of what happens when they wrap; tell the device the same base. */
    public void startAt(final int index)
    {
        nextAvailable = index;
        publishedAvailable = index;
        nextUsed = index;
        pokeAvailableIndex(index);
        pokeUsedIndex(index);
    }

    private boolean hasUsed()
    {
        return Memory.shortAcquire(window, used + 2) != (short)nextUsed;
    }

    private int makeAvailable(final int head, final int count)
    {
        chainLength[head] = (short)count;
        free -= count;
        window.putShort(available + 4 + 2 * (nextAvailable & mask), (short)head);
        if (order != null)
        {
            order[nextAvailable & mask] = (short)head;
        }
        nextAvailable++;
        return head;
    }

    private void giveBack(final int head)
    {
        final int count = chainLength[head] & INDEX_MASK;
        int last = head;
        for (int i = 1; i < count; i++)
        {
            last = next[last] & INDEX_MASK;
        }
        next[last] = (short)freeHead;
        freeHead = head;
        chainLength[head] = 0;
        free += count;
    }

    private void write(
        final int offset, final long guestAddress, final int length, final int flags, final int nextIndex)
    {
        window.putLong(offset, guestAddress);
        window.putLong(offset + 8, (length & 0xffff_ffffL) | (long)flags << 32 | (long)nextIndex << 48);
    }

    private static int align(final int length)
    {
        return length + 63 & ~63;
    }
}
