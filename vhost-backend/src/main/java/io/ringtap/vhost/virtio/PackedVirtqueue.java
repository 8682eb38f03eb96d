package io.ringtap.vhost.virtio;

import io.ringtap.counters.CounterSet;
import io.ringtap.sys.Memory;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.GuestWindow;

/**
 * The device's half of a packed virtqueue (virtio 1.x, 2.8).
 * <p>
 * Indexes into the ring are our own and less than its size; what the driver writes is never one. A chain lies in slots
 * in a row and is returned in one; a batch is shown to the driver by the flags of its first slot.
 */
final class PackedVirtqueue extends Virtqueue
{
    private static final int SLOTS_MASK = 0xffff;
    private static final int LAP_FLAGS = DescriptorLayout.AVAILABLE | DescriptorLayout.USED;

    private final GuestWindow ring = new GuestWindow();
    private final PackedEvents events;
    /** Null when nobody wants to know what is in our hands. */
    private final PackedInflight inflight;
    /** Slots of each of the chains taken last, for putting them back; as many as can be outstanding. */
    private final short[] slotsTaken;
    private int takes;

    private int nextAvailable;
    /** The flag that makes a slot available in this lap: AVAILABLE when the driver's wrap counter is 1, else USED. */
    private int availableFlags;
    /** Slots of all chains ever taken; runs freely. */
    private int slotsSeen;
    /** Slots of chains taken and not completed. */
    private int outstanding;
    /** Where the next chain is returned, the staged ones counted. */
    private int nextUsed;
    private boolean usedWrap;
    /** Where the first staged chain is returned, and what will be written there. */
    private int firstStaged;
    private long firstRest;

    PackedVirtqueue(final RingSetup setup, final GuestMemory memory, final CounterSet<RingCounter> counters)
    {
        super(setup, memory, counters);
        PackedPlace.check(setup);
        events = new PackedEvents(size, hasEventIndex);
        log.usedPart(events.device);
        int available = setup.base() & SLOTS_MASK;
        int used = PackedLayout.usedHalf(setup.base());
        slotsTaken = new short[size == 1 ? 1 : Integer.highestOneBit(size - 1) << 1];
        if (!view(memory))
        {
            throw PackedPlace.whyNot(setup, memory);
        }
        inflight = PackedInflight.open(setup, ring, PackedLayout.index(used), PackedLayout.wrap(used));
        final PackedScan scan = inflight == null ? PackedScan.of(setup, ring) : null;
        if (inflight != null)
        {
            used = PackedLayout.place(inflight.usedIndex(), inflight.usedWrap());
            available = used;
            resumed(inflight.isSuccessor(), inflight.resumed());
        }
        else if (scan != null)
        {
            used = scan.place();
            available = used;
            resumed(scan.isSuccessor(), 0);
            remark = scan.remark();
        }
        nextAvailable = PackedLayout.index(available);
        availableFlags = PackedLayout.wrap(available) ? DescriptorLayout.AVAILABLE : DescriptorLayout.USED;
        nextUsed = PackedLayout.index(used);
        usedWrap = PackedLayout.wrap(used);
    }

    @Override
    public int take(final DescriptorChain chain)
    {
        final int found = look(1);
        final int first = nextAvailable;
        final int result = found <= 0 ? found : Math.min(TAKEN, walk(chain));
        if (result == AWAITING)
        {
            back(1);
            return EMPTY;
        }
        return inflight == null || found <= 0 || result == BROKEN ||
            inflight.taken(ring, first, PackedTicket.slots(chain.ticket)) ? result : stop(RingCounter.AVAILABLE_LEAD);
    }

    @Override
    public int take(final DescriptorChain[] chains, final int max)
    {
        final int first = nextAvailable;
        final int taken = takeAll(chains, max);
        return inflight == null || taken <= 0 || inflight.taken(ring, first, chains, taken) ?
            taken : stop(RingCounter.AVAILABLE_LEAD);
    }

