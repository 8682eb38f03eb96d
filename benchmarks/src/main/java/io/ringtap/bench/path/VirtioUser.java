package io.ringtap.bench.path;

import io.ringtap.bench.harness.Bed;
import io.ringtap.it.rig.Testpmd;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** DPDK's virtio-user: somebody else's driver, in C. */
public final class VirtioUser implements FrontEnd
{
    /** In order and mergeable buffers: DPDK's fastest ways with both kinds of ring. */
    private static final String FEATURES = ",in_order=1,mrg_rxbuf=1";

    private final Testpmd testpmd;

    private VirtioUser(final Testpmd testpmd)
    {
        this.testpmd = testpmd;
    }

    /** How the driver is: the kind of ring and its size. */
    public record Ring(boolean isPacked, int size)
    {
        public static final Ring SPLIT = new Ring(false, 1024);
        public static final Ring PACKED = new Ring(true, 1024);
    }

    /** @param options of testpmd, the forward mode among them. */
    public static VirtioUser connect(final Bed bed, final Path socket, final Ring ring, final List<String> options)
    {
        final String cores = "0@" + bed.settings().frontCpu() + ",1@" + bed.settings().frontCpu();
        final List<String> all = new ArrayList<>(List.of("--rxd=" + ring.size(), "--txd=" + ring.size(),
            "--total-num-mbufs=" + Math.max(16384, 4 * ring.size()), "--no-flush-rx"));
        all.addAll(options);
        return new VirtioUser(Testpmd.launch(bed.lab(), bed.unique("virtio-user"), cores,
            List.of("--vdev", "net_virtio_user0,path=" + socket + ",queues=1,queue_size=" + ring.size() +
                ",packed_vq=" + (ring.isPacked() ? 1 : 0) + FEATURES), all));
    }

    @Override
    public void start()
    {
        testpmd.startForwarding();
    }

    @Override
    public void stop()
    {
        testpmd.stopForwarding();
    }

    @Override
    public long sent()
    {
        return testpmd.sent();
    }

    @Override
    public long received()
    {
        return testpmd.received();
    }

    @Override
    public void close()
    {
        testpmd.close();
    }
}
