package io.ringtap.frag;

/**
 * Hands out fragments of an arena: short-lived slots for frames. A fragment is named by its offset in the arena's
 * buffer and is 64-byte aligned.
 * <p>
 * A fragment is <b>not</b> cleared: it holds what its last user left, perhaps a frame of another guest. Whoever takes
 * one writes the bytes first and hands on no more than it wrote: the length travels with the offset, always, and
 * nothing between a frame's end and its slot's end is ever read (docs: threat model). Clearing 2 KiB a frame would cost
 * more than the frame.
 * <p>
 * Any thread may release or retain, to any allocator over the same arena. Who may allocate is the strategy's business:
 * see {@link FragStrategy}.
 */
public interface FragAllocator extends AutoCloseable
{
    /** No page is free: a value, not an exception, since it only means back-pressure. */
    int EXHAUSTED = -1;

    /**
     * @param length bytes, at least 1; more than a page is served by a run of pages of its own.
     * @return arena offset of the fragment, or {@link #EXHAUSTED}.
     */
    int allocate(int length);

    /**
     * Allocates many of one length, with the price of one lock.
     *
     * @param into takes the offsets from index 0 on.
     * @return how many there were, {@code count} or fewer.
     */
    int allocate(int length, int count, int[] into);

    /** Gives one reference back; the page is recycled when its last one goes. */
    void release(int fragment);

    /** Gives one reference back for each of the first {@code count} fragments; cheapest in the order of allocation. */
    void release(int[] fragments, int count);

    /** Adds a reference to the page that holds this fragment. */
    void retain(int fragment);

    /** Adds a reference for each of the first {@code count} fragments; any address inside one names it as well. */
    void retain(int[] fragments, int count);

    /** Lets go of what the allocator keeps for fragments yet to come; fragments that are out stay valid. */
    @Override
    void close();
}
