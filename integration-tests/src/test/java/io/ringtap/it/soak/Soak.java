package io.ringtap.it.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Draws one action after the other, looks after each whether every datagram still arrives, and balances at the end. */
final class Soak
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int PROBES = 60;
    private static final int BURST = 4000;
    private static final int MIGRATIONS_A_CANCEL = 3;
    private static final double RATE = 20_000;
    /** A heap of 128 MiB that filled up, and what HotSpot compiled: more would be a leak. */
    private static final int GROWTH_KIB = 160 * 1024;

    private final SoakBed bed;
    private final long seed;
    private final Random random;
    private final Map<SoakAction, Integer> counts = new EnumMap<>(SoakAction.class);
    private boolean hasThird;
    private boolean[] isCapturing;
    private long arrived;
    private long unsure;
    private long residentAtStart;

    Soak(final SoakBed bed, final long seed)
    {
        this.bed = bed;
        this.seed = seed;
        random = new Random(seed);
        isCapturing = new boolean[bed.guests().size()];
    }

    /** @throws AssertionError when something is lost; the message has the seed. */
    void run(final int seconds) throws Exception
    {
        Progress.say("soak of " + seconds + " s, seed " + seed);
        final long start = System.nanoTime();
        long nextWord = start;
        String last = "the start";
        try
        {
            probe();
            residentAtStart = bed.view().ownResidentKib();
            while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(seconds))
            {
                final SoakAction action = SoakAction.at(random.nextInt(SoakAction.total()));
                last = action.name();
                act(action, random.nextInt(bed.guests().size()));
                counts.merge(action, 1, Integer::sum);
                probe();
                if (System.nanoTime() - nextWord > 0)
                {
                    nextWord = System.nanoTime() + TimeUnit.SECONDS.toNanos(Math.max(10, seconds / 30));
                    Progress.say("soak: " + (System.nanoTime() - start) / 1_000_000_000L + " s, " + arrived +
                        " datagrams, resident " + bed.view().ownResidentKib() + " KiB, " + counts);
                }
            }
            last = "the end";
            balance();
        }
        catch (final Exception | AssertionError ex)
        {
            throw new AssertionError("seed " + seed + ", " + counts + ", after " + last + ": " + ex.getMessage(), ex);
        }
    }

    private void act(final SoakAction action, final int which) throws Exception
    {
        final SoakGuest guest = bed.guests().get(which);
        switch (action)
        {
            case TRAFFIC -> send(which, BURST, 1 + random.nextInt(8));
            case RESET -> during(which, () ->
            {
                guest.guest().frontend().stop();
                guest.guest().frontend().start();
            });
            case RECONNECT -> reconnect(which);
            case NEW_GUEST -> guest.renew();
            case MIGRATE -> during(which, () -> guest.migrate(random.nextInt(MIGRATIONS_A_CANCEL) > 0));
            case PLUG_MEMORY -> during(which, guest::plug);
            case SPLIT_MEMORY -> during(which, () -> guest.guest().frontend().splitMemory(1 + random.nextInt(6)));
            case MTU -> bed.lab().netns().check("ip", "link", "set", bed.tap(which), "mtu",
                Integer.toString(1500 + random.nextInt(4) * 500));
            case LINK ->
            {
                bed.ask("port.link", "port", bed.name(which), "state", "down");
                bed.ask("port.link", "port", bed.name(which), "state", "up");
            }
            case PROGRAM -> during(which, () -> swap(which));
            case CAPTURE -> capture(which);
            case RELOAD ->
            {
                hasThird = !hasThird;
                bed.reload(hasThird);
            }
            default -> kill();
        }
    }

    /** Every datagram of a small burst of each guest arrives. */
    private void probe() throws Exception
    {
        for (int i = 0; i < bed.guests().size(); i++)
        {
            send(i, PROBES, 1);
        }
    }

    private void send(final int which, final int count, final int segments) throws Exception
    {
        final SoakGuest guest = bed.guests().get(which);
        final long before = bed.datagrams();
        final long generated = guest.generated();
        guest.generate(bed.lab().netns().mac(bed.tap(which)), SoakBed.HOSTS.get(which), count, RATE, segments);
        guest.awaitRest();
        expect(before, guest.generated() - generated);
    }

    /** Does something while a guest sends, and every datagram arrives all the same. */
    private void during(final int which, final Runnable what) throws Exception
    {
        final SoakGuest guest = bed.guests().get(which);
        final long before = bed.datagrams();
        final long generated = guest.generated();
        guest.generate(bed.lab().netns().mac(bed.tap(which)), SoakBed.HOSTS.get(which), BURST / 4, RATE, 1);
        what.run();
        guest.awaitRest();
        expect(before, guest.generated() - generated);
    }

    private void expect(final long before, final long sent)
    {
        Await.until(() -> sent + " datagrams, " + (bed.datagrams() - before) + " arrived", LIMIT,
            () -> bed.datagrams() - before >= sent);
        assertEquals(sent, bed.datagrams() - before, "datagrams");
        arrived += sent;
    }

    /** Hangs up without a word and comes back; a packed ring rests meanwhile, a split one may send. */
    private void reconnect(final int which) throws Exception
    {
        final SoakGuest guest = bed.guests().get(which);
        if (guest.isPacked())
        {
            guest.renew();
        }
        else
        {
            guest.guest().reconnect();
            guest.awaitRest();
        }
    }

    private void swap(final int which)
    {
        final String port = bed.name(which);
        bed.ask("xdp.load", "port", port, "object", bed.object() + ":filter", "direction", "both");
        if (random.nextBoolean())
        {
            bed.ask("xdp.load", "port", port, "object", bed.object() + ":filter", "direction", "guest");
        }
        bed.ask("xdp.unload", "port", port, "all", true);
    }

    private void capture(final int which)
    {
        final String port = bed.name(which);
        final Path recording = bed.lab().file("soak-" + port + ".pcapng");
        if (isCapturing[which])
        {
            bed.ask("capture.stop", "port", port);
            HostFiles.delete(recording);
        }
        else
        {
            bed.ask("capture.start", "port", port, "file", recording.toString());
        }
        isCapturing[which] = !isCapturing[which];
    }

    /** SIGKILL under traffic: what was on the way may be lost or come twice, and nothing after that. */
    private void kill() throws Exception
    {
        final SoakGuest split = bed.guests().get(0);
        final long before = bed.datagrams();
        split.generate(bed.lab().netns().mac(bed.tap(0)), SoakBed.HOSTS.get(0), BURST, RATE, 1);
        bed.kill();
        isCapturing = new boolean[isCapturing.length];
        bed.serve();
        split.guest().reconnect();
        bed.guests().get(1).renew();
        split.awaitRest();
        Await.settled(Duration.ofMillis(500), LIMIT, bed::datagrams);
        unsure += bed.datagrams() - before;
        hasThird = false;
        probe();
        residentAtStart = bed.view().ownResidentKib();
    }

    private void balance() throws IOException
    {
        for (int i = 0; i < bed.guests().size(); i++)
        {
            if (isCapturing[i])
            {
                capture(i);
            }
        }
        if (hasThird)
        {
            hasThird = false;
            bed.reload(false);
        }
        long sent = 0;
        long dirty = 0;
        for (final SoakGuest guest : bed.guests())
        {
            guest.awaitRest();
            assertEquals(0, guest.faults(), "frames that the device delivered wrongly");
            assertEquals(0, guest.guest().inFlight(), "frames that never came back");
            sent += guest.sent();
            dirty += guest.dirtyPages();
        }
        final long resident = bed.view().ownResidentKib();
        bed.guests().forEach(SoakGuest::close);
        final List<String> before = bed.descriptors();
        Await.until(() -> "the same descriptors as before any guest: " + before + " and now " +
            bed.view().descriptors(), LIMIT, () -> before.equals(bed.view().descriptors()));
        assertEquals(0, bed.view().mappings("/memfd:"), "mappings of guests");
        assertTrue(resident - residentAtStart < GROWTH_KIB,
            "resident memory went from " + residentAtStart + " to " + resident + " KiB");
        assertEquals(0, bed.process().terminate());
        final String log = bed.process().output();
        assertFalse(log.contains("not given back") || log.contains("fault of ours") || log.contains("ERROR"), log);
        Progress.say("soak balanced: seed " + seed + ", " + counts + ", " + sent + " frames sent and given back, " +
            arrived + " datagrams arrived, all of them, " + unsure + " more around kills; " + before.size() +
            " descriptors as at the start, no mapping of a guest, resident " + residentAtStart + " -> " + resident +
            " KiB, " + bed.lives() + " lives, " + dirty + " pages of memory logged as written in migrations");
    }
}
