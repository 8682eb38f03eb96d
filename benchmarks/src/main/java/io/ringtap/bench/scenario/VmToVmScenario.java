package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.harness.Side;
import io.ringtap.bench.path.BuiltInGuest;
import io.ringtap.bench.path.PathSide;
import io.ringtap.it.rig.BpfTools;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.TwoNics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/** From one guest to another of the same process: in its memory, against two TAPs and a bridge. */
final class VmToVmScenario implements Scenario
{
    private static final String IN_MEMORY = "in memory";
    private static final String BRIDGED = "TAP, bridge, TAP";
    private static final String[] ADDRESSES = {"198.18.7.2", "198.18.7.3"};
    private static final String MAC = "52:54:00:12:34:0";

    @Override
    public String name()
    {
        return "vm-to-vm";
    }

    @Override
    public String title()
    {
        return "From guest to guest";
    }

    @Override
    public String about()
    {
        return "One process serves two NICs. Either a program on each redirects to the other NIC, so that frames " +
            "go from guest to guest in the process's memory; or the programs are gone, and frames go by the TAPs and " +
            "the bridge that both are in. The same guests are used for both, in turns: built-in ones, counted at the " +
            "receiver, and real ones under QEMU's TCG, which itself is most of what is measured then.";
    }

    @Override
    public boolean needsPeers()
    {
        return false;
    }

    @Override
    public List<Row> run(final Bed bed)
    {
        BpfTools.provide();
        final Rows rows = new Rows(bed);
        final TwoNics nics = TwoNics.serve(bed.lab());
        // Nobody has ever sent from there, and a bridge floods what it does not know.
        bed.lab().netns().check("bridge", "fdb", "add", MAC + "3", "dev", "tap-b", "master", "static");
        builtIn(rows, bed, nics, 64, 256);
        builtIn(rows, bed, nics, 1502, 1);
        if (bed.settings().hasPeers())
        {
            qemu(rows, bed, nics);
        }
        return rows.list();
    }

    private static void builtIn(
        final Rows rows, final Bed bed, final TwoNics nics, final int length, final int flows)
    {
        final String name = length + " B, " + flows + (1 == flows ? " flow" : " flows");
        rows.add(name, () ->
        {
            final BuiltInGuest sink = BuiltInGuest.connect(bed, nics.socket(1), "sink=true");
            final BuiltInGuest source = BuiltInGuest.connect(bed, nics.socket(0), "size=" + length, "flows=" + flows,
                "mac=" + MAC + "3", "destination=" + ADDRESSES[1], "source=" + ADDRESSES[0]);
            try (sink; source)
            {
                return Comparison.more(bed, name, "Mpps")
                    .side(side(IN_MEMORY, nics, source, sink, nics::join, nics::part))
                    .side(side(BRIDGED, nics, source, sink, () -> {}, () -> {}))
                    .goal(BRIDGED, 1)
                    .run();
            }
        });
    }

    private static Side side(
        final String label,
        final TwoNics nics,
        final BuiltInGuest source,
        final BuiltInGuest sink,
        final Runnable join,
        final Runnable part)
    {
        return new PathSide(label, new SharedBackEnd(() -> nics.socket(0), nics::view))
            .with(join, part).with(sink::start, sink::stop).with(source::start, source::stop)
            .counting(sink::received);
    }

    private static void qemu(final Rows rows, final Bed bed, final TwoNics nics)
    {
        Provision.kit();
        final List<QemuGuest> guests = new ArrayList<>();
        for (int i = 0; i < ADDRESSES.length; i++)
        {
            guests.add(QemuGuest.plan().mac(MAC + (2 + i)).vhostUser(nics.socket(i))
                .boot(bed.lab(), bed.unique("qemu")));
            guests.get(i).check("up " + ADDRESSES[i] + "/24 1500");
        }
        guests.get(1).check("iperf3 -s -D --forceflush");
        final QemuGuest from = guests.get(0);
        row(rows, bed, nics, "QEMU, TCP", false, (seconds) -> QemuScenario.stream(from, ADDRESSES[1], seconds, ""));
        row(rows, bed, nics, "QEMU, ping", true, (seconds) -> QemuScenario.ping(from, ADDRESSES[1], seconds, false));
    }

    private static void row(
        final Rows rows,
        final Bed bed,
        final TwoNics nics,
        final String name,
        final boolean isLess,
        final DoubleFunction<Sample> work)
    {
        rows.add(name, () ->
            (isLess ? Comparison.less(bed, name, "ms") : Comparison.more(bed, name, "Mbit/s"))
                .side(new RealGuests(IN_MEMORY, nics::join, nics::part, work))
                .side(new RealGuests(BRIDGED, () -> {}, () -> {}, work))
                .goal(BRIDGED, 1)
                .run());
    }

    /** Real guests at work, on the way that {@code join} prepares and {@code part} takes away. */
    private static final class RealGuests extends Side
    {
        private final Runnable join;
        private final Runnable part;
        private final DoubleFunction<Sample> work;

        RealGuests(
            final String label, final Runnable join, final Runnable part, final DoubleFunction<Sample> work)
        {
            super(label);
            this.join = join;
            this.part = part;
            this.work = work;
        }

        @Override
        public Sample measure(final double seconds)
        {
            join.run();
            try
            {
                return work.apply(seconds);
            }
            finally
            {
                part.run();
            }
        }
    }
}
