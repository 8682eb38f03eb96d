package io.ringtap.xdp.bpf.map;

import org.agrona.DirectBuffer;

/** Takes records of a RINGBUF or of perf events. */
@FunctionalInterface
public interface RecordHandler
{
    /**
     * One record, whose bytes are good during the call.
     *
     * @param index the queue of a perf event; 0 for records of a RINGBUF.
     */
    void onRecord(int index, DirectBuffer buffer, int offset, int length);
}
