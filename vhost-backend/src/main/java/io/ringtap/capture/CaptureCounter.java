package io.ringtap.capture;

import io.ringtap.counters.CounterLabel;

/** What a worker counts while its frames are recorded. */
public enum CaptureCounter implements CounterLabel
{
    /** Frames handed to the recorder. */
    CAPTURED("captured", "frames handed to the recorder"),
    /** Frames that found no room in the ring to the recorder. */
    MISSED("missed", "frames not recorded because the recorder was behind");

    private final String label;
    private final String meaning;

    CaptureCounter(final String label, final String meaning)
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
