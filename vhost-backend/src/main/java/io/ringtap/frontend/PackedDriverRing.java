package io.ringtap.frontend;

import io.ringtap.sys.Memory;
import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.concurrent.UnsafeBuffer;

/** The driver's half of a packed virtqueue (virtio 1.x, 2.8). */
public final class PackedDriverRing extends DriverRing
{
    private static final int AVAILABLE = 1 << 7;
    private static final int USED = 1 << 15;
    private static final int WRAP = 1 << 15;

    private final int ring;
    private final int driverEvent;
    private final int deviceEvent;
    /** Ids that are free, a stack. */
    private final short[] freeIds;
    private int freeIdCount;
    /** Slots of the chain with this id; 0 when the device does not have it. */
    private final short[] slotsOf;
    private int nextAvailable;
    private boolean availableWrap = true;
    private int nextUsed;
    private boolean usedWrap = true;
    /** The flags of the first slot since the last publication are written last. */
    private int firstUnpublished = NONE;
    private long firstRest;
    private int slotsUnpublished;
    private int usedLength;
    /** With IN_ORDER: ids in the order in which the device has them, and the one that ends the run being polled. */
    private final boolean isInOrder;
    private final short[] order;
    private int orderHead;
    private int orderTail;
    private int chainsOut;
    private int lastOfRun = NONE;

    PackedDriverRing(
        final UnsafeBuffer window, final int offset, final int size, final long guestBase, final long features)
    {
        super(window, size, guestBase, features);
        ring = offset;
        driverEvent = offset + align(16 * size);
        deviceEvent = driverEvent + 64;
        freeIds = new short[size];
        slotsOf = new short[size];
        for (int i = 0; i < size; i++)
        {
            freeIds[i] = (short)(size - 1 - i);
        }
        freeIdCount = size;
        isInOrder = NetFeatures.has(features, NetFeatures.IN_ORDER);
        order = new short[size];
    }

    static int length(final int size)
    {
        return align(16 * size) + 2 * 64;
    }

    @Override
    public long descriptorAddress()
    {
        return guestBase + ring;
    }

    @Override
    public long driverAddress()
    {
        return guestBase + driverEvent;
    }

    @Override
    public long deviceAddress()
    {
        return guestBase + deviceEvent;
    }

    @Override
    public int startBase()
    {
        return 0x8000_8000;
    }

    @Override
    public int resumeBase()
    {
        int index = nextUsed;
        int next = orderHead;
        int left = chainsOut;
        boolean wrap = usedWrap;
        while (isUsed(index, wrap))
        {
            final int id = (int)(window.getLong(ring + 16 * index + 8) >>> 32) & 0xffff;
            for (; isInOrder && left > 1 && order[next] != id; left--)
            {
                index += slotsOf[order[next]] & 0xffff;
                next = after(next);
            }
            left--;
            next = after(next);
            index += id < size ? Math.max(1, slotsOf[id] & 0xffff) : 1;
            if (index >= size)
            {
                index -= size;
                wrap = !wrap;
            }
        }
        final int half = index | (wrap ? WRAP : 0);
        return half << 16 | half;
    }

    @Override
    public int add(final long guestAddress, final int length, final boolean isWritable)
    {
        if (free == 0)
        {
            return FULL;
        }
        final int id = takeId(1);
        put(guestAddress, length, id, isWritable ? WRITE : 0);
        return id;
    }

