package io.ringtap.it.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Small file work, with the checked exceptions turned into unchecked ones. */
public final class HostFiles
{
    private HostFiles()
    {
    }

    public static Path directories(final Path directory)
    {
        try
        {
            return Files.createDirectories(directory);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    public static String read(final Path file)
    {
        try
        {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        }
        catch (final NoSuchFileException ex)
        {
            return "";
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    public static void write(final Path file, final String text)
    {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    public static void write(final Path file, final byte[] content)
    {
        try
        {
            Files.write(file, content);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** The last lines of a log, for a failure message. */
    public static String tail(final Path file, final int lines)
    {
        final List<String> all = read(file).lines().toList();
        return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    }

    public static List<Path> list(final Path directory)
    {
        if (!Files.isDirectory(directory))
        {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory))
        {
            return entries.sorted().collect(Collectors.toList());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    public static void delete(final Path file)
    {
        try
        {
            if (null != file)
            {
                Files.deleteIfExists(file);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    public static void deleteTree(final Path directory)
    {
        if (!Files.exists(directory))
        {
            return;
        }
        try (Stream<Path> entries = Files.walk(directory))
        {
            entries.sorted(Comparator.reverseOrder()).forEach(HostFiles::delete);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
