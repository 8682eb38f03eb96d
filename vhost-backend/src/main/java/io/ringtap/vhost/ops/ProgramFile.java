package io.ringtap.vhost.ops;

import io.ringtap.xdp.bpf.elf.BpfObject;
import io.ringtap.xdp.bpf.elf.ObjectException;
import io.ringtap.xdp.bpf.elf.ProgramReference;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * An object file and what of it is wanted: {@code OBJ[:PROG]}, first values of its variables and sizes of its maps.
 *
 * @param path     the file.
 * @param program  a function in it; null for the only one.
 * @param settings values of variables by name, set before the object is loaded.
 * @param entries  entries of maps by name.
 */
public record ProgramFile(Path path, String program, Map<String, String> settings, Map<String, Integer> entries)
{
    /** No XDP object comes near it; the loader's own limit. */
    private static final int MAX_LENGTH = 16 * 1024 * 1024;

    /** Keeps copies. */
    public ProgramFile
    {
        settings = Map.copyOf(settings);
        entries = Map.copyOf(entries);
    }

    /** Of {@code OBJ[:PROG]}: a colon belongs to the path when a file of the whole name exists. */
    public static ProgramFile of(final String text)
    {
        final ProgramReference reference = ProgramReference.parse(text);
        return new ProgramFile(reference.file(), reference.program(), Map.of(), Map.of());
    }

    /** Its bytes. */
    byte[] read()
    {
        try (InputStream in = Files.newInputStream(path))
        {
            final byte[] bytes = in.readNBytes(MAX_LENGTH + 1);
            if (bytes.length > MAX_LENGTH)
            {
                throw new ObjectException(path + ": longer than " + MAX_LENGTH + " bytes, so it is no object of ours");
            }
            return bytes;
        }
        catch (final IOException failure)
        {
            throw new ObjectException(path + ": cannot be read (" + reason(failure) + ")");
        }
    }

    /** The object in these bytes, with its settings. */
    BpfObject parse(final byte[] bytes)
    {
        final BpfObject object = BpfObject.read(bytes, String.valueOf(path.getFileName()));
        settings.forEach(object::set);
        entries.forEach(object::maxEntries);
        return object;
    }

    /** The same for objects that may share their maps: of the same bytes, with the same settings. */
    String identity(final byte[] bytes)
    {
        try
        {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)) + settings + entries;
        }
        catch (final NoSuchAlgorithmException impossible)
        {
            throw new IllegalStateException(impossible);
        }
    }

    private static String reason(final IOException failure)
    {
        return failure instanceof java.nio.file.NoSuchFileException ? "there is no such file" : failure.toString();
    }
}