    @Override
    public int add(final long[] guestAddresses, final int[] lengths, final int readable, final int writable)
    {
        final int count = readable + writable;
        if (free < count || count == 0)
        {
            return FULL;
        }
        final int id = takeId(count);
        for (int i = 0; i < count; i++)
        {
            put(guestAddresses[i], lengths[i], id, (i < readable ? 0 : WRITE) | (i < count - 1 ? NEXT : 0));
        }
        return id;
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
            pokeTable(tableAddress, i, guestAddresses[i], lengths[i], i < readable ? 0 : WRITE, 0);
        }
        final int id = takeId(1);
        put(tableAddress, 16 * count, id, INDIRECT);
        return id;
    }

    @Override
    public boolean publish()
    {
        if (firstUnpublished == NONE)
        {
            return false;
        }
        // pairs with the device's acquire; then the flags are written before the device's wish is read
        window.putLongRelease(ring + 16 * firstUnpublished + 8, firstRest);
        Memory.fullFence();
        firstUnpublished = NONE;
        final int slots = slotsUnpublished;
        slotsUnpublished = 0;

        final int event = window.getInt(deviceEvent);
        final int flags = event >>> 16 & 3;
        if (!hasEventIndex || flags != 2)
        {
            return flags != 1;
        }
        final int index = (event & WRAP - 1) - ((event & WRAP) != 0 == availableWrap ? 0 : size);
        return (nextAvailable - index - 1 & 0xffff) < slots;
    }

    @Override
    public int poll()
    {
        if (lastOfRun == NONE)
        {
            if (!hasUsed())
            {
                return NONE;
            }
            final long rest = window.getLong(ring + 16 * nextUsed + 8);
            lastOfRun = (int)(rest >>> 32) & 0xffff;
            usedLength = (int)rest;
            if (lastOfRun >= size || slotsOf[lastOfRun] == 0)
            {
                throw new IllegalStateException("device used chain " + lastOfRun + " that is not in its hands");
            }
        }
        // what lies before the last of a run is used as well (virtio 1.x, 2.8.9)
        final int id = isInOrder ? order[orderHead] & 0xffff : lastOfRun;
        orderHead = after(orderHead);
        chainsOut--;
        lastOfRun = id == lastOfRun ? NONE : lastOfRun;
        final int slots = slotsOf[id] & 0xffff;
        slotsOf[id] = 0;
        freeIds[freeIdCount++] = (short)id;
        free += slots;
        nextUsed += slots;
        if (nextUsed >= size)
        {
            nextUsed -= size;
            usedWrap = !usedWrap;
        }
        return id;
    }

    @Override
    public int usedLength()
    {
        return usedLength;
    }

    @Override
    public boolean arm()
    {
        window.putInt(driverEvent, nextUsed | (usedWrap ? WRAP : 0) | (hasEventIndex ? 2 << 16 : 0));
        Memory.fullFence();
        return hasUsed();
    }

    @Override
    public void disarm()
    {
        window.putInt(driverEvent, 1 << 16);
    }

    @Override
    public void pokeTable(
        final long tableAddress, final int index, final long guestAddress, final int length, final int flags,
        final int nextOrId)
    {
        write(at(tableAddress) + 16 * index, guestAddress, rest(length, nextOrId, flags));
    }

    /** The flags that make a descriptor available in the driver's current lap, for {@link #pokeDescriptor}. */
    public int availableFlags()
    {
        return availableWrap ? AVAILABLE : USED;
    }

    /** Second half of a slot as it lies in memory: length, id, flags. */
    public long peekRest(final int index)
    {
        return window.getLong(ring + 16 * index + 8);
    }

    public void pokeDriverEvent(final int index, final boolean wrap, final int flags)
    {
        window.putInt(driverEvent, index | (wrap ? WRAP : 0) | flags << 16);
    }

    /** The device's event structure as it lies in memory. */
    public int deviceEvent()
    {
        return window.getInt(deviceEvent);
    }

    private boolean hasUsed()
    {
        return isUsed(nextUsed, usedWrap);
    }

    private boolean isUsed(final int index, final boolean wrap)
    {
        final long rest = window.getLongAcquire(ring + 16 * index + 8);
        final int flags = (int)(rest >>> 48);
        return (flags & AVAILABLE) != 0 == wrap && (flags & USED) != 0 == wrap;
    }

    private int takeId(final int slots)
    {
        final int id = freeIds[--freeIdCount] & 0xffff;
        slotsOf[id] = (short)slots;
        order[orderTail] = (short)id;
        orderTail = after(orderTail);
        chainsOut++;
        free -= slots;
        slotsUnpublished += slots;
        return id;
    }

    private void put(final long guestAddress, final int length, final int id, final int flags)
    {
        final long rest = rest(length, id, flags | availableFlags());
        if (firstUnpublished == NONE)
        {
            firstUnpublished = nextAvailable;
            firstRest = rest;
            window.putLong(ring + 16 * nextAvailable, guestAddress);
        }
        else
        {
            write(ring + 16 * nextAvailable, guestAddress, rest);
        }
        nextAvailable++;
        if (nextAvailable == size)
        {
            nextAvailable = 0;
            availableWrap = !availableWrap;
        }
    }

    private void write(final int offset, final long guestAddress, final long rest)
    {
        window.putLong(offset, guestAddress);
        window.putLong(offset + 8, rest);
    }

    private int after(final int place)
    {
        return place + 1 == size ? 0 : place + 1;
    }

    private static long rest(final int length, final int id, final int flags)
    {
        return (length & 0xffff_ffffL) | (long)id << 32 | (long)flags << 48;
    }

    private static int align(final int length)
    {
        return length + 63 & ~63;
    }
}
