package io.ringtap.hostile;

import io.ringtap.vhost.dataplane.WorkerCounter;
import io.ringtap.vhost.virtio.NetFeatures;
import io.ringtap.vhost.virtio.RingCounter;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import static io.ringtap.hostile.HostileDriver.RECEIVE;

/** Buffers to receive into that a driver must not lend (virtio 1.x, 5.1.6.3.1), and some that it may. */
final class ReceiveAttacks
{
    private static final int ENTRY = 16;
    /** Of the frame that the run sends, behind its header. */
    private static final int NEEDED = 112;
    /** A descriptor that the good ones, which begin at 0, leave alone. */
    private static final int LAST = Attack.SIZE - 1;

    private final List<Attack> attacks = new ArrayList<>();

    static List<Attack> all()
    {
        final ReceiveAttacks table = new ReceiveAttacks();
        table.badBuffers();
        table.badTables();
        table.kinds();
        table.small();
        table.unmergeable();
        table.lostWithOthers();
        return table.attacks;
    }

    private void add(final String name, final Verdict verdict, final Consumer<HostileDriver> action)
    {
        attacks.add(Attack.receiving(name, verdict, action));
    }

    private void badBuffers()
    {
        final Verdict unmapped = Verdict.frame(RingCounter.BUFFER_UNMAPPED);
        for (final BadBuffer bad : BadBuffer.ALL)
        {
            final Attack alone = Attack.receiving("room " + bad.name(), unmapped,
                (d) -> d.offer(RECEIVE, bad.piece().apply(d).with(Piece.WRITE)));
            final Attack second = Attack.receiving("more room " + bad.name(), unmapped,
                (d) -> d.offer(RECEIVE, Piece.writable(d.room(), 64), bad.piece().apply(d).with(Piece.WRITE)));
            final Attack inTable = Attack.receiving("in a table, room " + bad.name(), unmapped,
                (d) -> d.offer(RECEIVE, d.table(Piece.writable(d.room(), 64),
                    bad.piece().apply(d).with(Piece.WRITE))));
            for (final Attack each : List.of(alone, second, inTable))
            {
                attacks.add(bad.hole() ? each.withHole() : each);
            }
        }
    }

    private void badTables()
    {
        for (final int length : new int[]{0, 15, 17, ENTRY * (Attack.SIZE + 1), -ENTRY})
        {
            add("room in a table of " + Integer.toUnsignedString(length) + " bytes",
                Verdict.frame(RingCounter.INDIRECT_LENGTH),
                (d) -> d.offer(RECEIVE, Piece.table(d.tableAddress(), length)));
        }
        add("room in a table behind memory", Verdict.frame(RingCounter.INDIRECT_UNMAPPED),
            (d) -> d.offer(RECEIVE, Piece.table(d.end(), ENTRY)));
        add("room in a table over a border", Verdict.frame(RingCounter.INDIRECT_UNMAPPED),
            (d) -> d.offer(RECEIVE, Piece.table(d.border() - ENTRY, 2 * ENTRY)));
        add("room in a table in a table", Verdict.frame(RingCounter.INDIRECT_NESTED),
            (d) -> d.offer(RECEIVE, d.table(Piece.table(d.tableAddress(), ENTRY).with(Piece.WRITE))));
        add("room in a table with a next one", Verdict.frame(RingCounter.INDIRECT_CHAINED),
            (d) -> d.offer(RECEIVE, d.table(Piece.writable(d.room(), 200)), Piece.writable(d.room(), 200)));
        attacks.add(Attack.receiving("room in a table without the feature",
            Verdict.frame(RingCounter.INDIRECT_UNEXPECTED),
            (d) -> d.offer(RECEIVE, d.table(Piece.writable(d.room(), 200)))).without(NetFeatures.INDIRECT_DESC));
        attacks.add(Attack.receiving("room that loops", Verdict.frame(RingCounter.CHAIN_ENDLESS), (d) ->
        {
            d.remember();
            d.ring(RECEIVE).driver().pokeDescriptor(LAST, d.room(), 100, Piece.WRITE | Piece.NEXT, LAST);
            d.split(RECEIVE).show(LAST);
        }).split());
        attacks.add(Attack.receiving("room with a next that is none", Verdict.frame(RingCounter.NEXT_RANGE), (d) ->
        {
            d.remember();
            d.ring(RECEIVE).driver().pokeDescriptor(LAST, d.room(), 100, Piece.WRITE | Piece.NEXT, Attack.SIZE);
            d.split(RECEIVE).show(LAST);
        }).split());
    }

