package io.ringtap.vhost.dataplane;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

import io.ringtap.flow.FrameBatch;
import io.ringtap.flow.Offloads;
import io.ringtap.flow.ToeplitzHash;
import io.ringtap.flow.VnetHeader;
import io.ringtap.frontend.DriverRing;
import io.ringtap.vhost.control.Commands;
import io.ringtap.vhost.control.ControlEffects;
import io.ringtap.vhost.control.ControlQueue;
import io.ringtap.vhost.control.ReceiveRules;
import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Frames of a port on their way to the pairs that the guest chose for them, workers driven by hand. */
class SteeringTest implements ControlEffects
{
    private static final int PAIRS = 4;
    private static final int LENGTH = 200;
    private static final int PAIRS_COMMAND = 0;
    private static final int RSS_COMMAND = 1;
    private static final int MQ = 4;

    /** Source, its port, destination, its port, and the hash that Microsoft publishes for them. */
    private static final String[] VECTORS = {
        "420995bb 0aea a18e6450 06e6 51ccc178", "c75c6f02 3796 41458c53 1283 c626b0ea",
        "1813c65f 3262 0c16cfb8 9488 5c2b394a", "261bcd1e bc64 d18ea306 08a9 afc7327f",
        "9927a3bf acdb cabc7f02 0517 10e828a2"};

    private final List<WorkerFixture> pairs = new ArrayList<>();
    private final List<Deque<Integer>> lent = new ArrayList<>();
    private final ControlQueue queue = new ControlQueue(PAIRS, 0, this);
    private int offloads;

    SteeringTest()
    {
        for (int pair = 0; pair < PAIRS; pair++)
        {
            pairs.add(new WorkerFixture(WorkerFixture.OFFLOADS, Offloads.NONE, pair));
            lent.add(new ArrayDeque<>());
        }
        queue.negotiated(NetFeatures.CONTROL | NetFeatures.bit(NetFeatures.RSS) | NetFeatures.bit(NetFeatures.MQ) |
            WorkerFixture.OFFLOADS, 0);
    }

    @AfterEach
    void close()
    {
        pairs.forEach(WorkerFixture::close);
    }

    @Test
    @Tag("virtio.RSS")
    void shouldGiveEachPublishedVectorToThePairOfItsHash()
    {
        int cases = 0;
        final Random random = new Random(1);
        for (int bits = 0; bits <= 7; bits++)
        {
            final int[] table = random.ints(1 << bits, 0, PAIRS).toArray();
            say(RSS_COMMAND, Commands.rss(ToeplitzHash.ALL_TYPES, 0, table, PAIRS));
            for (final String vector : VECTORS)
            {
                final byte[] frame = tcp(vector);
                final int hash = (int)Long.parseLong(vector.substring(vector.length() - 8), 16);
                for (int from = 0; from < PAIRS; from++)
                {
                    assertArrives(from, frame, table[hash & table.length - 1]);
                    cases++;
                }
            }
        }
        System.out.println("RSS: " + cases + " frames of published vectors arrived where they belong");
    }

    @Test
    @Tag("virtio.RSS")
    void shouldGiveWhatHasNoHashToThePairForThat()
    {
        final byte[] frame = Frames.random(new Random(3), LENGTH);
        frame[12] = 8;
        frame[13] = 6;
        for (int pair = 0; pair < PAIRS; pair++)
        {
            say(RSS_COMMAND, Commands.rss(ToeplitzHash.ALL_TYPES, pair, new int[]{0}, PAIRS));
            assertArrives(1, frame, pair);
            say(RSS_COMMAND, Commands.rss(ToeplitzHash.TYPE_IPV6, pair, new int[]{0}, PAIRS));
            assertArrives(2, tcp(VECTORS[0]), pair);
        }
    }

    @Test
    void shouldLeaveFramesWhereThePortPutThemAfterTheGuestSaysOnlyHowManyPairs()
    {
        say(RSS_COMMAND, Commands.rss(ToeplitzHash.ALL_TYPES, 0, new int[]{3}, PAIRS));
        assertArrives(1, tcp(VECTORS[0]), 3);
        say(PAIRS_COMMAND, Commands.number(PAIRS));
        assertArrives(1, tcp(VECTORS[0]), 1);
    }

    @Test
    void shouldKeepTheOrderOfAFlow()
    {
        say(RSS_COMMAND, Commands.rss(ToeplitzHash.ALL_TYPES, 0, new int[]{2}, PAIRS));
        final byte[] frame = tcp(VECTORS[1]);
        work();
        for (int i = 0; i < 40; i++)
        {
            lend(2);
            frame[LENGTH - 1] = (byte)i;
            pairs.get(0).port.arrive(frame.clone());
        }
        work();
        for (int i = 0; i < 40; i++)
        {
            frame[LENGTH - 1] = (byte)i;
            assertArrayEquals(frame, take(2));
        }
        assertEquals(40, pairs.get(0).count(WorkerCounter.STEERED));
    }

    @Test
    void shouldLoseAndCountWhatAPairDoesNotTake()
    {
        say(RSS_COMMAND, Commands.rss(ToeplitzHash.ALL_TYPES, 0, new int[]{1}, PAIRS));
        pairs.get(1).worker.receiveRing().enable(false);
        work();
        pairs.get(0).port.arrive(tcp(VECTORS[0]));
        work();
        assertEquals(1, pairs.get(0).count(WorkerCounter.DROP_STEERED));
        assertEquals(0, pairs.get(0).count(WorkerCounter.STEERED));
    }

