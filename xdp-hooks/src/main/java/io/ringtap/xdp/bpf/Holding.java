package io.ringtap.xdp.bpf;

import org.agrona.concurrent.UnsafeBuffer;

/** What a program can hold during its run, and must not take with it: a lock, a record that is not finished. */
public interface Holding
{
    /** The run is over, however it ended, and the program did not give this back. */
    void release(UnsafeBuffer memory, int index);
}
