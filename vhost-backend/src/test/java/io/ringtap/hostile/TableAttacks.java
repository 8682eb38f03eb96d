package io.ringtap.hostile;

import io.ringtap.vhost.dataplane.WorkerCounter;
import io.ringtap.vhost.virtio.RingCounter;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import static io.ringtap.hostile.HostileDriver.SEND;

/** Indirect tables that a driver must not make (virtio 1.x, 2.7.5.3, 2.8.7), and loops of descriptors. */
final class TableAttacks
{
    private static final int ENTRY = 16;

    private final List<Attack> attacks = new ArrayList<>();

    static List<Attack> all()
    {
        final TableAttacks table = new TableAttacks();
        table.lengths();
        table.places();
        table.nesting();
        table.contents();
        table.loops();
        table.nextOnes();
        table.packedChains();
        return table.attacks;
    }

    private void add(final String name, final Verdict verdict, final Consumer<HostileDriver> action)
    {
        attacks.add(Attack.sending(name, verdict, action));
    }

    private void addSplit(final String name, final Verdict verdict, final Consumer<HostileDriver> action)
    {
        attacks.add(Attack.sending(name, verdict, action).split());
    }

    private void addPacked(final String name, final Verdict verdict, final Consumer<HostileDriver> action)
    {
        attacks.add(Attack.sending(name, verdict, action).packed());
    }

    private void lengths()
    {
        final int tooMany = ENTRY * (Attack.SIZE + 1);
        for (final int length : new int[]{0, 1, 8, 15, 17, 31, 33, tooMany, tooMany - 1, 0x7FFF_FFF0, -1, -ENTRY,
            Integer.MIN_VALUE})
        {
            add("a table of " + Integer.toUnsignedString(length) + " bytes", Verdict.frame(RingCounter.INDIRECT_LENGTH),
                (d) ->
                {
                    d.table(d.header(), d.frame());
                    d.offer(SEND, Piece.table(d.tableAddress(), length));
                });
        }
    }

    private void places()
    {
        final Verdict unmapped = Verdict.frame(RingCounter.INDIRECT_UNMAPPED);
        for (final BadBuffer bad : BadBuffer.ALL)
        {
            final Attack attack = Attack.sending("a table " + bad.name(), unmapped, (d) ->
            {
                final Piece piece = bad.piece().apply(d);
                // of a length that is allowed, and that reaches over the same edge
                final long address = 60 == piece.length() ? piece.address() - 4 : piece.address();
                d.offer(SEND, Piece.table(address, ENTRY * 4));
            });
            if (!bad.name().startsWith("of ") && !bad.name().startsWith("over "))
            {
                attacks.add(bad.hole() ? attack.withHole() : attack);
            }
        }
        add("a table over a border of regions", unmapped,
            (d) -> d.offer(SEND, Piece.table(d.border() - ENTRY, 2 * ENTRY)));
        add("a table of which a byte lies over a border", unmapped,
            (d) -> d.offer(SEND, Piece.table(d.border() - 2 * ENTRY + 1, 2 * ENTRY)));
        add("a table at an odd address", Verdict.PASSES, (d) ->
        {
            final long at = d.tableAddress() + 1;
            final boolean isSplit = d.ring(SEND) instanceof RawSplitRing;
            d.ring(SEND).driver().pokeTable(
                at, 0, d.headerAddress(), HostileDriver.HEADER, isSplit ? Piece.NEXT : 0, 1);
            d.ring(SEND).driver().pokeTable(at, 1, d.frameAddress(), WireFrames.LENGTH, 0, 0);
            d.offer(SEND, Piece.table(at, 2 * ENTRY));
        });
        add("the ring itself as a table", Verdict.ITSELF,
            (d) -> d.offer(SEND, Piece.table(d.ring(SEND).driver().descriptorAddress(), ENTRY * Attack.SIZE)));
        add("the used part as a table", Verdict.ITSELF,
            (d) -> d.offer(SEND, Piece.table(d.ring(SEND).driver().deviceAddress(), ENTRY)));
        add("the driver's part as a table", Verdict.ITSELF,
            (d) -> d.offer(SEND, Piece.table(d.ring(SEND).driver().driverAddress(), ENTRY)));
    }

    private void nesting()
    {
        final Verdict nested = Verdict.frame(RingCounter.INDIRECT_NESTED);
        for (int place = 0; place < 3; place++)
        {
            final int at = place;
            add("a table as entry " + at + " of a table", nested, (d) ->
            {
                final Piece[] pieces = {d.header(), d.frame(), d.frame()};
                pieces[at] = Piece.table(d.tableAddress() + 4096, 2 * ENTRY);
                d.offer(SEND, d.table(pieces));
            });
        }
        add("a table that holds itself", nested,
            (d) -> d.offer(SEND, d.table(Piece.table(d.tableAddress(), ENTRY))));
        add("a nested table to write", nested,
            (d) -> d.offer(SEND, d.table(d.header(), Piece.table(d.tableAddress(), ENTRY).with(Piece.WRITE))));
        add("a table with a next descriptor", Verdict.frame(RingCounter.INDIRECT_CHAINED),
            (d) -> d.offer(SEND, d.table(d.header(), d.frame()), d.frame()));
        add("a buffer, and a table with a next descriptor", Verdict.frame(RingCounter.INDIRECT_CHAINED), (d) ->
        {
            final Piece table = d.table(d.frame());
            d.offer(SEND, d.header(), table, d.frame());
        });
        add("a table to write", Verdict.PASSES,
            (d) -> d.offer(SEND, d.table(d.header(), d.frame()).with(Piece.WRITE)));
        add("a table at the end of a chain", Verdict.PASSES, (d) ->
        {
            final Piece table = d.table(d.frame());
            d.offer(SEND, d.header(), table);
        });
    }