    @Test
    void shouldKeepUnwantedFramesOut()
    {
        final byte[] frame = tcp(VECTORS[0]);
        say(RSS_COMMAND, Commands.rss(ToeplitzHash.ALL_TYPES, 0, new int[]{1}, PAIRS));
        send(0, 0, Commands.on(false));
        send(1, 1, Commands.address(0x0202L));
        pairs.get(0).port.arrive(frame);
        pairs.get(1).port.arrive(frame);
        work();
        assertEquals(1, pairs.get(0).count(WorkerCounter.DROP_FILTERED));
        assertEquals(1, pairs.get(1).count(WorkerCounter.DROP_FILTERED));
        send(0, 0, Commands.on(true));
        assertArrives(0, frame, 1);
    }

    @Test
    @Tag("virtio.RSS")
    void shouldChooseThePairForFramesOfOtherNicsToo()
    {
        final NicExchange exchange = new NicExchange();
        exchange.register(7, pairs.stream().map(each -> each.worker).toList());
        work();
        final FrameBatch batch = new FrameBatch(new UnsafeBuffer(new byte[4096]), 1, 1);
        final byte[] frame = tcp(VECTORS[2]);
        batch.arena().putBytes(512, frame);
        batch.add(FrameBatch.NO_SLOT, 0, 512, frame.length, 0);
        for (int pair = 0; pair < PAIRS; pair++)
        {
            say(RSS_COMMAND, Commands.rss(ToeplitzHash.ALL_TYPES, 0, new int[]{pair}, PAIRS));
            lend(pair);
            assertTrue(exchange.deliver(7, batch, 0));
            work();
            assertArrayEquals(frame, take(pair));
        }
        batch.close();
    }

    @Test
    @Tag("virtio.CTRL_GUEST_OFFLOADS")
    void shouldCutSuperFramesFromTheMomentTheGuestTakesThemNoMore()
    {
        final WorkerFixture w = pairs.get(0);
        final byte[] frame = Frames.udp(4000, 7, new byte[3000]);
        final byte[] header = new byte[WorkerFixture.HEADER];
        final UnsafeBuffer fields = new UnsafeBuffer(header);
        fields.putByte(0, (byte)1);
        fields.putByte(1, (byte)5);
        fields.putShort(2, (short)42);
        fields.putShort(4, (short)1000);
        fields.putShort(6, (short)34);
        fields.putShort(8, (short)6);
        final int whole = w.lend(4096);
        w.port.arrive(frame, header);
        w.work();
        assertEquals(5, VnetHeader.gsoType(w.guest, whole));
        w.receive.poll();
        assertEquals(WorkerFixture.HEADER + frame.length, w.receive.usedLength());

        // One waits for a buffer while the guest changes its mind.
        w.port.arrive(frame, header);
        w.work();
        send(5, 0, Commands.offloads(0));
        assertEquals(Offloads.NONE, offloads);
        for (int i = 0; i < 3; i++)
        {
            final int at = w.lend(4096);
            w.work();
            w.receive.poll();
            assertEquals(0, VnetHeader.gsoType(w.guest, at));
            assertEquals(0, VnetHeader.flags(w.guest, at));
            assertEquals(WorkerFixture.HEADER + 42 + 1000, w.receive.usedLength(), "segment " + i);
        }
        send(5, 0, Commands.offloads(WorkerFixture.OFFLOADS & NetFeatures.GUEST_OFFLOADS));
        final int again = w.lend(4096);
        w.port.arrive(frame, header);
        w.work();
        assertEquals(5, VnetHeader.gsoType(w.guest, again));
    }

    @Override
    public void receive(final ReceiveRules rules)
    {
        final Inbox[] inboxes = NicExchange.inboxes(pairs.stream().map(each -> each.worker).toList());
        pairs.forEach(each -> each.worker.settings().receive(rules, inboxes));
    }

    @Override
    public void offloads(final int wanted)
    {
        offloads = wanted;
        pairs.forEach(each -> each.worker.settings().offloads(wanted));
    }

    @Override
    public void address(final long mac)
    {
        // The rules say it.
    }

    @Override
    public boolean announced()
    {
        return false;
    }

    private void say(final int number, final byte[] payload)
    {
        send(MQ, number, payload);
    }

    private void send(final int group, final int number, final byte[] payload)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[2 + payload.length]);
        bytes.putByte(0, (byte)group);
        bytes.putByte(1, (byte)number);
        bytes.putBytes(2, payload);
        assertEquals(ControlQueue.OK, queue.handle(bytes, 0, bytes.capacity()));
    }

    private void assertArrives(final int from, final byte[] frame, final int at)
    {
        work();
        lend(at);
        pairs.get(from).port.arrive(frame);
        work();
        assertArrayEquals(frame, take(at));
    }

    private void lend(final int pair)
    {
        lent.get(pair).add(pairs.get(pair).lend(WorkerFixture.HEADER + LENGTH));
    }

    private byte[] take(final int pair)
    {
        final WorkerFixture w = pairs.get(pair);
        assertNotEquals(DriverRing.NONE, w.receive.poll());
        assertEquals(WorkerFixture.HEADER + LENGTH, w.receive.usedLength());
        return w.read(lent.get(pair).remove() + WorkerFixture.HEADER, LENGTH);
    }

    /** Twice: a frame that changed pairs is a later worker's work, or an earlier one's. */
    private void work()
    {
        pairs.forEach(WorkerFixture::work);
        pairs.forEach(WorkerFixture::work);
    }

    private static byte[] tcp(final String vector)
    {
        final String[] parts = vector.split(" ");
        final byte[] frame = new byte[LENGTH];
        ByteBuffer.wrap(frame).put(HexFormat.of().parseHex("020000000001020000000002" + "0800" +
            "450000ba0000000040060000" + parts[0] + parts[2] + parts[1] + parts[3]));
        return frame;
    }
}
