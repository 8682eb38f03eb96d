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

    /**
     * Judges the frames of a batch whose verdict so far is {@link XdpVerdict#PASS}; hooks override it to keep the loop
     * in their own code.
     *
     * @param frames   valid during this call only.
     * @param count    how many there are.
     * @param verdicts by frame; those of frames that were judged are overwritten, with what {@link #onFrame} returns.
     */
    default void onBatch(final FrameView[] frames, final int count, final int[] verdicts)
    {
        for (int i = 0; i < count; i++)
        {
            if (XdpVerdict.PASS == verdicts[i])
            {
                verdicts[i] = onFrame(frames[i]);
            }
        }
    }
}