    private void contents()
    {
        add("a table of empty entries", Verdict.frame(WorkerCounter.DROP_CHAIN),
            (d) -> d.offer(SEND, d.table(d.frame(0), d.frame(0))));
        add("a table of one byte", Verdict.frame(WorkerCounter.DROP_CHAIN),
            (d) -> d.offer(SEND, d.table(d.frame(1))));
        add("a table of zeros", Verdict.frame(WorkerCounter.DROP_CHAIN), (d) ->
        {
            d.memory().setMemory((int)(d.tableAddress() - d.start()), 4 * ENTRY, (byte)0);
            d.offer(SEND, Piece.table(d.tableAddress(), 4 * ENTRY));
        });
        add("a table whose entries hold more than a frame", Verdict.frame(RingCounter.CHAIN_BYTES),
            (d) -> d.offer(SEND, d.table(d.header(), d.frame(65_000), d.frame(65_000))));
    }

    private void loops()
    {
        final Verdict endless = Verdict.frame(RingCounter.CHAIN_ENDLESS);
        for (final int length : new int[]{1, 2, 3, 8, Attack.SIZE})
        {
            addSplit("a loop of " + length, endless, (d) ->
            {
                d.remember();
                for (int i = 0; i < length; i++)
                {
                    d.ring(SEND).driver().pokeDescriptor(i, d.frameAddress(), 1, Piece.NEXT, (i + 1) % length);
                }
                d.split(SEND).show(0);
                d.kick(SEND);
            });
            addSplit("in a table, a loop of " + length, endless, (d) ->
            {
                for (int i = 0; i < length; i++)
                {
                    d.entry(i, d.frame(1).with(Piece.NEXT), (i + 1) % length);
                }
                d.offer(SEND, Piece.table(d.tableAddress(), ENTRY * length));
            });
        }
        addSplit("a tail that goes back to its middle", endless, (d) ->
        {
            d.remember();
            for (int i = 0; i < 6; i++)
            {
                d.ring(SEND).driver().pokeDescriptor(i, d.frameAddress(), 1, Piece.NEXT, 5 == i ? 3 : i + 1);
            }
            d.split(SEND).show(0);
            d.kick(SEND);
        });
    }

    private void nextOnes()
    {
        for (final int next : new int[]{Attack.SIZE, Attack.SIZE + 1, 32767, 32768, 65535})
        {
            addSplit("a next descriptor " + next, Verdict.frame(RingCounter.NEXT_RANGE), (d) ->
            {
                d.remember();
                d.ring(SEND).driver().pokeDescriptor(0, d.headerAddress(), HostileDriver.HEADER, Piece.NEXT, next);
                d.split(SEND).show(0);
                d.kick(SEND);
            });
            addSplit("in a table of two, a next entry " + next, Verdict.frame(RingCounter.NEXT_RANGE), (d) ->
            {
                d.entry(0, d.header().with(Piece.NEXT), next);
                d.entry(1, d.frame(), 0);
                d.offer(SEND, Piece.table(d.tableAddress(), 2 * ENTRY));
            });
        }
        addSplit("in a table of two, a next entry that the ring has", Verdict.frame(RingCounter.NEXT_RANGE), (d) ->
        {
            d.entry(0, d.header().with(Piece.NEXT), 2);
            d.offer(SEND, Piece.table(d.tableAddress(), 2 * ENTRY));
        });
        addSplit("a table of 16 whose chain has two", Verdict.PASSES, (d) ->
        {
            d.entry(7, d.frame(), 7);
            d.entry(0, d.header().with(Piece.NEXT), 7);
            d.offer(SEND, Piece.table(d.tableAddress(), Attack.SIZE * ENTRY));
        });
    }

    private void packedChains()
    {
        addPacked("a chain over the whole ring without an end", Verdict.ring(RingCounter.CHAIN_ENDLESS), (d) ->
        {
            d.remember();
            for (int i = Attack.SIZE - 1; i >= 0; i--)
            {
                d.ring(SEND).driver().pokeDescriptor(
                    i, d.frameAddress(), 1, Piece.NEXT | d.packed(SEND).flags(), i);
            }
            d.kick(SEND);
        });
        for (final int id : new int[]{Attack.SIZE, 255, 32768, 65535})
        {
            addPacked("a chain with the id " + id, Verdict.PASSES, (d) ->
            {
                d.remember();
                d.packed(SEND).offerAs(id, d.header(), d.frame());
                d.kick(SEND);
            });
        }
        addPacked("next flags in a table", Verdict.PASSES, (d) ->
        {
            d.entry(0, d.header().with(Piece.NEXT), 65535);
            d.entry(1, d.frame().with(Piece.NEXT), 65535);
            d.offer(SEND, Piece.table(d.tableAddress(), 2 * ENTRY));
        });
        for (final int flags : new int[]{0, 0x8080, 0x8000})
        {
            addPacked("a descriptor with flags 0x" + Integer.toHexString(flags) + " in the first lap", Verdict.UNSEEN,
                (d) ->
                {
                    d.remember();
                    d.ring(SEND).driver().pokeDescriptor(0, d.frameAddress(), 80, flags, 3);
                    d.kick(SEND);
                });
        }
    }
}
