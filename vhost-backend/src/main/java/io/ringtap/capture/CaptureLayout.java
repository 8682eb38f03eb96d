package io.ringtap.capture;

/**
 * A frame on its way from a worker to the recorder, in host byte order.
 * <pre>
 *   0        8          12      14          15        16
 *   | time   | length   | queue | direction | verdict | captured bytes of the frame ... |
 *   | 8, ns  | 4        | 2     | 1         | 1       |                                 |
 * </pre>
 * The time counts from 1970; the length is the whole frame's.
 */
final class CaptureLayout
{
    static final int TIME = 0;
    static final int LENGTH = 8;
    static final int QUEUE = 12;
    static final int DIRECTION = 14;
    static final int VERDICT = 15;
    static final int FRAME = 16;

    private CaptureLayout()
    {
    }
}
