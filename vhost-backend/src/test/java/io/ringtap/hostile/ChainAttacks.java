package io.ringtap.hostile;

import io.ringtap.vhost.dataplane.WorkerCounter;
import io.ringtap.vhost.virtio.NetFeatures;
import io.ringtap.vhost.virtio.RingCounter;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import static io.ringtap.hostile.HostileDriver.SEND;

/** Chains that a driver must not make (virtio 1.x, 2.7.4, 2.7.5, 2.8.5 to 2.8.7), in a ring that it sends by. */
final class ChainAttacks
{
    private static final int HEADER = HostileDriver.HEADER;
    private static final int LONGEST = 65_550;
    private static final int MOST_BYTES = 66_560;
    private static final int MOST_BUFFERS = 256;

    private final List<Attack> attacks = new ArrayList<>();

    static List<Attack> all()
    {
        final ChainAttacks table = new ChainAttacks();
        table.badBuffers();
        table.lengths();
        table.order();
        table.counts();
        table.splitHeaders();
        table.straddles();
        return table.attacks;
    }

    private void add(final String name, final Verdict verdict, final Consumer<HostileDriver> action)
    {
        attacks.add(Attack.sending(name, verdict, action));
    }

    private void badBuffers()
    {
        final Verdict unmapped = Verdict.frame(RingCounter.BUFFER_UNMAPPED);
        for (final BadBuffer bad : BadBuffer.ALL)
        {
            place(bad, Attack.sending("a lone buffer " + bad.name(), unmapped,
                (d) -> d.offer(SEND, bad.piece().apply(d))));
            place(bad, Attack.sending("a frame " + bad.name(), unmapped,
                (d) -> d.offer(SEND, d.header(), bad.piece().apply(d))));
            place(bad, Attack.sending("a rest " + bad.name(), unmapped,
                (d) -> d.offer(SEND, d.header(), d.frame(), bad.piece().apply(d))));
            place(bad, Attack.sending("a buffer to write " + bad.name(), unmapped,
                (d) -> d.offer(SEND, d.header(), d.frame(), bad.piece().apply(d).with(Piece.WRITE))));
            place(bad, Attack.sending("in a table, a buffer " + bad.name(), unmapped,
                (d) -> d.offer(SEND, d.table(d.header(), bad.piece().apply(d), d.frame()))));
        }
    }

    private void place(final BadBuffer bad, final Attack attack)
    {
        attacks.add(bad.hole() ? attack.withHole() : attack);
    }

    private void lengths()
    {
        for (final int bytes : new int[]{0, 1, 2, 9, 10, 11})
        {
            add(bytes + " bytes, less than a net header", Verdict.frame(WorkerCounter.DROP_CHAIN),
                (d) -> d.offer(SEND, d.frame(bytes)));
        }
        for (final int bytes : new int[]{0, 1, 6, 12, 13})
        {
            add("a frame of " + bytes, Verdict.frame(WorkerCounter.DROP_SHORT),
                (d) -> d.offer(SEND, d.header(), d.frame(bytes)));
            add("a frame of " + bytes + " in one buffer with its header", Verdict.frame(WorkerCounter.DROP_SHORT),
                (d) -> d.offer(SEND, d.frame(HEADER + bytes)));
        }
        for (final int bytes : new int[]{14, 15, 1514, 1793, 9014, LONGEST - 1, LONGEST})
        {
            add("a frame of " + bytes, Verdict.PASSES, (d) -> d.offer(SEND, d.header(), d.frame(bytes)));
        }
        for (final int bytes : new int[]{LONGEST + 1, MOST_BYTES - HEADER})
        {
            add("a frame of " + bytes, Verdict.frame(WorkerCounter.DROP_LONG),
                (d) -> d.offer(SEND, d.header(), d.frame(bytes)));
        }
        for (final int bytes : new int[]{MOST_BYTES - HEADER + 1, 70_000})
        {
            add("a frame of " + bytes, Verdict.frame(RingCounter.CHAIN_BYTES),
                (d) -> d.offer(SEND, d.header(), d.frame(bytes)));
        }
        add("all of memory as a frame", Verdict.frame(RingCounter.CHAIN_BYTES),
            (d) -> d.offer(SEND, d.header(), Piece.readable(d.start(), (int)(d.end() - d.start()))));
        add("the longest frame twice", Verdict.frame(RingCounter.CHAIN_BYTES),
            (d) -> d.offer(SEND, d.header(), d.frame(LONGEST), d.frame(LONGEST)));
        add("a frame of empty buffers", Verdict.frame(WorkerCounter.DROP_CHAIN),
            (d) -> d.offer(SEND, d.frame(0), d.frame(0), d.frame(0)));
        add("empty buffers around a frame", Verdict.PASSES,
            (d) -> d.offer(SEND, d.frame(0), d.header(), d.frame(0), d.frame(), d.frame(0)));
        add("an empty buffer that lies nowhere", Verdict.PASSES,
            (d) -> d.offer(SEND, Piece.readable(-1, 0), d.header(), d.frame(), Piece.readable(0, 0)));
    }

