package io.ringtap.vhost.virtio;

import io.ringtap.sys.Memory;
import io.ringtap.vhost.guest.GuestWindow;

/**
 * The flags of all slots of a packed ring at one moment, and what they tell of the place of a device that is gone.
 * <p>
 * Where each chain has one slot and is returned in it, the slots from that place on are in this order:
 * <pre>
 *  | available, or used already | not available |
 * </pre>
 * The first of them is not used, and what lies behind the place cannot be mistaken for it: an available slot would have
 * the flags of another lap, one that is not available would be a used one in front. So at most one place fits.
 * <p>
 * Used already, though the driver does not get there before the first one is used, are the rest of a batch that was
 * being published, and what the front-end returned itself from where it believed the ring to be.
 */
final class PackedFlags
{
    /** As many flags are read for a ring of which no two looks are the same: a driver that only adds soon is done. */
    static final int MOST_READS = 1 << 20;

    private static final int NONE = -1;

    private final short[] flags;
    private final int first;
    private int returned;
    private String doubt;

    /** @param told where the front-end says that the ring goes on. */
    PackedFlags(final short[] flags, final int told)
    {
        this.flags = flags;
        final int firstAvailable = firstAvailable();
        first = firstAvailable == NONE ? step() : firstAvailable;
        if (doubt == null)
        {
            walk(told);
        }
    }

    /** Looks until nothing changed between two looks: the driver is running. Null when that did not come. */
    static short[] read(final GuestWindow ring, final int size)
    {
        final short[] flags = new short[size];
        boolean hasChanged = true;
        for (int reads = 0; hasChanged && reads < MOST_READS; reads += size)
        {
            hasChanged = false;
            for (int i = 0; i < size; i++)
            {
                // i < size: in the ring
                final short seen = ring.getShort(i * DescriptorLayout.LENGTH + DescriptorLayout.PACKED_FLAGS_OFFSET);
                hasChanged |= seen != flags[i];
                flags[i] = seen;
            }
            // Load-load: one look is over before the next begins, so what is the same in both was so between them.
            Memory.loadFence();
        }
        return hasChanged ? null : flags;
    }

    /** Why the place cannot be told; null when it can. */
    String doubt()
    {
        return doubt;
    }

    /** The place up to which the driver can see the ring used. */
    int first()
    {
        return first;
    }

    /** Slots from there to the last one that is used already: they have to be returned before anything else. */
    int returned()
    {
        return returned;
    }

    /** Whether neither driver nor device ever wrote here. */
    boolean isBlank()
    {
        int all = 0;
        for (final short each : flags)
        {
            all |= each;
        }
        return all == 0;
    }

    /** Slots of both laps are available when the driver has gone round: those of the older one lie behind. */
    private int firstAvailable()
    {
        final int[] lowest = {NONE, NONE};
        final int[] highest = {NONE, NONE};
        for (int i = 0; i < flags.length; i++)
        {
            final int lap = (flags[i] & DescriptorLayout.AVAILABLE) != 0 ? 1 : 0;
            if (lap != (isUsedFlag(i) ? 1 : 0))
            {
                lowest[lap] = lowest[lap] == NONE ? i : lowest[lap];
                highest[lap] = i;
            }
        }
        if (lowest[0] == NONE && lowest[1] == NONE)
        {
            return NONE;
        }
        for (int lap = 0; lap < 2; lap++)
        {
            if (lowest[lap] != NONE && highest[1 - lap] < lowest[lap])
            {
                return PackedLayout.place(lowest[lap], lap == 1);
            }
        }
        doubt = "slot " + lowest[0] + " and slot " + lowest[1] + " are available in laps that do not follow each other";
        return NONE;
    }

    /** Nothing is available: those of this lap in front, those of the lap before behind. */
    private int step()
    {
        final boolean wrap = isUsedFlag(0);
        for (int i = 1; i < flags.length; i++)
        {
            if (isUsedFlag(i) != wrap)
            {
                return PackedLayout.place(i, wrap);
            }
        }
        return PackedLayout.place(0, !wrap);
    }

    private void walk(final int told)
    {
        int place = first;
        boolean isOver = false;
        int run = NONE;
        for (int i = 0; i < flags.length && doubt == null; i++)
        {
            final int slot = PackedLayout.index(place);
            final boolean wrap = PackedLayout.wrap(place);
            final boolean isUsed = isUsedFlag(slot) == wrap;
            final boolean isAvailable = isUsedFlag(slot) != ((flags[slot] & DescriptorLayout.AVAILABLE) != 0);
            if ((flags[slot] & DescriptorLayout.NEXT) != 0)
            {
                doubt = "slot " + slot + " has a next one";
            }
            else if (isUsed && (isAvailable || isOver || i == 0) || !isUsed && isAvailable && isOver)
            {
                doubt = "slot " + slot + " is out of turn, counted from slot " + PackedLayout.index(first);
            }
            else if (isUsed)
            {
                run = run == NONE ? i : run;
                returned = i + 1;
            }
            else
            {
                end(run, i, place, told);
                run = NONE;
                isOver = !isAvailable;
            }
            place = PackedLayout.plus(place, 1, flags.length);
        }
        end(run, flags.length, place, told);
    }

    /** A run of slots that are used already: of a batch that only lacks its first one, or of the front-end. */
    private void end(final int run, final int end, final int place, final int told)
    {
        if (run > 1 && place != told && doubt == null)
        {
            doubt = (end - run) + " slots up to slot " + PackedLayout.index(place) +
                " are used, and it is not known by whom";
        }
    }

    private boolean isUsedFlag(final int slot)
    {
        return (flags[slot] & DescriptorLayout.USED) != 0;
    }
}
