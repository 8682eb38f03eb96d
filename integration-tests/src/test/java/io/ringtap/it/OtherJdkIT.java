package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The same jar on every other Java that this machine has, from 17 on. */
class OtherJdkIT
{
    private static final int OLDEST = 17;

    @Test
    void shouldServeGuestOnEveryOtherJava()
    {
        Provision.kit();
        final List<Map.Entry<Integer, Path>> others = Jdks.all().entrySet().stream()
            .filter(entry -> entry.getKey() >= OLDEST && entry.getKey() != Runtime.version().feature()).toList();
        if (others.isEmpty())
        {
            Progress.say("no other Java beside " + Runtime.version() + " here; nothing to run on it");
        }
        others.forEach(entry -> serve(entry.getKey(), entry.getValue()));
    }

    private static void serve(final int version, final Path home)
    {
        Progress.say("serving a guest on Java " + version);
        try (Lab lab = Lab.open(OtherJdkIT.class))
        {
            final Path socket = lab.socket("vhost.sock");
            final Ringtap backend = Ringtap.serve(lab, "ringtap-" + version, home, socket, "--tap=" + Wire.TAP);
            Wire.raise(lab.netns());
            final QemuGuest guest = QemuGuest.plan().vhostUser(socket).boot(lab, "guest");
            guest.check("up " + Wire.GUEST_ADDRESS);
            final Wire wire = new Wire(lab, guest);

            wire.ping();

            assertTrue(wire.streamToHost());
            assertTrue(wire.streamToGuest());
            guest.close();
            assertEquals(0, backend.terminate());
            assertEquals("", warnings(backend), "a quiet start");
        }
    }

    private static String warnings(final Ringtap backend)
    {
        return String.join("\n", backend.process().output().lines()
            .filter(line -> line.startsWith("WARNING") || line.contains("warning:")).toList());
    }
}
