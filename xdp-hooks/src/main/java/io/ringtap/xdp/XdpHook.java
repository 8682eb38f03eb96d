package io.ringtap.xdp;

/** Judges frames of one direction; called by one worker thread at a time per queue, never allocates, never blocks. */
@FunctionalInterface
public interface XdpHook
{
    /**
     * @param frame the frame; valid during this call only.
     * @return one of {@link XdpVerdict}; any other number counts as ABORTED.
     */
    int onFrame(FrameView frame);
}
