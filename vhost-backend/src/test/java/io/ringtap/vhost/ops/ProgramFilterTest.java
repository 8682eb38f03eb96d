package io.ringtap.vhost.ops;

import io.ringtap.xdp.bpf.elf.ObjectException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Programs that say what is recorded. */
class ProgramFilterTest
{
    private static final int OFFSET = 100;

    private final UnsafeBuffer ring = new UnsafeBuffer(new byte[80_000]);
    @TempDir
    private Path folder;
    private Path object;

    @BeforeEach
    void copy() throws IOException
    {
        object = folder.resolve("steer.o");
        try (InputStream in = ProgramFilterTest.class.getResourceAsStream("/xdp/steer.o"))
        {
            Files.copy(in, object);
        }
    }

    private ProgramFilter load(final String program)
    {
        return ProgramFilter.load(ProgramFile.of(object + ":" + program), 7);
    }

    @Test
    void shouldWantWhatTheProgramPassesOfAnyLength()
    {
        final ProgramFilter filter = load("gate");
        assertTrue(filter.wants(ring, OFFSET, 60, 60, 0, 0));
        assertTrue(filter.wants(ring, OFFSET, 1000, 1000, 1, 63));
        assertFalse(filter.wants(ring, OFFSET, 1001, 1001, 0, 0));
        assertFalse(filter.wants(ring, OFFSET, 65_000, 65_000, 0, 0));
        assertTrue(filter.wants(ring, OFFSET, 256, 65_550, 0, 0), "it sees what is there of a frame");
    }

    @Test
    void shouldNotLetAProgramChangeWhatIsRecorded()
    {
        final ProgramFilter filter = load("mark");
        for (int i = 0; i < 3; i++)
        {
            assertTrue(filter.wants(ring, OFFSET, 60, 60, 0, 0));
        }
        for (int i = 0; i < ring.capacity(); i++)
        {
            assertEquals(0, ring.getByte(i));
        }
        assertFalse(filter.wants(ring, OFFSET, 13, 13, 0, 0), "aborted");
    }

    @Test
    void shouldNotWantWhatAProgramFailsOn()
    {
        assertFalse(load("stray").wants(ring, OFFSET, 60, 60, 0, 0));
    }

    @Test
    void shouldRefuseWhatCannotBeLoaded()
    {
        assertTrue(assertThrows(ObjectException.class, () -> load("none")).getMessage().contains("none"));
        assertThrows(ObjectException.class, () -> ProgramFilter.load(ProgramFile.of(object.toString()), 7));
        assertThrows(ObjectException.class, () ->
            ProgramFilter.load(ProgramFile.of(folder.resolve("missing.o").toString()), 7));
    }
}
