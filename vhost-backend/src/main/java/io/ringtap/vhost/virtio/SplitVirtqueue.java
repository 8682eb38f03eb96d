package io.ringtap.vhost.virtio;

import io.ringtap.counters.CounterSet;
import io.ringtap.sys.Memory;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.GuestWindow;

/**
 * The device's half of a split virtqueue (virtio 1.x, 2.7).
 * <p>
 * Slots of the two index rings are free-running indexes masked by size - 1, so they are always in range; a head is
 * compared before it is used. The available index is read once for as many chains as it announces.
 */
final class SplitVirtqueue extends Virtqueue
{
    private static final int INDEX_MASK = 0xffff;

    private final GuestWindow descriptors = new GuestWindow();
    private final GuestWindow available = new GuestWindow();
    private final GuestWindow used = new GuestWindow();
    private final int mask;
    private final int usedEventOffset;
    private final int availableEventOffset;
    /** Of legacy drivers, so that packed rings do not have it. */
    private final boolean mustTellOfEmpty;

    /** Next chain to take; runs freely, 16 bits of it count. */
    private int nextAvailable;
    /** Chains known to be available from there on. */
    private int known;
    /** What the driver sees in used.idx; runs freely, 16 bits of it count. */
    private int publishedUsed;
    private boolean hasPublished;
    /** Null when nobody wants to know what is in our hands. */
    private final SplitInflight inflight;

    SplitVirtqueue(final RingSetup setup, final GuestMemory memory, final CounterSet<RingCounter> counters)
    {
        super(setup, memory, counters);
        if (size < 1 || size > MAX_SIZE || Integer.bitCount(size) != 1)
        {
            throw RingFaultException.of(setup, "size " + size + " is not a power of two up to " + MAX_SIZE);
        }
        if (setup.base() < 0 || setup.base() > INDEX_MASK)
        {
            throw RingFaultException.of(setup, "base " + setup.base() + " is not between 0 and " + INDEX_MASK);
        }
        mask = size - 1;
        log.usedPart(used);
        usedEventOffset = SplitLayout.usedEventOffset(size);
        availableEventOffset = SplitLayout.availableEventOffset(size);
        mustTellOfEmpty = NetFeatures.has(setup.features(), NetFeatures.NOTIFY_ON_EMPTY);
        if (!view(memory))
        {
            throw SplitPlace.whyNot(setup, memory);
        }
        nextAvailable = setup.base();
        publishedUsed = used.getShort(SplitLayout.INDEX_OFFSET) & INDEX_MASK;
        inflight = SplitInflight.open(setup);
        if (inflight != null)
        {
            takeUp();
        }
    }

    @Override
    public int take(final DescriptorChain chain)
    {
        if (known == 0 || isAwaiting())
        {
            final int found = look();
            if (found <= 0)
            {
                return found;
            }
        }
        final int result = walk(chain, nextAvailable);
        if (result == AWAITING)
        {
            return EMPTY;
        }
        if (result != BROKEN)
        {
            taken(1);
            if (inflight != null)
            {
                inflight.taken(nextAvailable - 1, (int)chain.ticket);
            }
        }
        return result == LONG ? TAKEN : result;
    }

    @Override
    public int take(final DescriptorChain[] chains, final int max)
    {
        walked = 0;
        if (known < max || isAwaiting())
        {
            final int found = look();
            if (found <= 0)
            {
                return found;
            }
        }
        int count = Math.min(known, max);
        final int first = nextAvailable;
        for (int i = 0; i < count; i++)
        {
            final int result = walk(chains[i], first + i);
            if (result != TAKEN)
            {
                count = cut(count, i, result);
            }
        }
        taken(count);
        if (inflight != null)
        {
            inflight.taken(chains, first, count);
        }
        return count == 0 && isBroken() ? BROKEN : count;
    }

    /** @return chains of a batch of {@code count} after the one at {@code i} was not simply taken. */
    private int cut(final int count, final int i, final int result)
    {
        if (result <= BROKEN)
        {
            known = result == BROKEN ? i : known;
            return i;
        }
        return hasWalkedFar() ? i + 1 : count;
    }

    @Override
    public void untake(final int chains)
    {
        nextAvailable -= chains;
        known += chains;
    }

