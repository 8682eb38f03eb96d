package io.ringtap.bench.path;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.DeviceCounters;

/** A virtual cable: what is sent at the near end is counted at the far end, and goes to nobody there. */
public final class Cable
{
    private final Bed bed;
    private final String near;
    private final String far;

    private Cable(final Bed bed, final String near, final String far)
    {
        this.bed = bed;
        this.near = near;
        this.far = far;
    }

    /** Lays one, without addresses. */
    public static Cable lay(final Bed bed, final String name)
    {
        final Cable cable = new Cable(bed, name + "n", name + "f");
        bed.lab().netns().check("ip", "link", "add", cable.near, "type", "veth", "peer", "name", cable.far);
        bed.lab().netns().up(cable.near, null);
        bed.lab().netns().up(cable.far, null);
        return cable;
    }

    public String near()
    {
        return near;
    }

    public DeviceCounters arrived()
    {
        return bed.device(far);
    }
}
