package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.path.ProgramSide;

import java.util.List;

/** The loops in C, on a TAP of their own. */
final class Loops
{
    static final String TESTPMD_TAP = "testpmd net_tap";
    static final String WRITE = "C write";
    static final String URING = "C io_uring x 64";
    static final String USO = "C USO x 64";
    static final String TSO = "C TSO";
    static final String READ = "C read";
    static final String READ_URING = "C io_uring read x 64";

    /** Locally administered, and nobody's. */
    static final String FOREIGN_MAC = "02:00:00:00:00:77";

    private static final int SUPER_SEGMENTS = 64;
    private static final int TSO_PAYLOAD = 1448;
    private static final int TSO_SEGMENTS = 45;
    private static final int DISCARD_PORT = 9;

    private final Bed bed;
    private final String tap;
    private final int payload;
    private final Bed.Subnet subnet;
    private String mac = FOREIGN_MAC;
    private int port = DISCARD_PORT;

    /** Makes the TAP. */
    Loops(final Bed bed, final String tap, final int payload)
    {
        this.bed = bed;
        this.tap = tap;
        this.payload = payload;
        if (!bed.lab().netns().hasInterface(tap))
        {
            bed.lab().netns().addTap(tap, false);
        }
        subnet = bed.raise(tap);
    }

    /** Sends to this machine instead of to nobody. */
    Loops toSocket(final int udpPort)
    {
        mac = bed.lab().netns().mac(tap);
        port = udpPort;
        return this;
    }

    ProgramSide write()
    {
        return writer(WRITE, "write");
    }

    ProgramSide uring()
    {
        return writer(URING, "uring");
    }

    ProgramSide uso()
    {
        return writer(USO, "uso");
    }

    ProgramSide writer(final String label, final String mode)
    {
        return new ProgramSide(label, bed, command(mode, payload, SUPER_SEGMENTS));
    }

    /** In Gbit/s. */
    ProgramSide tso()
    {
        return new ProgramSide(TSO, bed, command("tso", TSO_PAYLOAD, TSO_SEGMENTS)).counting("bytes", 8e-9);
    }

    private List<String> command(final String mode, final int bytes, final int segments)
    {
        return bed.pinned(bed.settings().backCpu(), bed.program("tapwrite"), tap, mode, ProgramSide.SECONDS, mac,
            subnet.guest(), subnet.host(), Integer.toString(port), Integer.toString(bytes),
            Integer.toString(segments));
    }
}
