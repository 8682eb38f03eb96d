package io.ringtap.bench.scenario;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.path.BackEnd;
import io.ringtap.bench.path.BuiltInGuest;
import io.ringtap.bench.path.PathSide;
import io.ringtap.bench.path.RingtapBackEnd;
import io.ringtap.bench.path.TestpmdBackEnd;
import io.ringtap.bench.path.UdpSink;

import java.util.List;

/** One flow of small datagrams from the guest to a socket behind the TAP, counted at the socket. */
final class UdpSocketScenario implements Scenario
{
    private static final int LENGTH = 64;
    private static final int OUR_PORT = 7001;
    private static final int THEIR_PORT = 7002;
    private static final int LOOP_PORT = 7003;

    @Override
    public String name()
    {
        return "udp-socket";
    }

    @Override
    public String title()
    {
        return "Guest to a UDP socket behind the TAP";
    }

    @Override
    public String about()
    {
        return "The built-in guest sends 64-byte UDP frames of one flow, with checksums, to the address of the TAP; " +
            "a program in C takes them with recvmmsg() from a plain socket, or from one with UDP_GRO. What counts " +
            "is datagrams that the program received, each one inside larger pieces too. Receiver and guest share a " +
            "CPU, so the guest sleeps while its ring is full: DPDK's generator would spin.";
    }

    @Override
    public boolean needsPeers()
    {
        return true;
    }

    @Override
    public List<Row> run(final Bed bed)
    {
        final Rows rows = new Rows(bed);
        for (final boolean isGro : new boolean[]{false, true})
        {
            final String name = isGro ? "UDP_GRO socket" : "plain socket";
            rows.add(name, () -> compare(bed, name, isGro));
        }
        return rows.list();
    }

    private static Row compare(final Bed bed, final String name, final boolean isGro)
    {
        final String loopTap = isGro ? "cgro" : "cplain";
        final UdpSink loopSink = UdpSink.open(bed, LOOP_PORT, isGro);
        final Loops loops = new Loops(bed, loopTap, LENGTH - Load.HEADERS).toSocket(LOOP_PORT);
        final UdpSink ourSink = UdpSink.open(bed, OUR_PORT, isGro);
        final UdpSink theirSink = UdpSink.open(bed, THEIR_PORT, isGro);
        final String ourTap = isGro ? "rgro" : "rplain";
        final String theirTap = isGro ? "dgro" : "dplain";
        try
        {
            return Comparison.more(bed, name, "Mpps")
                .side(side(bed, "ringtap", RingtapBackEnd.serve(bed, "--tap=" + ourTap), ourTap, OUR_PORT, ourSink))
                .side(side(bed, Loops.TESTPMD_TAP, TestpmdBackEnd.toTap(bed, theirTap), theirTap, THEIR_PORT,
                    theirSink))
                .side(loops.write().counting(loopSink::datagrams))
                .side(loops.uring().counting(loopSink::datagrams))
                .side(loops.uso().counting(loopSink::datagrams))
                .goal(Loops.WRITE, isGro ? 20 : 4)
                .run();
        }
        finally
        {
            loopSink.close();
            ourSink.close();
            theirSink.close();
        }
    }

    private static PathSide side(
        final Bed bed, final String label, final BackEnd backEnd, final String tap, final int port, final UdpSink sink)
    {
        final Bed.Subnet subnet = bed.raise(tap);
        final BuiltInGuest guest = BuiltInGuest.connect(bed, backEnd.socket(), "sleep=true", "size=" + LENGTH,
            "mac=" + bed.lab().netns().mac(tap), "source=" + subnet.guest(), "destination=" + subnet.host(),
            "port=" + port);
        return new PathSide(label, backEnd).with(guest).counting(sink::datagrams);
    }
}
