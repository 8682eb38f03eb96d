package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.ProcessView;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * SIGKILL on either side, over and over, under a flood of echoes: the one that lives on must lose nothing, and the one
 * that comes back must be answered.
 */
class CrashIT extends KeptTap
{
    private static final int CYCLES = 10;
    /** QEMU connects again every 100 ms, or every second before version 9.2. */
    private static final long GOAL_MS = 1000;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String GUEST_MEMORY = "memfd:memory-backend-memfd";

    @Test
    void shouldServeGuestAfterGuestWhenQemuIsKilled()
    {
        final Ringtap backend = serve();
        final ProcessView view = backend.view();
        List<String> descriptors = null;
        final List<Long> outages = new ArrayList<>();
        // Gentle, because all that is sent while a guest boots waits for it in the TAP's queue.
        final HostProcess flood = flood("0.02");
        for (int cycle = 0; cycle < CYCLES; cycle++)
        {
            final QemuGuest guest = QemuGuest.plan().vhostUser(socket).boot(lab, "guest");
            guest.check("up " + Wire.GUEST_ADDRESS);
            outages.add(awaitEchoMs());
            assertTrue(view.mappings(GUEST_MEMORY) > 0, "the guest's memory is mapped");

            guest.kill();

            Await.until(() -> "the backend to let go of the guest's memory", LIMIT,
                () -> 0 == view.mappings(GUEST_MEMORY));
            // The first guest may have loaded what stays for good.
            if (null == descriptors)
            {
                descriptors = settledDescriptors(view);
            }
            else
            {
                assertEquals(descriptors, settledDescriptors(view), "descriptors after cycle " + cycle);
            }
        }
        Progress.say("ms from a new guest's address to its first echo: " + outages);
        assertTrue(flood.isAlive());
        assertEquals(0, backend.terminate());
    }

    @Test
    void shouldBringTrafficBackWhenBackendIsKilled()
    {
        Ringtap backend = serve();
        final QemuGuest guest = QemuGuest.plan().vhostUser(socket).boot(lab, "guest");
        guest.check("up " + Wire.GUEST_ADDRESS);
        new Wire(lab, guest).ping();
        flood("0.005");
        final ProcessView qemu = new ProcessView(guest.process().pid());
        final OutageTimes outages = new OutageTimes(GOAL_MS);
        List<String> descriptors = null;
        for (int cycle = 0; cycle < CYCLES; cycle++)
        {
            final long killedNs = System.nanoTime();
            backend.kill();
            backend = serve();
            awaitEchoMs();
            outages.add(System.nanoTime() - killedNs);
            if (1 == cycle)
            {
                descriptors = qemu.descriptors();
            }
        }
        Progress.say("from SIGKILL of the backend to an echo, one request a second: " + outages);
        assertEquals(descriptors, qemu.descriptors(), "QEMU's descriptors");
        new Wire(lab, guest).ping();
        assertTrue(new Wire(lab, guest).streamToHost());
        assertTrue(new Wire(lab, guest).streamToGuest());
    }

    @Test
    void shouldComeBackToGuestThatListens()
    {
        final Ringtap first = Ringtap.connect(lab, "ringtap", socket, "--tap=" + Wire.TAP);
        final QemuGuest guest = QemuGuest.plan().vhostUser(socket, ",server=on").boot(lab, "guest");
        guest.check("up " + Wire.GUEST_ADDRESS);
        new Wire(lab, guest).ping();

        first.kill();
        final Ringtap second = Ringtap.connect(lab, "ringtap", socket, "--tap=" + Wire.TAP);

        Progress.say("ms to the first echo where QEMU listens and the backend is started again: " + awaitEchoMs());
        new Wire(lab, guest).ping();
        assertEquals(0, second.terminate());
    }

    private HostProcess flood(final String interval)
    {
        return lab.start("flood", "ping", "-q", "-i", interval, Wire.GUEST);
    }

    /** One echo request after another until one is answered. */
    private long awaitEchoMs()
    {
        final long startNs = System.nanoTime();
        Await.until("an echo", LIMIT,
            () -> lab.netns().run("ping", "-q", "-c", "1", "-W", "1", Wire.GUEST).isSuccess());
        return (System.nanoTime() - startNs) / 1_000_000;
    }

    private static List<String> settledDescriptors(final ProcessView view)
    {
        Await.settled(Duration.ofMillis(500), LIMIT, () -> (long)view.descriptors().size());
        return view.descriptors();
    }
}
