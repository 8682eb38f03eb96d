package io.ringtap.it.fault;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A front-end takes its guest's memory away at any moment, in every way that nobody can prevent, under traffic in both
 * directions. The process lives, its other guests lose no frame, and the next guest of the same NIC is served. For
 * longer with {@code -Dtruncation.seconds=N}; the seed is printed, and set with {@code -Dtruncation.seed=N}.
 */
class TruncationIT
{
    private static final int SECONDS = Integer.getInteger("truncation.seconds", 1);
    private static final long SEED = Long.getLong("truncation.seed", System.nanoTime() & 0x7fff_ffffL);
    private static final int OLDEST = 17;

    /** Every setting on every Java here. */
    static List<Arguments> cases()
    {
        final List<Arguments> all = new ArrayList<>();
        new TreeMap<>(Jdks.all()).tailMap(OLDEST, true).forEach((version, home) ->
        {
            for (final Setting setting : Setting.values())
            {
                all.add(Arguments.of(version, home, setting));
            }
        });
        return all;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldOutliveMemoryThatGoes(final int version, final Path home, final Setting setting)
    {
        Provision.root();
        final Map<MemoryKind, Integer> counts = new EnumMap<>(MemoryKind.class);
        String log = "";
        try (TruncationBed bed = new TruncationBed(setting, home, SEED))
        {
            // At once: what the first frames of a process load must not be spoilt by an error either.
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            do
            {
                for (final MemoryKind kind : bed.files().kinds())
                {
                    bed.takeAway(kind);
                    counts.merge(kind, 1, Integer::sum);
                    assertTrue(bed.bed().backend().process().isAlive(), () -> "the backend died, after " + counts);
                }
            }
            while (System.nanoTime() - endNs < 0);
            bed.bed().check();
            log = bed.bed().end();
        }
        Progress.say("memory taken away, Java " + version + ", " + setting + ", seed " + SEED + ": " + counts +
            "; pairs stopped " + count(log, "memory was taken away") + ", failures of other kinds " +
            (count(log, "failed and stands still") + count(log, "the session failed")) + ", NICs started anew " +
            count(log, "is tried again") + ", fragments " + count(log, "were not given back"));
    }

    private static long count(final String log, final String what)
    {
        return log.lines().filter((line) -> line.contains(what)).count();
    }
}
