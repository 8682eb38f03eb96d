package io.ringtap.xdp.bpf.elf;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** How people name programs. */
class ProgramReferenceTest
{
    @ParameterizedTest
    @CsvSource({
        "filter.o,filter.o,",
        "filter.o:drop,filter.o,drop",
        "/a/b.o:drop_1,/a/b.o,drop_1",
        "a:b/filter.o,a:b/filter.o,",
        "a:b.o:drop,a:b.o,drop",
        "filter.o:,filter.o:,",
        ":drop,:drop,"})
    void shouldTakeNamesApart(final String text, final String file, final String program)
    {
        assertEquals(new ProgramReference(Path.of(file), program), ProgramReference.parse(text));
    }

    @Test
    void shouldPreferFilesThatAreThere(@TempDir final Path folder) throws IOException
    {
        final Path file = Files.createFile(folder.resolve("filter.o:drop"));
        assertEquals(new ProgramReference(file, null), ProgramReference.parse(file.toString()));
    }
}
