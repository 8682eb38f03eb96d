package io.ringtap.bench.path;

import io.ringtap.bench.harness.Bed;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.ProcessView;
import io.ringtap.it.rig.Testpmd;

import java.nio.file.Path;
import java.util.List;

/** DPDK's vhost backend, polling on the CPU of what is measured. */
public final class TestpmdBackEnd implements BackEnd
{
    private final Testpmd testpmd;
    private final Path socket;

    private TestpmdBackEnd(final Testpmd testpmd, final Path socket)
    {
        this.testpmd = testpmd;
        this.socket = socket;
    }

    /** Swallows what comes ({@code rxonly}) or generates ({@code txonly}). */
    public static TestpmdBackEnd alone(final Bed bed, final List<String> options)
    {
        final Path socket = bed.lab().socket(bed.unique("vhost"));
        return launch(bed, socket, List.of("--vdev", "net_vhost0,iface=" + socket + ",queues=1"), options);
    }

    /** Forwards between the socket and a TAP of its own making. */
    public static TestpmdBackEnd toTap(final Bed bed, final String tap)
    {
        final Path socket = bed.lab().socket(bed.unique("vhost"));
        return launch(bed, socket, List.of("--vdev", "net_vhost0,iface=" + socket + ",queues=1",
            "--vdev", "net_tap0,iface=" + tap), List.of("--forward-mode=io"));
    }

    /** Forwards between the socket and an interface, through packet sockets with mapped rings. */
    public static TestpmdBackEnd toPacketSocket(final Bed bed, final String device)
    {
        final Path socket = bed.lab().socket(bed.unique("vhost"));
        return launch(bed, socket, List.of("--vdev", "net_vhost0,iface=" + socket + ",queues=1",
            "--vdev", "net_af_packet0,iface=" + device + ",qdisc_bypass=1"), List.of("--forward-mode=io"));
    }

    /** Forwards between the socket and an interface, through an AF_XDP socket. */
    public static TestpmdBackEnd toXdpSocket(final Bed bed, final String device)
    {
        final Path socket = bed.lab().socket(bed.unique("vhost"));
        return launch(bed, socket, List.of("--vdev", "net_vhost0,iface=" + socket + ",queues=1",
            "--vdev", "net_af_xdp0,iface=" + device + ",start_queue=0,queue_count=1"), List.of("--forward-mode=io"));
    }

    private static TestpmdBackEnd launch(
        final Bed bed, final Path socket, final List<String> devices, final List<String> options)
    {
        final String cores = "0@" + bed.settings().frontCpu() + ",1@" + bed.settings().backCpu();
        bed.lab().own(() -> HostFiles.delete(socket));
        return new TestpmdBackEnd(
            Testpmd.launch(bed.lab(), bed.unique("testpmd"), cores, devices, options), socket);
    }

    @Override
    public Path socket()
    {
        return socket;
    }

    @Override
    public ProcessView view()
    {
        return new ProcessView(testpmd.process().pid());
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
    public void close()
    {
        testpmd.close();
        HostFiles.delete(socket);
    }
}
