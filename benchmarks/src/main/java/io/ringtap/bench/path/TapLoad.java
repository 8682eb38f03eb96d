package io.ringtap.bench.path;

import io.ringtap.bench.harness.Bed;
import io.ringtap.it.rig.HostProcess;

/** Frames that the host sends out of a TAP as fast as it can, while a side is measured. */
public final class TapLoad
{
    private final Bed bed;
    private final String tap;
    private final int length;
    private final int flows;
    private HostProcess process;

    public TapLoad(final Bed bed, final String tap, final int length, final int flows)
    {
        this.bed = bed;
        this.tap = tap;
        this.length = length;
        this.flows = flows;
    }

    public void start()
    {
        process = bed.startPinned("tapload", bed.settings().frontCpu(), bed.program("tapload"), tap,
            Integer.toString(length), Integer.toString(flows));
    }

    public void stop()
    {
        if (null != process)
        {
            process.kill();
            process.close();
            process = null;
        }
    }
}
