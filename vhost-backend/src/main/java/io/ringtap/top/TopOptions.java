package io.ringtap.top;

/**
 * How the live view is to be shown.
 *
 * @param interval seconds between two questions.
 * @param count    questions after which it ends.
 * @param isPlain  lines instead of pictures.
 * @param isAscii  no characters beyond ASCII.
 */
public record TopOptions(double interval, long count, boolean isPlain, boolean isAscii)
{
    public static final double MIN_INTERVAL = 0.1;
    public static final double MAX_INTERVAL = 3600;

    Glyphs glyphs()
    {
        return isAscii ? Glyphs.ASCII : Glyphs.UNICODE;
    }
}