    private void order()
    {
        final Verdict order = Verdict.frame(RingCounter.BUFFER_ORDER);
        add("only room to write", Verdict.frame(WorkerCounter.DROP_CHAIN),
            (d) -> d.offer(SEND, Piece.writable(d.room(), 1500)));
        add("room to write before the header", order,
            (d) -> d.offer(SEND, Piece.writable(d.room(), 100), d.header(), d.frame()));
        add("room to write between header and frame", order,
            (d) -> d.offer(SEND, d.header(), Piece.writable(d.room(), 100), d.frame()));
        add("room to write before the last byte", order,
            (d) -> d.offer(SEND, d.header(), d.frame(), Piece.writable(d.room(), 1), d.frame(1)));
        add("empty room to write before the frame", order,
            (d) -> d.offer(SEND, d.header(), Piece.writable(d.room(), 0), d.frame()));
        add("in a table, room to write before the frame", order,
            (d) -> d.offer(SEND, d.table(d.header(), Piece.writable(d.room(), 100), d.frame())));
        add("room to write behind the frame", Verdict.PASSES,
            (d) -> d.offer(SEND, d.header(), d.frame(), Piece.writable(d.room(), 1500)));
        add("the frame's own place as room to write", Verdict.PASSES,
            (d) -> d.offer(SEND, d.header(), d.frame(), d.frame().with(Piece.WRITE)));
    }

    private void counts()
    {
        for (final int count : new int[]{MOST_BUFFERS + 1, 300, Attack.LARGE})
        {
            attacks.add(Attack.sending(count + " buffers", Verdict.frame(RingCounter.CHAIN_BUFFERS),
                (d) -> d.offer(SEND, bytes(d, count))).large());
            attacks.add(Attack.sending("in a table, " + count + " buffers", Verdict.frame(RingCounter.CHAIN_BUFFERS),
                (d) -> d.offer(SEND, d.table(bytes(d, count)))).large());
        }
        attacks.add(Attack.sending(MOST_BUFFERS + " buffers", Verdict.PASSES, (d) ->
        {
            d.header(0, 0);
            final Piece[] pieces = bytes(d, MOST_BUFFERS);
            pieces[0] = d.header();
            d.offer(SEND, pieces);
        }).large());
        add("nine buffers to write", Verdict.frame(RingCounter.CHAIN_BUFFERS), (d) ->
        {
            final Piece[] pieces = new Piece[11];
            pieces[0] = d.header();
            pieces[1] = d.frame();
            for (int i = 2; i < pieces.length; i++)
            {
                pieces[i] = Piece.writable(d.room() + i, 1);
            }
            d.offer(SEND, pieces);
        });
    }

    private static Piece[] bytes(final HostileDriver driver, final int count)
    {
        final Piece[] pieces = new Piece[count];
        for (int i = 0; i < count; i++)
        {
            pieces[i] = Piece.readable(driver.frameAddress() + (0 == i ? 0 : i - 1), 1);
        }
        return pieces;
    }

    /** ANY_LAYOUT: the header may be cut at every byte (virtio 1.x, 2.7.4.2). */
    private void splitHeaders()
    {
        for (int cut = 1; cut < HEADER; cut++)
        {
            final int first = cut;
            add("a header cut at byte " + first, Verdict.PASSES,
                (d) -> d.offer(SEND, Piece.readable(d.headerAddress(), first),
                    Piece.readable(d.headerAddress() + first, HEADER - first), d.frame()));
        }
        add("a header in twelve buffers", Verdict.PASSES, (d) ->
        {
            final Piece[] pieces = new Piece[HEADER + 1];
            for (int i = 0; i < HEADER; i++)
            {
                pieces[i] = Piece.readable(d.headerAddress() + i, 1);
            }
            pieces[HEADER] = d.frame();
            d.offer(SEND, pieces);
        });
        attacks.add(Attack.sending("header and frame in buffers of one byte", Verdict.PASSES, (d) ->
        {
            final Piece[] pieces = new Piece[HEADER + WireFrames.LENGTH];
            for (int i = 0; i < pieces.length; i++)
            {
                pieces[i] = Piece.readable(
                    i < HEADER ? d.headerAddress() + i : d.frameAddress() + i - HEADER, 1);
            }
            d.offer(SEND, pieces);
        }).large());
        attacks.add(Attack.sending("in a table, header and frame in buffers of one byte", Verdict.PASSES, (d) ->
        {
            final Piece[] pieces = new Piece[HEADER + WireFrames.LENGTH];
            for (int i = 0; i < pieces.length; i++)
            {
                pieces[i] = Piece.readable(
                    i < HEADER ? d.headerAddress() + i : d.frameAddress() + i - HEADER, 1);
            }
            d.offer(SEND, d.table(pieces));
        }).large());
    }

    /** Memory that goes on behind a border of regions may be used as one. */
    private void straddles()
    {
        for (final int before : new int[]{1, 8, 30, 59})
        {
            add("a buffer to write that begins " + before + " bytes before a border", Verdict.PASSES,
                (d) -> d.offer(SEND, d.header(), d.frame(), Piece.writable(d.border() - before, 60)));
        }
        attacks.add(Attack.sending("a table without the feature", Verdict.frame(RingCounter.INDIRECT_UNEXPECTED),
            (d) -> d.offer(SEND, d.table(d.header(), d.frame()))).without(NetFeatures.INDIRECT_DESC));
    }
}
