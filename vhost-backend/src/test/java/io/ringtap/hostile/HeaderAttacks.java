package io.ringtap.hostile;

import io.ringtap.vhost.dataplane.WorkerCounter;
import io.ringtap.vhost.virtio.NetFeatures;

import java.util.ArrayList;
import java.util.List;

import static io.ringtap.hostile.HostileDriver.SEND;

/** Net headers with every field out of range (virtio 1.x, 5.1.6.2), before frames of 60 and 1400 bytes. */
final class HeaderAttacks
{
    private static final Verdict BAD = Verdict.frame(WorkerCounter.DROP_NET_HEADER);
    private static final Verdict GOOD = Verdict.PASSES;
    private static final int LONG = 1400;
    private static final int SHORT = WireFrames.LENGTH;
    private static final int NEEDS_CSUM = 1;
    private static final int TCP4 = 1;
    private static final int UFO = 3;
    private static final int TCP6 = 4;
    private static final int USO = 5;
    private static final int ECN = 0x80;
    private static final int TRANSPORT = WireFrames.TRANSPORT;
    private static final int TCP_SUM = 16;
    private static final int UDP_SUM = 6;

    private final List<Attack> attacks = new ArrayList<>();

    static List<Attack> all()
    {
        final HeaderAttacks table = new HeaderAttacks();
        table.checksums();
        table.types();
        table.sizes();
        table.flags();
        table.unnegotiated();
        return table.attacks;
    }

    private Attack add(
        final Verdict verdict, final int length, final int flags, final int type, final int headerLength,
        final int size, final int start, final int offset)
    {
        return add("", verdict, length, flags, type, headerLength, size, start, offset);
    }

    private Attack add(
        final String prefix, final Verdict verdict, final int length, final int flags, final int type,
        final int headerLength, final int size, final int start, final int offset)
    {
        final String name = prefix + String.format("flags 0x%x type 0x%x hdr_len %d gso_size %d csum %d + %d before %d",
            flags, type, headerLength, size, start, offset, length);
        final Attack attack = Attack.sending(name, verdict, (d) ->
        {
            final boolean isTcp = TCP4 == (type & 0x7F) || TCP6 == (type & 0x7F);
            d.write(isTcp ? WireFrames.tcp(length) : WireFrames.udp(0, 1000, 7, length));
            d.header(flags, type, headerLength, size, start, offset, 0xFFFF);
            d.offer(SEND, d.header(), d.frame(length));
        });
        attacks.add(attack);
        return attack;
    }

    private void checksums()
    {
        final int[][] bad = {
            {0, 0}, {0, TCP_SUM}, {13, UDP_SUM}, {14, UDP_SUM}, {19, 0}, {TRANSPORT, SHORT - TRANSPORT - 1},
            {SHORT - 1, 0}, {SHORT, 0}, {SHORT + 1, 0}, {0xFFFF, 0}, {0, 0xFFFF}, {TRANSPORT, 0xFFFF},
            {0xFFFF, 0xFFFF}, {0x8000, 0x7FFF}, {0x7FFF, 0x8000}, {0xFFFF, 2}, {TRANSPORT, 0xFFFE}};
        for (final int[] sum : bad)
        {
            add(BAD, SHORT, NEEDS_CSUM, 0, 0, 0, sum[0], sum[1]);
        }
        final int[][] good = {
            {20, 0}, {TRANSPORT, UDP_SUM}, {TRANSPORT, SHORT - TRANSPORT - 2}, {SHORT - 2, 0}, {TRANSPORT, 0}};
        for (final int[] sum : good)
        {
            add(GOOD, SHORT, NEEDS_CSUM, 0, 0, 0, sum[0], sum[1]);
        }
        // where no checksum is wanted its place says nothing
        add(GOOD, SHORT, 0, 0, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF);
    }

    private void types()
    {
        for (final int type : new int[]{2, 6, 7, 8, 0x10, 0x20, 0x21, 0x25, 0x40, 0x41, 0x44, 0x60, 0x61, 0x7F, ECN,
            ECN | 2, ECN | UFO, ECN | USO, ECN | 0x21, 0xFF})
        {
            add(BAD, LONG, NEEDS_CSUM, type, 54, 500, TRANSPORT, TCP_SUM);
            add(BAD, LONG, 0, type, 54, 500, 0, 0);
        }
        for (final int type : new int[]{TCP4, TCP6, USO, TCP4 | ECN, TCP6 | ECN})
        {
            // GSO without a begun checksum
            add(BAD, LONG, 0, type, 54, 500, TRANSPORT, TCP_SUM);
        }
        // not offered to this driver
        add(BAD, LONG, 0, UFO, 42, 500, 0, 0);
        add(BAD, LONG, NEEDS_CSUM, UFO, 42, 500, TRANSPORT, UDP_SUM);
    }

