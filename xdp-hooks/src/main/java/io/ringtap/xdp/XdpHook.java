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
     * Whether the hook may write to frames or move their ends. Then frames come to it as they would be on the wire:
     * super-frames cut, checksums complete. A hook that only looks says false, and costs nothing but its look; should
     * it move a frame's ends all the same, nobody follows it.
     */
    default boolean changesFrames()
    {
        return true;
    }

    /**
     * Whether the hook wants to see frames whole. Else of a long one only the first part may lie before it, with
     * {@link FrameView#totalLength()} to tell.
     */
    default boolean needsWholeFrames()
    {
        return false;
    }

    /**
     * Judges the frames of a batch whose verdict so far is {@link XdpVerdict#PASS}; hooks override it to keep the loop
     * in their own code.
     *
     * @param frames   of one queue and direction, valid during this call only.
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