    private void kinds()
    {
        final Verdict chain = Verdict.frame(WorkerCounter.DROP_CHAIN);
        add("a buffer to read", chain, (d) -> d.offer(RECEIVE, Piece.readable(d.frameAddress(), 1500)));
        add("empty room", chain, (d) -> d.offer(RECEIVE, Piece.writable(d.room(), 0)));
        add("empty rooms", chain,
            (d) -> d.offer(RECEIVE, Piece.writable(d.room(), 0), Piece.writable(d.room(), 0)));
        add("a table of empty rooms", chain, (d) -> d.offer(RECEIVE, d.table(Piece.writable(d.room(), 0))));
        add("a buffer to read behind room", Verdict.frame(RingCounter.BUFFER_ORDER),
            (d) -> d.offer(RECEIVE, Piece.writable(d.room(), 200), d.frame()));
        add("buffers to read and room in turn", Verdict.frame(RingCounter.BUFFER_ORDER),
            (d) -> d.offer(RECEIVE, d.frame(), Piece.writable(d.room(), 200), d.frame(),
                Piece.writable(d.room(), 200)));
        add("nine buffers to read", Verdict.frame(RingCounter.CHAIN_BUFFERS),
            (d) -> d.offer(RECEIVE, d.frame(), d.frame(), d.frame(), d.frame(), d.frame(), d.frame(), d.frame(),
                d.frame(), d.frame()));
        attacks.add(Attack.receiving("257 rooms of a byte", Verdict.frame(RingCounter.CHAIN_BUFFERS),
            (d) -> d.offer(RECEIVE, rooms(d, 257, 1))).large());
        add("a buffer to read before the room", Verdict.PASSES,
            (d) -> d.offer(RECEIVE, d.frame(), Piece.writable(d.room(), 200)));
        add("room for all of memory", Verdict.ITSELF, (d) ->
        {
            d.offer(RECEIVE, Piece.writable(d.start(), (int)(d.end() - d.start())));
            d.lend(RECEIVE);
        });
        add("room over the ring's descriptors", Verdict.ITSELF,
            (d) -> d.offer(RECEIVE, Piece.writable(d.ring(RECEIVE).driver().descriptorAddress(), 256)));
        add("room over the device's part of the ring", Verdict.ITSELF,
            (d) -> d.offer(RECEIVE, Piece.writable(d.ring(RECEIVE).driver().deviceAddress(), 64)));
        add("room over the driver's part of the ring", Verdict.ITSELF,
            (d) -> d.offer(RECEIVE, Piece.writable(d.ring(RECEIVE).driver().driverAddress(), 64)));
        add("room over the other ring", Verdict.ITSELF,
            (d) -> d.offer(RECEIVE, Piece.writable(d.ring(HostileDriver.SEND).driver().descriptorAddress(), 256)));
        add("room over its own table", Verdict.ITSELF,
            (d) -> d.offer(RECEIVE, d.table(Piece.writable(d.tableAddress(), 256))));
    }

    private static Piece[] rooms(final HostileDriver driver, final int count, final int length)
    {
        final Piece[] pieces = new Piece[count];
        for (int i = 0; i < count; i++)
        {
            pieces[i] = Piece.writable(driver.room() + (long)i * length, length);
        }
        return pieces;
    }

    /** Mergeable buffers may be of any size; only so many of them make a frame. */
    private void small()
    {
        for (final int length : new int[]{1, 2, 3, 7, 11, 12, 13, 25, 100, NEEDED - 1})
        {
            final int chains = (NEEDED + length - 1) / length;
            final boolean isEnough = chains <= 64;
            attacks.add(Attack.receiving(chains + " chains of " + length + " bytes",
                isEnough ? Verdict.PASSES : Verdict.received(WorkerCounter.DROP_TOO_BIG), (d) ->
                {
                    for (final Piece piece : rooms(d, chains, length))
                    {
                        d.offer(RECEIVE, piece);
                    }
                }).large());
            attacks.add(Attack.receiving("a chain of " + chains + " rooms of " + length + " bytes", Verdict.PASSES,
                (d) -> d.offer(RECEIVE, rooms(d, chains, length))).large());
        }
    }

    private void unmergeable()
    {
        for (final int length : new int[]{1, 11, 12, 13, 25, NEEDED - 1})
        {
            attacks.add(Attack.receiving(
                "without merging, room of " + length, Verdict.received(WorkerCounter.DROP_TOO_BIG),
                (d) -> d.offer(RECEIVE, Piece.writable(d.room(), length))).without(NetFeatures.MRG_RXBUF));
        }
        attacks.add(Attack.receiving("without merging, room of " + NEEDED, Verdict.PASSES,
            (d) -> d.offer(RECEIVE, Piece.writable(d.room(), NEEDED))).without(NetFeatures.MRG_RXBUF));
    }

    /** A chain at fault behind good ones takes the frame with it that they were for. */
    private void lostWithOthers()
    {
        for (final int before : new int[]{1, 2, 5})
        {
            add("room at fault behind " + before + " good ones", Verdict.received(WorkerCounter.DROP_CHAIN), (d) ->
            {
                for (int i = 0; i < before; i++)
                {
                    d.offer(RECEIVE, Piece.writable(d.room() + 20 * i, 20));
                }
                d.offer(RECEIVE, Piece.readable(d.frameAddress(), 100));
            });
        }
        add("nothing at all", Verdict.received(WorkerCounter.RECEIVE_STARVED), (d) -> d.remember());
        add("less room than a frame needs, and then nothing", Verdict.received(WorkerCounter.RECEIVE_STARVED),
            (d) -> d.offer(RECEIVE, Piece.writable(d.room(), NEEDED - 1)));
    }
}
