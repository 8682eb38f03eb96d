package io.ringtap;

/** How a NIC of a process is. */
public enum PortState
{
    /** Its socket is there and its workers run. */
    SERVING,
    /** It could not start; it is tried again. */
    FAILED,
    /** Its inherited front-end is gone, and no other can come. */
    ENDED
}
