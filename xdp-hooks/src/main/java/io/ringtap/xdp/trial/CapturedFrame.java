package io.ringtap.xdp.trial;

/**
 * A frame from a capture file.
 *
 * @param timeNs         when it was seen, since 1970.
 * @param bytes          what was captured of it.
 * @param originalLength bytes that it had.
 */
public record CapturedFrame(long timeNs, byte[] bytes, int originalLength)
{
    /** Whether all of it was captured. */
    public boolean isWhole()
    {
        return bytes.length == originalLength;
    }
}
