package io.ringtap.architecture;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The clock that people and NTP set jumps: it is looked at for times that are shown, and nothing waits by it. */
class ClockTest
{
    private static final Pattern WALL = Pattern.compile(
        "currentTimeMillis|Instant\\.now|Date\\(\\)|LocalDateTime|Clock\\.system|EpochClock\\b|EpochNanoClock\\(");

    /** Times of recorded and of followed frames. */
    private static final Set<String> SHOWN =
        Set.of("CaptureQueue.java", "CaptureRecorder.java", "FrameTrace.java");

    @Test
    void shouldLookAtTheWallClockForTimesThatAreShownOnly() throws IOException
    {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("docs")))
        {
            root = root.getParent();
        }
        final Set<String> found = new TreeSet<>();
        for (final String module : List.of("tap-io", "xdp-hooks", "vhost-backend"))
        {
            try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/main/java")))
            {
                for (final Path file : files.filter((each) -> each.toString().endsWith(".java")).toList())
                {
                    if (WALL.matcher(Files.readString(file)).find())
                    {
                        found.add(file.getFileName().toString());
                    }
                }
            }
        }
        assertEquals(new TreeSet<>(SHOWN), found);
    }
}
