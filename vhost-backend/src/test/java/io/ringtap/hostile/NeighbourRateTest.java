package io.ringtap.hostile;

import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.GuestCounter;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.PktgenConfig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import static io.ringtap.hostile.HostileBed.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two guests in one process: one attacks in every way of the table, the other sends as fast as it can and loses no
 * frame. Its rate beside the attack and without it are taken in turn and printed; they are not judged here, because
 * whoever builds may do so on a busy machine.
 */
class NeighbourRateTest
{
    private static final int ROUNDS = Integer.getInteger("ringtap.neighbour.rounds", 3);
    private static final long FRAMES = Long.getLong("ringtap.neighbour.frames", 1_000_000);
    /** Frames a second that leave the attacker's own threads a processor, as a virtual machine's would have. */
    private static final long PACED = 50_000;
    private static final long PACED_FRAMES = 50_000;
    private static final long UNPACED = 0;

    @ParameterizedTest
    @EnumSource(names = {"SPLIT", "PACKED_IN_ORDER_SHARED"})
    void shouldLoseNothingBesideAnAttacker(final HostileSetting setting) throws Exception
    {
        try (HostileBed bed = new HostileBed(setting))
        {
            bed.neighbour().close();
            try (Guest guest = guest(bed))
            {
                guest.start();
                rate(bed, guest, UNPACED);
                compare(bed, guest, setting, UNPACED);
                compare(bed, guest, setting, PACED);
                assertNull(guest.failure());
            }
        }
    }

    private static void compare(
        final HostileBed bed, final Guest guest, final HostileSetting setting, final long pace) throws Exception
    {
        final double[] alone = new double[ROUNDS];
        final double[] beside = new double[ROUNDS];
        final AtomicInteger attacks = new AtomicInteger();
        for (int round = 0; round < ROUNDS; round++)
        {
            alone[round] = rate(bed, guest, pace);
            final AtomicBoolean isOver = new AtomicBoolean();
            final AtomicReference<Throwable> failure = new AtomicReference<>();
            final Thread attacker = new Thread(() -> attack(bed, setting, isOver, attacks), "attacker");
            attacker.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
            attacker.start();
            try
            {
                beside[round] = rate(bed, guest, pace);
            }
            finally
            {
                isOver.set(true);
                attacker.join();
            }
            assertNull(failure.get());
        }
        assertTrue(0 < attacks.get());
        Arrays.sort(alone);
        Arrays.sort(beside);
        System.out.printf("neighbour, %s, %s: %.3f Mpps alone, %.3f beside %d attacks: %.0f %%%n", setting,
            UNPACED == pace ? "as fast as it can" : "at " + pace + " frames a second",
            alone[ROUNDS / 2], beside[ROUNDS / 2], attacks.get(), 100 * beside[ROUNDS / 2] / alone[ROUNDS / 2]);
    }

    private static Guest guest(final HostileBed bed) throws Exception
    {
        return new Guest(
            new FrontendConfig().socketPath(bed.path(HostileBed.NEIGHBOUR)).timeoutMs(30_000),
            new GuestConfig().addresses(new GuestAddresses(
                MacAddress.parse("52:54:00:00:00:02"), InetAddress.getByName("198.18.7.2"), null)));
    }

    /** @return million frames a second; every one of them arrived at the port. */
    private static double rate(final HostileBed bed, final Guest guest, final long pace) throws Exception
    {
        final long before = bed.packets(HostileBed.NEIGHBOUR);
        final long generatedBefore = guest.sum(GuestCounter.GENERATED_PACKETS);
        final long count = UNPACED == pace ? FRAMES : PACED_FRAMES;
        final long startNs = System.nanoTime();
        guest.generate(new PktgenConfig().spec(new FrameSpec(
            MacAddress.parse("52:54:00:00:00:02"), MacAddress.parse("52:54:00:00:00:03"),
            InetAddress.getByName("198.18.7.2"), InetAddress.getByName("198.18.7.3"), false, 10_000, 9,
            ChecksumMode.NONE)).rate(pace).count(count));
        await(() -> count <= bed.packets(HostileBed.NEIGHBOUR) - before, "frames stay where they are");
        final double seconds = (System.nanoTime() - startNs) / 1e9;
        await(() -> !guest.isGenerating(), "it generates more than it should");
        final long generated = guest.sum(GuestCounter.GENERATED_PACKETS) - generatedBefore;
        assertEquals(count, generated);
        assertEquals(generated, bed.packets(HostileBed.NEIGHBOUR) - before, "frames lost");
        return generated / seconds / 1e6;
    }

    /** One attack after the other, each in a session of its own, without a look at what comes of it. */
    private static void attack(
        final HostileBed bed, final HostileSetting setting, final AtomicBoolean isOver, final AtomicInteger attacks)
    {
        final List<Attack> all = new ArrayList<>(HostileGuestTest.attacks());
        Collections.shuffle(all, new Random(attacks.get()));
        for (final Attack attack : all)
        {
            if (isOver.get())
            {
                return;
            }
            if (attack.suits(setting))
            {
                try (HostileDriver driver = bed.welcomeDriver(attack.frontend(
                    setting, bed.path(HostileBed.ATTACKED))))
                {
                    driver.write(WireFrames.udp(0, 1000, 7, WireFrames.LENGTH));
                    attack.action().accept(driver);
                    attacks.incrementAndGet();
                }
            }
        }
    }
}
