package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.DeviceCounters;
import io.ringtap.bench.path.BackEnd;
import io.ringtap.bench.path.BuiltInGuest;
import io.ringtap.bench.path.PathSide;
import io.ringtap.bench.path.RingtapBackEnd;

import java.util.ArrayList;
import java.util.List;

/** Sides that are all the backend, each set up in another way, with the built-in guest in front. */
final class OurPaths
{
    private final Bed bed;
    private int taps;

    OurPaths(final Bed bed)
    {
        this.bed = bed;
    }

    /**
     * From the guest into a TAP of its own; packets are counted there, those of super-frames each.
     *
     * @param words options and properties of the backend.
     */
    PathSide toTap(final String label, final int length, final int flows, final String... words)
    {
        final String tap = "idea" + ++taps;
        final List<String> options = new ArrayList<>(List.of("--tap=" + tap));
        options.addAll(List.of(words));
        final BackEnd backEnd = RingtapBackEnd.serve(bed, options.toArray(String[]::new));
        bed.raise(tap);
        final DeviceCounters counters = bed.device(tap);
        return new PathSide(label, backEnd)
            .with(BuiltInGuest.connect(bed, backEnd.socket(), "size=" + length, "flows=" + flows))
            .counting(() -> counters.segments(Load.HEADERS, length - Load.HEADERS));
    }

    /** From the guest to nowhere, over so many queue pairs; packets are counted as the guest sends them. */
    PathSide toNull(final String label, final int length, final int pairs, final String... words)
    {
        final List<String> options = new ArrayList<>(List.of("--null", "--queues=" + pairs));
        options.addAll(List.of(words));
        final List<Integer> cpus = 1 == pairs ? List.of(bed.settings().backCpu()) :
            List.of(bed.settings().backCpu(), bed.settings().frontCpu());
        final BackEnd backEnd = RingtapBackEnd.serveOn(bed, cpus, options.toArray(String[]::new));
        final BuiltInGuest guest = BuiltInGuest.connect(bed, backEnd.socket(), "size=" + length, "flows=256",
            "pairs=" + pairs);
        return new PathSide(label, backEnd).with(guest).counting(guest::sent);
    }
}
