package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.Settings;
import io.ringtap.it.rig.Shell;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The first thing that a newcomer runs. */
class DemoIT
{
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @BeforeAll
    static void provide()
    {
        Provision.root();
    }

    @Test
    void shouldShowTheBackendAtWorkAndLeaveNothingBehind()
    {
        final Path launcher = Settings.root().resolve("ringtap");
        final boolean hadTap = hasTap();

        final Shell.Result result = Shell.run(LIMIT, Map.of(), List.of(launcher.toString(), "demo", "--seconds=1"));

        assertEquals(0, result.exitCode(), result.output());
        assertTrue(result.output().contains("intact and in order: yes"), result.output());
        assertTrue(result.output().contains("guest -> host, 64 B frames"), result.output());
        assertTrue(result.output().contains("host -> guest, 1514 B frames"), result.output());
        assertEquals(hadTap, hasTap());
    }

    /** The demonstration's TAP, as the host itself sees it. */
    private static boolean hasTap()
    {
        return Shell.run("ip", "link", "show", "dev", "tap0").isSuccess();
    }
}