    private int takeAll(final DescriptorChain[] chains, final int max)
    {
        int taken = 0;
        int left = max;
        walked = 0;
        while (left > 0)
        {
            final int found = look(left);
            if (found <= 0)
            {
                return taken == 0 ? found : taken;
            }
            // a chain may have more slots than were looked at: the driver shows its first one last
            final int end = slotsSeen + found;
            int result = TAKEN;
            while (end - slotsSeen > 0 && (result == TAKEN || !hasWalkedFar()))
            {
                result = walk(chains[taken]);
                if (result <= BROKEN)
                {
                    back(result == AWAITING ? 1 : 0);
                    return taken == 0 && result == BROKEN ? BROKEN : taken;
                }
                taken++;
            }
            left = hasWalkedFar() ? 0 : max - taken;
        }
        return taken;
    }

    @Override
    public void untake(final int chains)
    {
        if (inflight != null)
        {
            inflight.putBack(chains);
        }
        back(chains);
    }

    private void back(final int chains)
    {
        for (int i = 0; i < chains; i++)
        {
            takes--;
            final int slots = slotsTaken[takes & slotsTaken.length - 1] & SLOTS_MASK;
            outstanding -= slots;
            slotsSeen -= slots;
            nextAvailable -= slots;
            if (nextAvailable < 0)
            {
                nextAvailable += size;
                availableFlags ^= LAP_FLAGS;
            }
        }
    }

    @Override
    public void complete(final long ticket, final int length)
    {
        if (isBroken())
        {
            return;
        }
        stage(PackedTicket.id(ticket), PackedTicket.slots(ticket), length);
        staged++;
    }

    /**
     * With IN_ORDER one used descriptor stands for all, in the place of the first and with the id of the last (virtio
     * 1.x, 2.8.9): the others' lines need not come back from the driver's cache to be written.
     */
    @Override
    public void completeRead(final long[] tickets, final int count)
    {
        if (!isInOrder || count == 0 || isBroken())
        {
            super.completeRead(tickets, count);
            return;
        }
        long slots = 0;
        for (int i = 0; i < count; i++)
        {
            slots += PackedTicket.slots(tickets[i]);
        }
        stage(PackedTicket.id(tickets[count - 1]), (int)slots, 0);
        staged += count;
    }

    private void stage(final int id, final int slots, final int length)
    {
        // Both flags show our wrap counter; WRITE says that there are bytes (virtio 1.x, 2.8.1 and 2.8.4).
        final long rest = DescriptorLayout.packedRest(length, id,
            (usedWrap ? LAP_FLAGS : 0) | (length == 0 ? 0 : DescriptorLayout.WRITE));
        if (staged == 0)
        {
            firstStaged = nextUsed;
            firstRest = rest;
        }
        else
        {
            // The driver does not look here before it has seen the first one. nextUsed < size: in the ring.
            ring.putLong(offset(nextUsed) + DescriptorLayout.REST_OFFSET, rest);
        }
        outstanding -= slots;
        nextUsed += slots;
        if (nextUsed >= size)
        {
            nextUsed -= size;
            usedWrap = !usedWrap;
        }
    }

    @Override
    public boolean publish()
    {
        final int chains = staged;
        if (chains == 0 || isBroken())
        {
            return false;
        }
        staged = 0;
        if (inflight != null)
        {
            inflight.completing(chains, nextUsed, usedWrap);
        }
        // Release: buffers and the other used descriptors are written before the flags that show the first one
        // (virtio 1.x, 2.8.6).
        ring.putLongRelease(offset(firstStaged) + DescriptorLayout.REST_OFFSET, firstRest);
        if (inflight != null)
        {
            inflight.completed(chains);
        }
        // Store-load: the flags are written before the driver's wish is read, as the driver writes its wish before it
        // looks at the flags again (virtio 1.x, 2.8.21.3).
        Memory.fullFence();
        log.published(ring, firstStaged, nextUsed);
        return published(chains, events.isNotificationWanted(firstStaged, nextUsed, usedWrap));
    }

    @Override
    public boolean arm()
    {
        if (isBroken())
        {
            return false;
        }
        events.ask(nextAvailable, availableWrap());
        log.used(0, PackedLayout.EVENT_LENGTH);
        // Store-load: the wish is written before the flags are read again, as the driver writes the flags before it
        // reads the wish (virtio 1.x, 2.8.21.2).
        Memory.fullFence();
        return look(1) != EMPTY;
    }

    @Override
    public void disarm()
    {
        if (!isBroken())
        {
            events.refuse();
            log.used(0, PackedLayout.EVENT_LENGTH);
        }
    }

    @Override
    public int base()
    {
        return PackedLayout.place(nextAvailable, availableWrap()) | PackedLayout.place(nextUsed, usedWrap) << 16;
    }

