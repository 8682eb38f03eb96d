package io.ringtap.it;

import io.ringtap.it.rig.Installation;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A persistent TAP, as a VM manager makes it, so that the host's side stays put whoever dies and comes back; and a
 * backend on it that is started as users start it.
 */
abstract class KeptTap
{
    /** SIGKILLs of a build, over all layouts; {@code -Dringtap.it.kills=400} makes them many. */
    static final int KILLS = Integer.getInteger("ringtap.it.kills", 20);

    private static final int MOST_NS = 80_000_000;

    Lab lab;
    Path socket;

    @BeforeEach
    void open()
    {
        Provision.kit();
        lab = Lab.open(getClass());
        socket = lab.socket("vhost.sock");
        lab.netns().addTap(Wire.TAP, false);
        Wire.raise(lab.netns());
        lab.netns().check("ip", "neigh", "replace", Wire.GUEST, "lladdr", QemuGuest.MAC, "dev", Wire.TAP);
    }

    @AfterEach
    void takeDown()
    {
        lab.close();
    }

    /** Starts a backend; returns when it listens. */
    final Ringtap serve()
    {
        return Ringtap.serve(lab, "ringtap", Installation.command(), socket, "--tap=" + Wire.TAP);
    }

    /** Lets a moment pass, a different one each time. */
    static void pause(final Random random)
    {
        LockSupport.parkNanos(random.nextInt(MOST_NS));
    }
}
