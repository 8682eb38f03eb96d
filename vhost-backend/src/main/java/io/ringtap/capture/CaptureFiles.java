package io.ringtap.capture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** The files of a recording: one, or a ring of them in which the oldest makes room. */
final class CaptureFiles
{
    private static final String SUFFIX = ".pcapng";

    private final CaptureOptions options;
    private final Deque<Path> kept = new ArrayDeque<>();
    private int number;

    CaptureFiles(final CaptureOptions options)
    {
        this.options = options;
    }

    /** Whether a file of this length has to be followed by the next. */
    boolean isFull(final long length)
    {
        return options.fileBytes() != CaptureOptions.UNLIMITED && length >= options.fileBytes();
    }

    /** Makes the next file; deletes the oldest when there are too many. */
    CaptureFile next()
    {
        final CaptureFile file = new CaptureFile(path());
        number++;
        kept.addLast(file.path());
        if (options.files() != CaptureOptions.UNLIMITED && kept.size() > options.files())
        {
            delete(kept.removeFirst());
        }
        return file;
    }

    /** {@code name.pcapng}, then {@code name.000001.pcapng} and so on. */
    private Path path()
    {
        final Path first = options.file();
        if (number == 0)
        {
            return first;
        }
        final String name = first.getFileName().toString();
        final boolean hasSuffix = name.endsWith(SUFFIX);
        final String stem = hasSuffix ? name.substring(0, name.length() - SUFFIX.length()) : name;
        return first.resolveSibling(String.format("%s.%06d%s", stem, number, hasSuffix ? SUFFIX : ""));
    }

    private static void delete(final Path path)
    {
        try
        {
            Files.deleteIfExists(path);
        }
        catch (final IOException ex)
        {
            throw new CaptureException(path.toString(), "is the oldest file and cannot be deleted: " + ex,
                "let the directory be written", ex);
        }
    }
}
