package io.ringtap;

/** Who runs the workers of many NICs. */
public enum WorkerMode
{
    /** Each worker has a thread of its own. */
    DEDICATED,
    /** A few threads run all workers. */
    SHARED
}
