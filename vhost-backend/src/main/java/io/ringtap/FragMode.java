package io.ringtap;

/** How the queues share the pages that frames are copied into. */
public enum FragMode
{
    /** One page set for every queue under a spin lock: the least memory. */
    SHARED,
    /** A page of its own for each queue: no lock, more memory. */
    PER_QUEUE,
    /** A full page a frame: what page fragments are measured against. */
    FULL_PAGE
}