    @Override
    public void rest()
    {
        if (inflight != null)
        {
            inflight.rest();
        }
    }

    @Override
    GuestWindow descriptors()
    {
        return ring;
    }

    @Override
    boolean view(final GuestMemory newMemory)
    {
        return PackedPlace.view(setup, newMemory, ring, events);
    }

    /** Looks how many slots are available, {@code max} at most: as many, {@link #EMPTY} or {@link #BROKEN}. */
    private int look(final int max)
    {
        if (isBroken() || isAwaiting())
        {
            return isBroken() ? BROKEN : EMPTY;
        }
        int index = nextAvailable;
        int expected = availableFlags;
        int found = 0;
        // index < size: in the ring
        while (found < max &&
            (ring.getShort(offset(index) + DescriptorLayout.PACKED_FLAGS_OFFSET) & LAP_FLAGS) == expected)
        {
            found++;
            index++;
            if (index == size)
            {
                index = 0;
                expected ^= LAP_FLAGS;
            }
        }
        // Load-load, one for all of them, pairs with the driver's release of each flags: descriptors are read after
        // their flags (virtio 1.x, 2.8.21.1).
        Memory.loadFence();
        return found;
    }

    /** Takes the next chain; its first slot is available. */
    private int walk(final DescriptorChain chain)
    {
        if (outstanding == size)
        {
            return stop(RingCounter.AVAILABLE_LEAD);
        }
        // the copy, see SplitVirtqueue; nextAvailable < size: in the ring
        final int offset = offset(nextAvailable);
        final long guestAddress = ring.getLong(offset + DescriptorLayout.ADDRESS_OFFSET);
        final long rest = ring.getLong(offset + DescriptorLayout.REST_OFFSET);
        final int flags = DescriptorLayout.packedFlags(rest);
        if ((flags & (DescriptorLayout.NEXT | DescriptorLayout.INDIRECT)) != 0)
        {
            return follow(chain, guestAddress, rest);
        }
        chain.begin(PackedTicket.of(DescriptorLayout.packedId(rest), 1));
        advance(1);
        final RingCounter fault = add(chain, guestAddress, rest, flags);
        return fault == null ? TAKEN : malformed(chain, fault);
    }

    /** Takes a chain of several slots or of a table. It is walked to its end also when at fault: there is its id. */
    private int follow(final DescriptorChain chain, final long firstAddress, final long firstRest)
    {
        chain.begin(0);
        final int room = size - outstanding;
        long guestAddress = firstAddress;
        long rest = firstRest;
        int index = nextAvailable;
        RingCounter fault = null;
        for (int slots = 1; slots <= room; slots++)
        {
            final int flags = DescriptorLayout.packedFlags(rest);
            if (fault == null)
            {
                fault = (flags & DescriptorLayout.INDIRECT) == 0 ?
                    add(chain, guestAddress, rest, flags) :
                    PackedPlace.followTable(this, chain, guestAddress, rest, flags);
            }
            if ((flags & DescriptorLayout.NEXT) == 0)
            {
                chain.ticket = PackedTicket.of(DescriptorLayout.packedId(rest), slots);
                advance(slots);
                walked += slots;
                return fault != null ? malformed(chain, fault) : hasWalkedFar() ? LONG : TAKEN;
            }
            index = index + 1 == size ? 0 : index + 1;
            guestAddress = ring.getLong(offset(index) + DescriptorLayout.ADDRESS_OFFSET);
            rest = ring.getLong(offset(index) + DescriptorLayout.REST_OFFSET);
        }
        // where the next chain begins is unknown
        return stop(room == size ? RingCounter.CHAIN_ENDLESS : RingCounter.AVAILABLE_LEAD);
    }

    private void advance(final int slots)
    {
        slotsTaken[takes++ & slotsTaken.length - 1] = (short)slots;
        outstanding += slots;
        slotsSeen += slots;
        nextAvailable += slots;
        if (nextAvailable >= size)
        {
            nextAvailable -= size;
            availableFlags ^= LAP_FLAGS;
        }
    }

    /** The driver's wrap counter where we are. */
    private boolean availableWrap()
    {
        return availableFlags == DescriptorLayout.AVAILABLE;
    }

    private static int offset(final int index)
    {
        return index * DescriptorLayout.LENGTH;
    }
}