    private void sizes()
    {
        for (final int size : new int[]{0, 0xFFFF})
        {
            add(BAD, LONG, NEEDS_CSUM, TCP4, 54, size, TRANSPORT, TCP_SUM);
            add(BAD, LONG, NEEDS_CSUM, TCP6, 74, size, 54, TCP_SUM);
            add(BAD, LONG, NEEDS_CSUM, USO, 42, size, TRANSPORT, UDP_SUM);
        }
        for (final int size : new int[]{1, 2, 10})
        {
            // more than 128 datagrams
            add(BAD, LONG, NEEDS_CSUM, USO, 42, size, TRANSPORT, UDP_SUM);
        }
        add(GOOD, LONG, NEEDS_CSUM, USO, 42, 11, TRANSPORT, UDP_SUM);
        for (final int size : new int[]{1, 536, 0xFFFE})
        {
            add(GOOD, LONG, NEEDS_CSUM, TCP4, 54, size, TRANSPORT, TCP_SUM);
        }
        for (final int hint : new int[]{0, 1, 53, LONG, LONG + 1, 0xFFFF})
        {
            // a hint only
            add(GOOD, LONG, NEEDS_CSUM, TCP4, hint, 500, TRANSPORT, TCP_SUM);
        }
        for (final int offset : new int[]{0, UDP_SUM, 15, 17, 1000})
        {
            add(BAD, LONG, NEEDS_CSUM, TCP4, 54, 500, TRANSPORT, offset);
        }
        for (final int offset : new int[]{0, TCP_SUM, 5, 7})
        {
            add(BAD, LONG, NEEDS_CSUM, USO, 42, 500, TRANSPORT, offset);
        }
        // headers that reach beyond the frame
        add(BAD, SHORT, NEEDS_CSUM, TCP4, 54, 1, SHORT - 19, TCP_SUM);
        add(BAD, SHORT, NEEDS_CSUM, USO, 42, 1, SHORT - 8 + 1, UDP_SUM);
        add(BAD, LONG, NEEDS_CSUM, TCP6, 54, 500, TRANSPORT, TCP_SUM);
        add(BAD, LONG, NEEDS_CSUM, TCP4, 54, 500, LONG - 1, TCP_SUM);
        add(BAD, LONG, NEEDS_CSUM, TCP4, 54, 500, 0xFFFF, TCP_SUM);
    }

    private void flags()
    {
        for (int bit = 1; bit < 8; bit++)
        {
            // flags of the other direction, or of nobody, say nothing
            add(GOOD, SHORT, 1 << bit, 0, 0, 0, 0, 0);
        }
        add(GOOD, SHORT, 0xFF, 0, 0, 0, TRANSPORT, UDP_SUM);
        add(BAD, SHORT, 0xFF, 0, 0, 0, SHORT, UDP_SUM);
        add(BAD, SHORT, 0xFF, 0xFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF);
        add(BAD, SHORT, 0xFE, 0xFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF);
    }

    private void unnegotiated()
    {
        replace(add("without CSUM: ", BAD, SHORT, NEEDS_CSUM, 0, 0, 0, TRANSPORT, UDP_SUM), NetFeatures.CSUM,
            NetFeatures.HOST_TSO4, NetFeatures.HOST_TSO6, NetFeatures.HOST_ECN, NetFeatures.HOST_USO);
        replace(add("without TSO4: ", BAD, LONG, NEEDS_CSUM, TCP4, 54, 500, TRANSPORT, TCP_SUM),
            NetFeatures.HOST_TSO4);
        replace(add("without TSO6: ", BAD, LONG, NEEDS_CSUM, TCP6, 74, 500, 54, TCP_SUM), NetFeatures.HOST_TSO6);
        replace(add("without USO: ", BAD, LONG, NEEDS_CSUM, USO, 42, 500, TRANSPORT, UDP_SUM), NetFeatures.HOST_USO);
        replace(add("without ECN: ", BAD, LONG, NEEDS_CSUM, TCP4 | ECN, 54, 500, TRANSPORT, TCP_SUM),
            NetFeatures.HOST_ECN);
    }

    private void replace(final Attack attack, final int... features)
    {
        attacks.set(attacks.indexOf(attack), attack.without(features));
    }
}
