package io.ringtap.xdp.bpf.elf;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A program as people name it: {@code filter.o}, or {@code filter.o:xdp_drop} where the object has several.
 *
 * @param program null for the only one.
 */
public record ProgramReference(Path file, String program)
{
    /** Takes a name apart at its last colon, unless there is a file of the whole name. */
    public static ProgramReference parse(final String text)
    {
        final int colon = text.lastIndexOf(':');
        if (colon < 1 || !text.substring(colon + 1).matches("[A-Za-z_][A-Za-z0-9_.]*") || Files.exists(Path.of(text)))
        {
            return new ProgramReference(Path.of(text), null);
        }
        return new ProgramReference(Path.of(text.substring(0, colon)), text.substring(colon + 1));
    }
}
