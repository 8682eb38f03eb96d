package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.path.BackEnd;
import io.ringtap.bench.path.QemuSide;
import io.ringtap.bench.path.RingtapBackEnd;
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A real guest's frames, recorded and not. */
final class CaptureOfQemu
{
    private static final String NAME = "a real guest's pktgen, 60 B";
    private static final String TAP = "qrec";
    private static final String NOTHING = "nothing";
    private static final int LENGTH = 60;
    private static final int BURST = 32;
    private static final double GOAL = 0.9;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Bed bed;

    CaptureOfQemu(final Bed bed)
    {
        this.bed = bed;
    }

    void add(final Rows rows)
    {
        rows.add(NAME, () ->
        {
            Provision.kit();
            final Path control = bed.lab().socket("qemu.control");
            final BackEnd backEnd = RingtapBackEnd.serveOn(bed, List.of(), "--tap=" + TAP, "--control=" + control);
            Await.until("the control socket", LIMIT, () -> Files.exists(control));
            final QemuSide.Rig rig =
                QemuSide.Rig.boot(bed, NOTHING, TAP, backEnd, QemuGuest.plan().vhostUser(backEnd.socket()));
            try (CaptureTurns recording = new CaptureTurns(control, "whole frames", Map.of()))
            {
                final QemuSide.Rig recorded = new QemuSide.Rig(
                    "whole frames", rig.guest(), rig.backEnd(), rig.subnet());
                return Comparison.more(bed, NAME, "kpps")
                    .side(new QemuSide(recorded, (on, seconds) ->
                    {
                        recording.start();
                        try
                        {
                            return QemuScenario.generate(on, seconds, LENGTH, BURST);
                        }
                        finally
                        {
                            recording.stop();
                        }
                    }))
                    .side(new QemuSide(rig, (on, seconds) -> QemuScenario.generate(on, seconds, LENGTH, BURST)))
                    .goal(NOTHING, GOAL)
                    .note(recording::missed)
                    .run();
            }
        });
    }
}
