package io.ringtap.frontend;

import io.ringtap.counters.CounterLabel;

/** What a sink found in the frames of a generator. */
public enum SinkCounter implements CounterLabel
{
    FRAMES("sink_frames", "Test frames taken, a super-frame as one."),
    PACKETS("sink_packets", "Test packets taken, each segment of a super-frame."),
    BYTES("sink_bytes", "Bytes of test frames."),
    SKIPPED("sink_skipped", "Numbers that were passed over when a later one came."),
    LATE("sink_late", "Packets that came after a later one of their flow: reordered."),
    DUPLICATES("sink_duplicates", "Packets that came twice."),
    STALE("sink_stale", "Packets too far behind to tell late from twice."),
    ALTERED("sink_altered", "Packets whose bytes are not those that were sent."),
    BAD_CHECKSUM("sink_bad_checksum", "Packets whose IP or transport checksum is wrong."),
    UNFINISHED("sink_unfinished", "Packets with a checksum that is only begun, as the header says."),
    RESTARTS("sink_restarts", "Flows that began anew."),
    FOREIGN("sink_foreign", "Frames that no generator made.");

    private final String label;
    private final String meaning;

    SinkCounter(final String label, final String meaning)
    {
        this.label = label;
        this.meaning = meaning;
    }

    @Override
    public String label()
    {
        return label;
    }

    @Override
    public String meaning()
    {
        return meaning;
    }
}
