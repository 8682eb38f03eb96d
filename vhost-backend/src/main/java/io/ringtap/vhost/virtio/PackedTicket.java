package io.ringtap.vhost.virtio;

/** What is remembered of a chain of a packed ring until it is returned: its id and how many slots it takes. */
final class PackedTicket
{
    private static final int SLOTS_SHIFT = 16;
    private static final int ID_MASK = 0xffff;

    private PackedTicket()
    {
    }

    static long of(final int id, final int slots)
    {
        return id | (long)slots << SLOTS_SHIFT;
    }

    static int id(final long ticket)
    {
        return (int)ticket & ID_MASK;
    }

    static int slots(final long ticket)
    {
        return (int)(ticket >>> SLOTS_SHIFT);
    }
}
