package io.ringtap.capture;

import java.nio.file.Path;

/**
 * What is to be recorded, and where.
 *
 * @param file       pcapng file; with more than one file, the first one's name, and later ones get a number.
 * @param snapLength most bytes of a frame that are kept: {@link #MIN_SNAP_LENGTH} to {@link #MAX_SNAP_LENGTH}.
 * @param fileBytes  a file is closed when it is this long; {@link #UNLIMITED} for never.
 * @param files      the oldest file is deleted when there would be more; {@link #UNLIMITED} to keep all.
 * @param directions bits of {@link #FROM_GUEST} and {@link #TO_GUEST}.
 * @param filter     what is recorded; null for everything. Of one recording at a time.
 */
public record CaptureOptions(Path file, int snapLength, long fileBytes, int files, int directions, FrameFilter filter)
{
    public static final int MIN_SNAP_LENGTH = 14;
    /** Longer than any frame. */
    public static final int MAX_SNAP_LENGTH = 65_550;
    public static final int UNLIMITED = 0;
    public static final int MIN_FILE_MIB = 1;
    public static final int MAX_FILE_MIB = 1 << 20;
    public static final int MAX_FILES = 10_000;
    public static final int FROM_GUEST = 1;
    public static final int TO_GUEST = 2;

    /** What a filter may want to see of a frame, however little of it is kept: headers with all their options. */
    private static final int LOOKED_AT = 256;

    /** Without a filter. */
    public CaptureOptions(
        final Path file, final int snapLength, final long fileBytes, final int files, final int directions)
    {
        this(file, snapLength, fileBytes, files, directions, null);
    }

    /** Bytes of a frame that are handed to the recorder. */
    int handedLength()
    {
        return null == filter ? snapLength : Math.max(LOOKED_AT, snapLength);
    }

    /** Everything, into one file that grows as it must. */
    public static CaptureOptions everything(final Path file)
    {
        return new CaptureOptions(file, MAX_SNAP_LENGTH, UNLIMITED, UNLIMITED, FROM_GUEST | TO_GUEST);
    }
}
