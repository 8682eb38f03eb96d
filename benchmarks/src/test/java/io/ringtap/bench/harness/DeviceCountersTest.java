package io.ringtap.bench.harness;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Packets inside super-frames are told from frames. */
class DeviceCountersTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldCountPacketsInsideSuperFrames() throws Exception
    {
        // One frame of 42 + 22 bytes, and a super-frame of 64 such packets.
        final Path file = Files.writeString(directory.resolve("dev"),
            "Inter-|   Receive\n face |bytes    packets errs drop\n" +
            "    lo:       0       0    0    0    0     0          0         0        0       0    0    0    0\n" +
            "tap0: " + (42 + 22 + 42 + 64 * 22) + "       2    0    0    0     0          0         0        5\n");
        final DeviceCounters counters = new DeviceCounters(file, "tap0");

        assertEquals(2, counters.receivedPackets());
        assertEquals(65, counters.segments(42, 22));
    }
}
