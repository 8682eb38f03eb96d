package io.ringtap.frag;

/** How fragments are cut from pages: the choice of {@code --frag}, so that the difference can be measured. */
public enum FragStrategy
{
    /** One page for all queues, protected by a spin lock: the fewest pages in use. One allocator serves everybody. */
    SHARED("shared"),
    /** A page for each queue, no lock on allocation: every queue needs an allocator of its own. */
    PER_QUEUE("per-queue"),
    /** A whole page for every fragment: the yardstick. One allocator serves everybody. */
    FULL_PAGE("full-page");

    private final String label;

    FragStrategy(final String label)
    {
        this.label = label;
    }

    /** As it is written on the command line. */
    public String label()
    {
        return label;
    }

    /** An allocator over the arena; with {@link #PER_QUEUE} for one allocating thread only. */
    public FragAllocator create(final PageArena arena)
    {
        switch (this)
        {
            case SHARED:
                return new SharedFragAllocator(arena);
            case PER_QUEUE:
                return new PageFragAllocator(arena);
            default:
                return new FullPageAllocator(arena);
        }
    }

    /** The allocator of each queue: one for all, or one for each, as the strategy has it. */
    public FragAllocator[] create(final PageArena arena, final int queues)
    {
        final FragAllocator[] allocators = new FragAllocator[queues];
        for (int i = 0; i < queues; i++)
        {
            allocators[i] = i > 0 && PER_QUEUE != this ? allocators[0] : create(arena);
        }
        return allocators;
    }
}
