package io.ringtap.it;

import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuBinary;
import io.ringtap.it.rig.QemuGuest;
import java.util.List;

/** The QEMU of Debian 12, which speaks a different dialect at stop and start; one system call a frame for a change. */
class OlderQemuIT extends GuestTraffic
{
    @Override
    List<String> options()
    {
        return List.of("--io=syscall");
    }

    @Override
    QemuGuest.Plan plan()
    {
        final List<QemuBinary> qemus = Provision.kit().qemus();
        return super.plan().qemu(qemus.get(qemus.size() - 1));
    }
}
