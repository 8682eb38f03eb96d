package io.ringtap.vhost.guest;

import io.ringtap.sys.Fd;
import io.ringtap.sys.MemFd;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A core dump of the process holds nothing of a guest's memory (the "dd" of VmFlags: do not dump). */
class CoreDumpTest
{
    private static final long SIZE = 4L << 20;

    @Test
    void shouldLeaveOutEveryRegion() throws IOException
    {
        final List<RegionRequest> requests = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            final Fd fd = MemFd.create("rt-core-dump", SIZE);
            requests.add(new RegionRequest(i * 2 * SIZE, SIZE / 2, 0x7f00_0000_0000L + i * 2 * SIZE, SIZE / 4, fd));
        }
        try (GuestMemory memory = GuestMemory.map(requests))
        {
            final List<String> flags = flags("/memfd:rt-core-dump");
            assertEquals(memory.regionCount(), flags.size());
            for (final String each : flags)
            {
                assertTrue(each.contains(" dd"), each);
            }
        }
        assertEquals(List.of(), flags("/memfd:rt-core-dump"));
    }

    /** The flags of every mapping of a file. */
    private static List<String> flags(final String file) throws IOException
    {
        final List<String> flags = new ArrayList<>();
        boolean isOurs = false;
        for (final String line : Files.readAllLines(Path.of("/proc/self/smaps")))
        {
            isOurs = line.matches("^[0-9a-f]+-[0-9a-f]+ .*") ? line.contains(file) : isOurs;
            if (isOurs && line.startsWith("VmFlags:"))
            {
                flags.add(line);
            }
        }
        return flags;
    }
}
