package io.ringtap.bench.path;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.Side;
import io.ringtap.it.rig.ProcessView;
import io.ringtap.it.rig.QemuGuest;

/** A real guest doing one kind of work. */
public final class QemuSide extends Side
{
    private final Rig rig;
    private final Work work;

    public QemuSide(final Rig rig, final Work work)
    {
        super(rig.label());
        this.rig = rig;
        this.work = work;
    }

    /** What a guest does for so many seconds. */
    @FunctionalInterface
    public interface Work
    {
        Sample of(Rig rig, double seconds);
    }

    /**
     * A booted guest and what serves it.
     *
     * @param label   of the side.
     * @param guest   booted, its interface up.
     * @param backEnd null when QEMU serves it by itself.
     * @param subnet  of guest and host.
     */
    public record Rig(String label, QemuGuest guest, BackEnd backEnd, Bed.Subnet subnet)
    {
        /** Boots a guest and starts the host's end of what it will measure. */
        public static Rig boot(
            final Bed bed, final String label, final String tap, final BackEnd backEnd, final QemuGuest.Plan plan)
        {
            final Bed.Subnet subnet = bed.raise(tap);
            final QemuGuest guest = plan.boot(bed.lab(), bed.unique("qemu"));
            guest.check("up " + subnet.guest() + "/24");
            bed.lab().start(bed.unique("iperf3"), "iperf3", "-s", "-B", subnet.host());
            return new Rig(label, guest, backEnd, subnet);
        }

        /** Of QEMU and the back-end so far. */
        public long processorTimeMs()
        {
            final long ofQemu = new ProcessView(guest.process().pid()).processorTimeMs();
            return null == backEnd ? ofQemu : ofQemu + backEnd.view().processorTimeMs();
        }
    }

    @Override
    public Sample measure(final double seconds)
    {
        if (null != rig.backEnd())
        {
            rig.backEnd().start();
        }
        try
        {
            return work.of(rig, seconds);
        }
        finally
        {
            if (null != rig.backEnd())
            {
                rig.backEnd().stop();
            }
        }
    }
}
