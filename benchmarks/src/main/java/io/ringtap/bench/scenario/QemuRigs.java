package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.path.BackEnd;
import io.ringtap.bench.path.QemuSide;
import io.ringtap.bench.path.RingtapBackEnd;
import io.ringtap.bench.path.TestpmdBackEnd;
import io.ringtap.it.rig.QemuGuest;

import java.util.List;

/** Booted guests of Debian's kernel, each behind something else. Nobody is pinned but testpmd, which must be. */
final class QemuRigs
{
    static final String OURS = "ringtap";
    static final String QEMU_TAP = "QEMU tap";
    static final String QEMU_TESTPMD = "QEMU + testpmd";

    private final Bed bed;

    QemuRigs(final Bed bed)
    {
        this.bed = bed;
    }

    QemuSide.Rig ringtap()
    {
        final BackEnd ours = RingtapBackEnd.serveOn(bed, List.of(), "--tap=rqemu");
        return QemuSide.Rig.boot(bed, OURS, "rqemu", ours, QemuGuest.plan().vhostUser(ours.socket()));
    }

    QemuSide.Rig ownTap()
    {
        bed.lab().netns().addTap("tqemu", false);
        return QemuSide.Rig.boot(bed, QEMU_TAP, "tqemu", null, QemuGuest.plan().tap(bed.lab().netns(), "tqemu"));
    }

    QemuSide.Rig testpmd()
    {
        final BackEnd theirs = TestpmdBackEnd.toTap(bed, "dqemu");
        theirs.start();
        final QemuSide.Rig rig =
            QemuSide.Rig.boot(bed, QEMU_TESTPMD, "dqemu", theirs, QemuGuest.plan().vhostUser(theirs.socket()));
        theirs.stop();
        return rig;
    }
}
