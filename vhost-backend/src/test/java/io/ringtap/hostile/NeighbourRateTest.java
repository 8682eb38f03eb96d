package io.ringtap.hostile;

import io.ringtap.ConfigLimits;
import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.FrontendException;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.GuestCounter;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.PktgenConfig;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static io.ringtap.hostile.HostileBed.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two guests in one process: one attacks in every way of the table, the other sends as fast as it can and loses no
 * frame. Its rate beside the attack and without it are taken in turn and printed; they are not judged here, because
 * whoever builds may do so on a busy machine. On a thread that both share, a neighbour that only sends as fast as it
 * can is the measure: an attacker may cost no more.
 */
class NeighbourRateTest
{
    private static final int ROUNDS = Integer.getInteger("ringtap.neighbour.rounds", 3);
    private static final long FRAMES = Long.getLong("ringtap.neighbour.frames", 2_000_000);
    /** Frames a second that leave the attacker's own threads a processor, as a virtual machine's would have. */
    private static final long PACED = 50_000;
    private static final long PACED_FRAMES = 50_000;
    private static final long UNPACED = 0;
    /** The default of the command line. */
    private static final int SESSION_RATE = Integer.getInteger(
        "ringtap.neighbour.session-rate", ConfigLimits.DEFAULT_SESSION_RATE);
    private static final long LOOK_NS = 1_000_000;