    @Override
    public void complete(final long ticket, final int length)
    {
        if (isBroken())
        {
            return;
        }
        final int slot = publishedUsed + staged & mask;
        used.putLong(SplitLayout.elementOffset(slot), SplitLayout.element((int)ticket, length));
        staged++;
    }

    @Override
    public boolean publish()
    {
        final int chains = staged;
        if (chains == 0 || isBroken())
        {
            return false;
        }
        final int before = publishedUsed;
        publishedUsed = before + chains;
        staged = 0;
        if (inflight != null)
        {
            inflight.completing(used, before, chains);
        }
        // Release: buffers and used elements are written before the index that shows them (virtio 1.x, 2.7.8).
        used.putShortRelease(SplitLayout.INDEX_OFFSET, (short)publishedUsed);
        if (inflight != null)
        {
            inflight.completed(used, before, chains);
        }
        // Store-load: the index is written before the driver's wish is read, as the driver writes its wish before it
        // looks at the index again; else both could miss each other's (virtio 1.x, 2.7.10).
        Memory.fullFence();
        log.published(before & mask, chains);
        return published(chains, isNotificationWanted(before));
    }

    @Override
    public boolean arm()
    {
        if (isBroken())
        {
            return false;
        }
        wish(hasEventIndex ? nextAvailable : 0);
        // Store-load: the wish is written before the index is read again, as the driver writes the index before it
        // reads the wish (virtio 1.x, 2.7.7 and 2.7.10).
        Memory.fullFence();
        return !isAwaiting() && (known != 0 || look() != EMPTY);
    }

    @Override
    public void disarm()
    {
        if (!isBroken())
        {
            // just behind: the driver's index passes it after 65535 more chains
            wish(hasEventIndex ? nextAvailable - 1 : SplitLayout.NO_NOTIFY);
        }
    }

    /** What the driver reads before it kicks. */
    private void wish(final int value)
    {
        final int offset = hasEventIndex ? availableEventOffset : SplitLayout.FLAGS_OFFSET;
        used.putShort(offset, (short)value);
        log.used(offset, Short.BYTES);
    }

    @Override
    public int base()
    {
        return nextAvailable & INDEX_MASK;
    }

    @Override
    public void rest()
    {
        if (inflight != null)
        {
            inflight.rest(nextAvailable);
        }
    }

    /**
     * Goes on where the used index is, whatever base a front-end guessed: nothing before it is lost, and what is in
     * flight comes again. Where a predecessor took chains out of order that cannot be done; those are given back empty.
     */
    private void takeUp()
    {
        final int lead = available.getShortAcquire(SplitLayout.INDEX_OFFSET) - publishedUsed & INDEX_MASK;
        final int[] strays = inflight.recover(publishedUsed, available, Math.min(lead, size));
        resumed(inflight.isSuccessor(), inflight.resumed(publishedUsed) + strays.length);
        inflight.passOver(strays.length);
        nextAvailable = publishedUsed + strays.length;
        for (final int head : strays)
        {
            complete(head, 0);
        }
        publish();
    }

    @Override
    GuestWindow descriptors()
    {
        return descriptors;
    }

    @Override
    boolean view(final GuestMemory newMemory)
    {
        return SplitPlace.view(setup, newMemory, descriptors, available, used);
    }

    /** Reads the available index: chains there, {@link #EMPTY} or {@link #BROKEN}. */
    private int look()
    {
        if (isBroken() || isAwaiting())
        {
            return isBroken() ? BROKEN : EMPTY;
        }
        // Acquire, pairs with the driver's release of the index: heads and descriptors are read after it
        // (virtio 1.x, 2.7.13.3).
        final int index = available.getShortAcquire(SplitLayout.INDEX_OFFSET);
        final int lead = index - nextAvailable & INDEX_MASK;
        if (lead > size)
        {
            return stop(RingCounter.AVAILABLE_LEAD);
        }
        known = lead;
        return lead;
    }

    private void taken(final int chains)
    {
        nextAvailable += chains;
        known -= chains;
    }

