package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.ProcessView;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuBinary;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * SIGKILL on either side, over and over, under a flood of echoes: the one that lives on must lose nothing, and the one
 * that comes back must be answered.
 */
class CrashIT extends KeptTap
{
    private static final int CYCLES = 10;
    private static final int SERIES = 4;
    private static final int HANDED_OVER = 3;
    private static final String SPLIT = "";
    private static final String PACKED = ",packed=on";
    /** Without a link to see, the guest goes on sending and kicking while nobody serves it. */
    private static final String PACKED_AND_BLIND = ",packed=on,status=off";
    private static final long SEED = Long.getLong("ringtap.it.seed", 1);
    /** QEMU connects again every 100 ms, before version 9.2 every second. */
    private static final long GOAL_MS = 1000;
    private static final long SLOW_GOAL_MS = 2500;
    private static final String QUICK = "0.005";
    /** Datagrams to the guest: 2000 a second. */
    private static final int BURST = 4;
    private static final long BETWEEN_NS = 2_000_000;
    /** From the guest, to an address that nobody has: about 2000 a second as well. */
    private static final String GUEST_FLOOD = "flood 0 200 1 02:00:00:00:00:99 " + Wire.HOST + " " + Wire.GUEST +
        " 9 1 500000";
    /** No start is as quick as this: what is answered sooner was on its way. */
    private static final long ON_ITS_WAY_US = 50_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String PLACE_FOUND = " read from the ring";
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

    private static List<QemuBinary> qemus()
    {
        final List<QemuBinary> qemus = Provision.kit().qemus();
        return Stream.of(qemus.get(0), qemus.get(qemus.size() - 1)).distinct().toList();
    }

    static Stream<Arguments> guests()
    {
        return qemus().stream().flatMap((binary) ->
            Stream.of(SPLIT, PACKED, PACKED_AND_BLIND).map((device) -> Arguments.of(binary, device)));
    }

    @ParameterizedTest
    @MethodSource("guests")
    void shouldBringTrafficBackWhenBackendIsKilled(final QemuBinary binary, final String device)
    {
        final Random random = new Random(SEED);
        Ringtap backend = serve();
        final QemuGuest guest = boot(binary, device);
        final EchoLog echoes = EchoLog.start(lab, QUICK);
        final ProcessView qemu = new ProcessView(guest.process().pid());
        final OutageTimes outages = new OutageTimes(binary.reconnectsInMilliseconds() ? GOAL_MS : SLOW_GOAL_MS);
        List<String> descriptors = null;
        try (HostFlood flood = new HostFlood(lab.netns(), BURST, BETWEEN_NS))
        {
            for (int kill = 0; kill < KILLS / SERIES; kill++)
            {
                pause(random);
                final long killedUs = EchoLog.nowUs();
                backend.kill();
                backend = serve();
                outages.add(echoes.awaitAfterNs(killedUs + ON_ITS_WAY_US, LIMIT) + ON_ITS_WAY_US * 1000);
                descriptors = 1 == kill ? qemu.descriptors() : descriptors;
            }
            Progress.say(binary + device + ", seed " + SEED + ", " + KILLS / SERIES + " kills, " + flood.sent() +
                " datagrams one way, " + guest.counter("tx_packets") +
                " frames the other; from SIGKILL of the backend to the first echo: " + outages);
        }
        assertEquals(descriptors, qemu.descriptors(), "QEMU's descriptors");
        assertEquals(!device.equals(SPLIT), HostFiles.read(lab.log("ringtap")).contains(PLACE_FOUND), "in the log");
        assertRingsAreWhole(guest);
    }

    static List<QemuBinary> packedGuests()
    {
        return qemus();
    }

    /** Front-ends are told nothing when a connection ends, however well it was meant. */
    @ParameterizedTest
    @MethodSource("packedGuests")
    void shouldBringAPackedRingBackWhenBackendIsReplaced(final QemuBinary binary)
    {
        final String[] options = {"--tap=" + Wire.TAP, "--control=" + lab.socket("control.sock")};
        Ringtap backend = Ringtap.serve(lab, "first", socket, options);
        final QemuGuest guest = boot(binary, PACKED);
        final EchoLog echoes = EchoLog.start(lab, QUICK);
        for (int i = 0; i < HANDED_OVER; i++)
        {
            backend = Ringtap.takeOver(lab, "successor-" + i, backend, options);
            echoes.awaitAfterNs(EchoLog.nowUs() + ON_ITS_WAY_US, LIMIT);
            // QEMU asks where the rings of a guest are that stops: what it remembers from now on is not their start.
            guest.monitor("stop");
            guest.monitor("cont");
            assertEquals(0, backend.terminate());
            backend = Ringtap.serve(lab, "restarted-" + i, socket, options);
            echoes.awaitAfterNs(EchoLog.nowUs() + ON_ITS_WAY_US, LIMIT);
        }
        assertRingsAreWhole(guest);
    }

    /** A guest that floods, and has been heard before. */
    private QemuGuest boot(final QemuBinary binary, final String device)
    {
        final QemuGuest guest = QemuGuest.plan().qemu(binary).device(device).vhostUser(socket).boot(lab, "guest");
        guest.check("up " + Wire.GUEST_ADDRESS);
        new Wire(lab, guest).ping();
        guest.check(GUEST_FLOOD);
        return guest;
    }

    /** Descriptors that were lost would be out for ever; and nothing that was sent stays behind. */
    private void assertRingsAreWhole(final QemuGuest guest)
    {
        guest.check("calm");
        assertEquals("0", guest.run("dmesg | grep -c -E 'virtio.*(not a head|out of range)'")
            .output().strip(), () -> "complaints of the guest's driver\n" + guest.check("dmesg | tail -20"));
        Await.until(() -> "all that was sent to be back: " + guest.chainsOut(1), LIMIT, () -> 0 == guest.chainsOut(1));
        final Wire wire = new Wire(lab, guest);
        wire.ping();
        assertTrue(wire.streamToHost());
        assertTrue(wire.streamToGuest());
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