    /** A process that has seen each attack: what HotSpot compiles meanwhile is no attack's doing. */
    @BeforeAll
    static void warmUp()
    {
        for (final HostileSetting setting : List.of(HostileSetting.SPLIT, HostileSetting.PACKED_IN_ORDER_SHARED))
        {
            try (HostileBed bed = new HostileBed(setting))
            {
                final AtomicInteger left = new AtomicInteger(HostileGuestTest.attacks().size());
                attack(bed, setting, () -> 0 == left.getAndDecrement());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SPLIT", "PACKED_IN_ORDER_SHARED"})
    void shouldLoseNothingBesideAnAttacker(final HostileSetting setting) throws Exception
    {
        try (HostileBed bed = new HostileBed(setting, SESSION_RATE))
        {
            bed.neighbour().close();
            try (Guest guest = guest(bed, HostileBed.NEIGHBOUR, 2))
            {
                guest.start();
                rate(bed, guest, UNPACED);
                final Company attacker = (isOver) -> attack(bed, setting, isOver);
                compare(bed, guest, setting, UNPACED, "attacks", attacker);
                compare(bed, guest, setting, PACED, "attacks", attacker);
                compare(bed, guest, setting, UNPACED, "endless chains", (isOver) -> gorge(bed, isOver));
                assertNull(guest.failure());
            }
        }
    }

    @Test
    void shouldHaveItsShareOfAThreadWhateverTheOtherDoes() throws Exception
    {
        final HostileSetting setting = HostileSetting.PACKED_IN_ORDER_SHARED;
        try (HostileBed bed = new HostileBed(setting, SESSION_RATE))
        {
            bed.neighbour().close();
            try (Guest guest = guest(bed, HostileBed.NEIGHBOUR, 2))
            {
                guest.start();
                rate(bed, guest, UNPACED);
                final Map<String, Company> all = new LinkedHashMap<>();
                all.put("one that sends as fast as it can", (isOver) -> accompany(bed, isOver));
                all.put("the table of attacks", (isOver) -> attack(bed, setting, isOver));
                all.put("endless chains", (isOver) -> gorge(bed, isOver));
                for (final Map.Entry<String, Company> each : all.entrySet())
                {
                    beside(bed, guest, each.getKey(), each.getValue());
                }
                assertNull(guest.failure());
            }
        }
    }

    /** What the other guest does until it is over. @return how often. */
    private interface Company
    {
        long keep(BooleanSupplier isOver) throws Exception;
    }

    private static void compare(
        final HostileBed bed, final Guest guest, final HostileSetting setting, final long pace, final String name,
        final Company company) throws Exception
    {
        final double[] alone = new double[ROUNDS];
        final double[] beside = new double[ROUNDS];
        long attacks = 0;
        for (int round = 0; round < ROUNDS; round++)
        {
            alone[round] = rate(bed, guest, pace);
            try (Attendance attacker = new Attendance(company))
            {
                beside[round] = rate(bed, guest, pace);
                attacks += attacker.end();
            }
        }
        assertTrue(0 < attacks);
        Arrays.sort(alone);
        Arrays.sort(beside);
        System.out.printf("neighbour, %s, %s: %.3f Mpps alone, %.3f beside %d %s: %.0f %%%n", setting,
            UNPACED == pace ? "as fast as it can" : "at " + pace + " frames a second",
            alone[ROUNDS / 2], beside[ROUNDS / 2], attacks, name, 100 * beside[ROUNDS / 2] / alone[ROUNDS / 2]);
    }

    private static void beside(
        final HostileBed bed, final Guest guest, final String name, final Company company) throws Exception
    {
        final double[] alone = new double[ROUNDS];
        final double[] beside = new double[ROUNDS];
        final double[] shares = new double[ROUNDS];
        long done = 0;
        for (int round = 0; round < ROUNDS; round++)
        {
            alone[round] = rate(bed, guest, UNPACED);
            try (Attendance other = new Attendance(company))
            {
                final long ownBefore = bed.threadNs(HostileBed.NEIGHBOUR);
                final long othersBefore = bed.threadNs(HostileBed.ATTACKED);
                beside[round] = rate(bed, guest, UNPACED);
                final double own = bed.threadNs(HostileBed.NEIGHBOUR) - ownBefore;
                shares[round] = own / (own + bed.threadNs(HostileBed.ATTACKED) - othersBefore);
                done += other.end();
            }
        }
        assertTrue(0 < done);
        Arrays.sort(alone);
        Arrays.sort(beside);
        Arrays.sort(shares);
        System.out.printf("a thread shared with %s (%d): %.0f %% of its time, %.3f of %.3f Mpps: %.0f %%%n", name, done,
            100 * shares[ROUNDS / 2], beside[ROUNDS / 2], alone[ROUNDS / 2],
            100 * beside[ROUNDS / 2] / alone[ROUNDS / 2]);
    }

    private static long accompany(final HostileBed bed, final BooleanSupplier isOver) throws Exception
    {
        try (Guest guest = guest(bed, HostileBed.ATTACKED, 4))
        {
            await(() ->
            {
                try
                {
                    guest.start();
                    return true;
                }
                catch (final FrontendException ex)
                {
                    // Sent away as the second one: the first is still to be disconnected.
                    return false;
                }
            }, "no company");
            guest.generate(pktgen(4));
            while (!isOver.getAsBoolean())
            {
                LockSupport.parkNanos(LOOK_NS);
            }
            guest.stopGenerating();
            return guest.sum(GuestCounter.GENERATED_PACKETS);
        }
    }

    private static long gorge(final HostileBed bed, final BooleanSupplier isOver)
    {
        try (Glutton glutton = new Glutton(bed))
        {
            return glutton.run(isOver);
        }
    }

    private static Guest guest(final HostileBed bed, final String nic, final int number) throws Exception
    {
        return new Guest(
            new FrontendConfig().socketPath(bed.path(nic)).timeoutMs(30_000),
            new GuestConfig().addresses(new GuestAddresses(
                MacAddress.parse("52:54:00:00:00:0" + number), InetAddress.getByName("198.18.7." + number), null)));
    }

    private static PktgenConfig pktgen(final int number) throws Exception
    {
        return new PktgenConfig().spec(new FrameSpec(
            MacAddress.parse("52:54:00:00:00:0" + number), MacAddress.parse("52:54:00:00:00:03"),
            InetAddress.getByName("198.18.7." + number), InetAddress.getByName("198.18.7.3"), false, 10_000, 9,
            ChecksumMode.NONE));
    }

    /** @return million frames a second; every one of them arrived at the port. */
    private static double rate(final HostileBed bed, final Guest guest, final long pace) throws Exception
    {
        final long before = bed.packets(HostileBed.NEIGHBOUR);
        final long generatedBefore = guest.sum(GuestCounter.GENERATED_PACKETS);
        final long count = UNPACED == pace ? FRAMES : PACED_FRAMES;
        final long startNs = System.nanoTime();
        guest.generate(pktgen(2).rate(pace).count(count));
        await(() -> count <= bed.packets(HostileBed.NEIGHBOUR) - before, "frames stay where they are");
        final double seconds = (System.nanoTime() - startNs) / 1e9;
        await(() -> !guest.isGenerating(), "it generates more than it should");
        final long generated = guest.sum(GuestCounter.GENERATED_PACKETS) - generatedBefore;
        assertEquals(count, generated);
        assertEquals(generated, bed.packets(HostileBed.NEIGHBOUR) - before, "frames lost");
        return generated / seconds / 1e6;
    }

    /** One attack after the other, each in a session of its own, without a look at what comes of it. */
    private static long attack(final HostileBed bed, final HostileSetting setting, final BooleanSupplier isOver)
    {
        final List<Attack> all = new ArrayList<>(HostileGuestTest.attacks());
        all.removeIf((attack) -> !attack.suits(setting));
        long attacks = 0;
        Collections.shuffle(all, new Random(ROUNDS));
        while (!isOver.getAsBoolean())
        {
            final Attack attack = all.get((int)(attacks % all.size()));
            try (HostileDriver driver = bed.welcomeDriver(attack.frontend(setting, bed.path(HostileBed.ATTACKED))))
            {
                driver.write(WireFrames.udp(0, 1000, 7, WireFrames.LENGTH));
                attack.action().accept(driver);
                attacks++;
            }
        }
        return attacks;
    }

    /** The other guest, on a thread of its own, from now on. */
    private static final class Attendance implements AutoCloseable
    {
        private final AtomicBoolean isOver = new AtomicBoolean();
        private final FutureTask<Long> task;
        private final Thread thread;

        Attendance(final Company company)
        {
            task = new FutureTask<>(() -> company.keep(isOver::get));
            thread = new Thread(task, "company");
            thread.start();
        }

        /** @return how often it did what it does. */
        long end() throws Exception
        {
            isOver.set(true);
            return task.get();
        }

        @Override
        public void close()
        {
            isOver.set(true);
            await(() -> !thread.isAlive(), "the company does not end");
        }
    }
}