    /** Takes the chain of one slot of the available ring. */
    private int walk(final DescriptorChain chain, final int index)
    {
        final int head = available.getShort(SplitLayout.headOffset(index & mask)) & INDEX_MASK;
        if (head >= size)
        {
            return stop(RingCounter.HEAD_RANGE);
        }
        chain.begin(head);

        // The copy: two reads. The compiler does not read memory again that it has in a register, so what is judged
        // here is what is used (CVE-2020-14374 and its kin were double fetches). head < size: in the table.
        final int offset = head * DescriptorLayout.LENGTH;
        final long guestAddress = descriptors.getLong(offset + DescriptorLayout.ADDRESS_OFFSET);
        final long rest = descriptors.getLong(offset + DescriptorLayout.REST_OFFSET);
        final int flags = DescriptorLayout.splitFlags(rest);
        if ((flags & (DescriptorLayout.NEXT | DescriptorLayout.INDIRECT)) == 0)
        {
            final RingCounter fault = add(chain, guestAddress, rest, flags);
            return fault == null ? TAKEN : malformed(chain, fault);
        }
        return walkOn(chain, guestAddress, rest);
    }

    /** Apart, as {@link #cut} is, so that the compiler finds the usual way short enough to put into one piece. */
    private int walkOn(final DescriptorChain chain, final long guestAddress, final long rest)
    {
        final RingCounter fault = follow(chain, descriptors, size, guestAddress, rest);
        return fault != null ? malformed(chain, fault) : hasWalkedFar() ? LONG : TAKEN;
    }

    /**
     * Follows a chain through a table. It ends after as many descriptors as the table has: what is longer goes round.
     *
     * @param firstAddress first half of the chain's first descriptor, copied by the caller.
     * @param firstRest    second half.
     */
    private RingCounter follow(
        final DescriptorChain chain, final GuestWindow descriptorTable, final int entries, final long firstAddress,
        final long firstRest)
    {
        long guestAddress = firstAddress;
        long rest = firstRest;
        for (int hops = 1; hops <= entries; hops++)
        {
            final int flags = DescriptorLayout.splitFlags(rest);
            if ((flags & DescriptorLayout.INDIRECT) != 0)
            {
                // the last one of a chain may be indirect (virtio 1.x, 2.7.5.3.2), one in a table may not
                walked += hops;
                return descriptorTable == table ?
                    RingCounter.INDIRECT_NESTED : followTable(chain, guestAddress, rest, flags);
            }
            final RingCounter fault = add(chain, guestAddress, rest, flags);
            final int next = DescriptorLayout.splitNext(rest);
            if (fault != null || (flags & DescriptorLayout.NEXT) == 0 || next >= entries)
            {
                walked += hops;
                return fault != null || (flags & DescriptorLayout.NEXT) == 0 ? fault : RingCounter.NEXT_RANGE;
            }
            guestAddress = descriptorTable.getLong(next * DescriptorLayout.LENGTH + DescriptorLayout.ADDRESS_OFFSET);
            rest = descriptorTable.getLong(next * DescriptorLayout.LENGTH + DescriptorLayout.REST_OFFSET);
        }
        walked += entries;
        return RingCounter.CHAIN_ENDLESS;
    }

    private RingCounter followTable(
        final DescriptorChain chain, final long tableAddress, final long tableRest, final int flags)
    {
        final RingCounter fault = openTable(tableAddress, tableRest, flags);
        if (fault != null)
        {
            return fault;
        }
        // an open table has at least one descriptor
        return follow(chain, table, table.length() / DescriptorLayout.LENGTH,
            table.getLong(DescriptorLayout.ADDRESS_OFFSET), table.getLong(DescriptorLayout.REST_OFFSET));
    }

    private boolean isNotificationWanted(final int before)
    {
        if (mustTellOfEmpty && isEmpty())
        {
            hasPublished = true;
            return true;
        }
        if (!hasEventIndex)
        {
            return (available.getShort(SplitLayout.FLAGS_OFFSET) & SplitLayout.NO_INTERRUPT) == 0;
        }
        final int event = available.getShort(usedEventOffset);
        final boolean isFirst = !hasPublished;
        hasPublished = true;
        return isFirst || EventIndex.isPassed(event, publishedUsed, before);
    }

    /** Everything that was ever made available is used (virtio 1.x, 6.3: the legacy feature). */
    private boolean isEmpty()
    {
        return (available.getShort(SplitLayout.INDEX_OFFSET) - publishedUsed & INDEX_MASK) == 0;
    }
}
