package io.ringtap.frag;

/**
 * Hands out fragments of an arena: short-lived slots for frames. A fragment is named by its offset in the arena's
 * buffer and is at least 64-byte aligned.
 */
public interface FragAllocator
{
    /** No page is free: a value, not an exception, since it only means back-pressure. */
    int EXHAUSTED = -1;

    /**
     * @param length bytes, 1 to the arena's page size.
     * @return arena offset of the fragment, or {@link #EXHAUSTED}.
     */
    int allocate(int length);

    /** Gives one reference back; the page is recycled when its last one goes. */
    void release(int fragment);

    /** Adds a reference to the page that holds this fragment. */
    void retain(int fragment);
}
