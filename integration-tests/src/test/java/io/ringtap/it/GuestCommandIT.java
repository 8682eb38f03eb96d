package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.ProcessView;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.Ringtap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code ringtap guest} as a user runs it, beside the backend. */
class GuestCommandIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration SETTLE = Duration.ofSeconds(3);
    private static final int SECONDS = 5;
    /** What the Java virtual machine does of its own accord, and the loop that watches the socket. */
    private static final int WAKE_UPS_PER_SECOND = 30;

    private static Lab lab;
    private static Path socket;

    @BeforeAll
    static void serve()
    {
        Provision.kit();
        lab = Lab.open(GuestCommandIT.class);
        socket = lab.socket("vhost.sock");
        Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP);
        Await.until("the TAP", LIMIT, () -> lab.netns().hasInterface(Wire.TAP));
        Wire.raise(lab.netns());
    }

    @AfterAll
    static void takeDown()
    {
        if (null != lab)
        {
            lab.close();
        }
    }

    @Test
    void shouldAnswerPingSleepAndEndOnSigterm()
    {
        final HostProcess guest = guest("respond", "--ip=" + Wire.GUEST);
        guest.await(Pattern.compile("(?m)^connected 1 queue pairs of 256"), 0, LIMIT);
        lab.netns().check("ping", "-q", "-c", "3", "-i", "0.2", "-W", "20", Wire.GUEST);
        Await.pause(SETTLE);
        final ProcessView view = new ProcessView(guest.pid());
        final long switches = view.voluntarySwitches(".*");
        final long ofQueues = view.voluntarySwitches("ringtap-guest.*");
        Await.pause(Duration.ofSeconds(SECONDS));
        final double wakeUps = (view.voluntarySwitches(".*") - switches) / (double)SECONDS;
        final double queueWakeUps = (view.voluntarySwitches("ringtap-guest.*") - ofQueues) / (double)SECONDS;

        Progress.say(String.format("idle guest: %.1f wake-ups a second, %.1f of its queue", wakeUps, queueWakeUps));
        assertTrue(queueWakeUps <= 2, () -> queueWakeUps + " wake-ups a second: " + view.threads());
        assertTrue(wakeUps <= WAKE_UPS_PER_SECOND, () -> wakeUps + " wake-ups a second: " + view.threads());
        assertEquals(0, guest.terminate());
        final String summary = guest.output();
        assertTrue(summary.contains(" 3 echo,"), summary);
        assertTrue(summary.contains("0 bad checksums, 0 faulty frames"), summary);
    }

    @Test
    void shouldGenerateACountAndEnd()
    {
        final long before = lab.netns().counter(Wire.TAP, "rx_packets");
        final HostProcess guest = guest("pktgen", "--ip=" + Wire.GUEST, "--pktgen", "--to=" + Wire.HOST,
            "--to-port=9", "--flows=4", "--count=5k", "--rate=10k", "--live=on");
        assertEquals(0, guest.exitCode(LIMIT));
        assertTrue(Pattern.compile("sent +5000 packets").matcher(guest.output()).find(), guest.output());
        assertTrue(lab.netns().counter(Wire.TAP, "rx_packets") > before);
    }

    @Test
    void shouldSayWhenNobodyAnswersForTheDestination()
    {
        final HostProcess guest = guest("nobody", "--ip=" + Wire.GUEST, "--pktgen", "--to=198.18.7.99");
        assertEquals(1, guest.exitCode(LIMIT));
        assertTrue(guest.output().contains("ringtap: nobody answered for 198.18.7.99 within 3000 ms; give its MAC"),
            guest.output());
    }

    private static HostProcess guest(final String name, final String... options)
    {
        final List<String> command = new ArrayList<>(Ringtap.command(Jdks.current()));
        command.add("guest");
        command.add("--socket-path=" + socket);
        command.addAll(List.of(options));
        return lab.own(HostProcess.start(name, lab.log(name), command));
    }
}
