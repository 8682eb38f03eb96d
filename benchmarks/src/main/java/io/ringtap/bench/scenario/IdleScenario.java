package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.harness.Side;
import io.ringtap.bench.path.BackEnd;
import io.ringtap.bench.path.BuiltInGuest;
import io.ringtap.bench.path.RingtapBackEnd;
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.ProcessView;
import io.ringtap.it.rig.RigException;

import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What a backend costs while its guest is silent. */
final class IdleScenario implements Scenario
{
    private static final String TAP = "ridle";
    private static final Duration SETTLE = Duration.ofSeconds(2);
    private static final double LEAST_SECONDS = 5;

    @Override
    public String name()
    {
        return "idle";
    }

    @Override
    public String title()
    {
        return "Idle, one guest connected";
    }

    @Override
    public String about()
    {
        return "The built-in guest is connected and sends nothing; nor does the TAP. Wake-ups of the queue pair's " +
            "worker, of the whole process with what a Java virtual machine does by itself, and processor time of " +
            "the process.";
    }

    @Override
    public boolean needsPeers()
    {
        return false;
    }

    @Override
    public List<Row> run(final Bed bed)
    {
        final Rows rows = new Rows(bed);
        final BackEnd backEnd = RingtapBackEnd.serve(bed, "--tap=" + TAP);
        bed.raise(TAP);
        try (BackEnd closing = backEnd; BuiltInGuest guest = BuiltInGuest.connect(bed, closing.socket()))
        {
            guest.start();
            Await.pause(SETTLE);
            guest.stop();
            Await.pause(SETTLE);
            rows.add("worker", () -> Comparison.less(bed, "wake-ups of the worker", "a second")
                .side(rate("ringtap", backEnd.view(), view -> switches(view, "queue-pair"), 1))
                .goal(1)
                .run());
            rows.add("process", () -> Comparison.less(bed, "wake-ups of the process", "a second")
                .side(rate("ringtap", backEnd.view(), view -> view.voluntarySwitches(".*"), 1))
                .run());
            rows.add("cpu", () -> Comparison.less(bed, "processor", "% of a core")
                .side(rate("ringtap", backEnd.view(), ProcessView::processorTimeMs, 0.1))
                .goal(0.5)
                .run());
        }
        return rows.list();
    }

    private static double switches(final ProcessView view, final String thread)
    {
        if (view.threads().stream().noneMatch(each -> each.startsWith(thread)))
        {
            throw new RigException("no thread " + thread + " among " + view.threads());
        }
        return view.voluntarySwitches("^" + thread);
    }

    private static Side rate(
        final String label, final ProcessView view, final ToDoubleFunction<ProcessView> figure, final double scale)
    {
        return new Side(label)
        {
            @Override
            public boolean needsWarmUp()
            {
                return false;
            }

            @Override
            public Sample measure(final double seconds)
            {
                final double time = Math.max(LEAST_SECONDS, seconds);
                final double before = figure.applyAsDouble(view);
                Await.pause(Duration.ofMillis((long)(time * 1000)));
                return Sample.of((figure.applyAsDouble(view) - before) * scale / time);
            }
        };
    }
}
