package io.ringtap.it.rig;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Writes the "newc" archive that a Linux kernel unpacks as its first file system. Everything belongs to root.
 * <pre>
 *   070701 | 13 fields of 8 hex digits | name, NUL, padded to 4 | data, padded to 4
 * </pre>
 */
final class CpioArchive implements AutoCloseable
{
    private static final int DIRECTORY = 0040755;
    private static final int PROGRAM = 0100755;
    private static final int SYMLINK = 0120777;
    private static final int HEADER_LENGTH = 110;

    private final OutputStream out;
    private final Set<String> names = new HashSet<>();
    private int inode;

    CpioArchive(final Path file) throws IOException
    {
        this.out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
    }

    /** Adds a directory with its parents; one that is there already is not written twice. */
    void directory(final String name) throws IOException
    {
        final int slash = name.lastIndexOf('/');
        if (slash > 0)
        {
            directory(name.substring(0, slash));
        }
        if (names.add(name))
        {
            entry(name, DIRECTORY, new byte[0]);
        }
    }

    void file(final String name, final byte[] content) throws IOException
    {
        parentOf(name);
        if (names.add(name))
        {
            entry(name, PROGRAM, content);
        }
    }

    void symlink(final String name, final String target) throws IOException
    {
        parentOf(name);
        if (names.add(name))
        {
            entry(name, SYMLINK, target.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() throws IOException
    {
        entry("TRAILER!!!", 0, new byte[0]);
        out.close();
    }

    private void parentOf(final String name) throws IOException
    {
        final int slash = name.lastIndexOf('/');
        if (slash > 0)
        {
            directory(name.substring(0, slash));
        }
    }

    private void entry(final String name, final int mode, final byte[] content) throws IOException
    {
        final byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        inode++;
        out.write(String.format(Locale.ROOT, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X",
            inode, mode, 0, 0, 1, 0, content.length, 0, 0, 0, 0, nameBytes.length + 1, 0)
            .getBytes(StandardCharsets.US_ASCII));
        out.write(nameBytes);
        out.write(0);
        pad(HEADER_LENGTH + nameBytes.length + 1);
        out.write(content);
        pad(content.length);
    }

    private void pad(final int written) throws IOException
    {
        for (int i = written; 0 != (i & 3); i++)
        {
            out.write(0);
        }
    }
}
