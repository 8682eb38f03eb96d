package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.ProcessView;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A connected guest that says nothing: the backend must sleep. Counted in wake-ups; a busy machine adds none. */
class IdleIT
{
    private static final Duration SETTLE = Duration.ofSeconds(3);
    private static final int SECONDS = 10;
    private static final int QUEUE_PAIRS = 2;
    /** The threads that serve, each at most once a second. */
    private static final String SERVING = "^(queue-pair|session)";
    private static final int SERVING_THREADS = QUEUE_PAIRS + 1;
    /** All threads of the process, with what a Java virtual machine does of its own accord. */
    private static final int WAKE_UPS_PER_SECOND = 20;

    @Test
    void shouldSleepWhileGuestIsSilent()
    {
        Provision.kit();
        try (Lab lab = Lab.open(IdleIT.class))
        {
            final Path socket = lab.socket("vhost.sock");
            final Ringtap backend = Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP,
                "--queues=" + QUEUE_PAIRS);
            Wire.raise(lab.netns());
            final QemuGuest guest = QemuGuest.plan().queues(QUEUE_PAIRS).vhostUser(socket).boot(lab, "guest");
            guest.check("up " + Wire.GUEST_ADDRESS);
            new Wire(lab, guest).ping();
            Await.pause(SETTLE);

            final ProcessView view = backend.view();
            final long serving = view.voluntarySwitches(SERVING);
            final long switches = view.voluntarySwitches(".*");
            final long processorMs = view.processorTimeMs();
            Await.pause(Duration.ofSeconds(SECONDS));
            final double served = (view.voluntarySwitches(SERVING) - serving) / (double)SECONDS;
            final double wakeUps = (view.voluntarySwitches(".*") - switches) / (double)SECONDS;
            final double percent = (view.processorTimeMs() - processorMs) / (10.0 * SECONDS);

            Progress.say(String.format("idle with a connected guest of %d queue pairs: %.1f wake-ups a second of the " +
                "serving threads, %.1f of all, %.2f %% of a core, %d MiB resident", QUEUE_PAIRS, served, wakeUps,
                percent, view.residentKib() / 1024));
            assertTrue(view.threads().stream().anyMatch(line -> line.startsWith("queue-pair")), "threads have names");
            assertTrue(served <= SERVING_THREADS, () -> served + " wake-ups a second: " + view.threads());
            assertTrue(wakeUps <= WAKE_UPS_PER_SECOND, () -> wakeUps + " wake-ups a second: " + view.threads());
            new Wire(lab, guest).ping();
        }
    }
}
