package io.ringtap.service;

import io.ringtap.sys.Fd;
import io.ringtap.sys.Sockets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sockets that a supervisor opened, found by the paths they are bound to. */
class InheritedSocketsTest
{
    private static final long PID = ProcessHandle.current().pid();

    @TempDir
    private Path folder;

    private Path path;
    private Fd listener;

    @BeforeEach
    void open()
    {
        path = folder.resolve("vm.sock");
        listener = Sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_STREAM, 0);
        Sockets.bindUnix(listener.number(), path.toString());
        Sockets.listen(listener.number(), 1);
    }

    @AfterEach
    void close()
    {
        listener.close();
    }

    @Test
    void shouldGiveADuplicateEachTime()
    {
        final InheritedSockets sockets = inherited("1");
        assertTrue(sockets.has(path.toString()));
        assertEquals(Set.of(path), sockets.unused());
        for (int i = 0; i < 2; i++)
        {
            try (Fd taken = Fd.of(sockets.take(path.toString())))
            {
                assertNotEquals(listener.number(), taken.number());
                assertEquals(path.toString(), Sockets.boundPath(taken.number()));
            }
        }
        assertEquals(Set.of(), sockets.unused());
    }

    @Test
    void shouldFindTheFileByAnotherName() throws IOException
    {
        final Path link = Files.createSymbolicLink(folder.resolve("run"), folder);
        assertTrue(inherited("1").has(link.resolve("vm.sock").toString()));
    }

    @Test
    void shouldNotKnowOtherPaths()
    {
        final InheritedSockets sockets = inherited("1");
        assertFalse(sockets.has(folder.resolve("other").toString()));
        assertEquals(-1, sockets.take(folder.resolve("other").toString()));
        assertEquals(Set.of(path), sockets.unused());
    }

    /** The next descriptors are closed, or files, pipes and sockets of this JVM; other tests may have bound one. */
    @Test
    void shouldPassOverWhatIsNoUnixSocketWithAPath()
    {
        final InheritedSockets sockets = inherited("64");
        assertTrue(sockets.has(path.toString()));
        assertTrue(sockets.unused().stream().allMatch(Path::isAbsolute), () -> sockets.unused().toString());
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "all", "99999"})
    void shouldTakeNothingForACountThatIsNone(final String count)
    {
        assertEquals(Set.of(), inherited(count).unused());
    }

    @Test
    void shouldTakeNothingThatIsForAnotherProcess()
    {
        final Map<String, String> environment = Map.of("LISTEN_PID", "1", "LISTEN_FDS", "1");
        assertEquals(Set.of(), InheritedSockets.of(environment, PID, listener.number()).unused());
        assertEquals(Set.of(), InheritedSockets.of(Map.of(), PID, listener.number()).unused());
    }

    private InheritedSockets inherited(final String count)
    {
        return InheritedSockets.of(
            Map.of("LISTEN_PID", Long.toString(PID), "LISTEN_FDS", count), PID, listener.number());
    }
}
