package io.ringtap.flow;

import io.ringtap.RandomSeed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static io.ringtap.flow.TestFrame.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sort, coalesce, segment: every flow comes out as it went in, bit for bit. */
class FlowPropertyTest
{
    private final BatchFixture fixture = new BatchFixture();
    private final long seed = RandomSeed.seed(FlowPropertyTest.class);
    private final Random random = new Random(seed);

    @AfterEach
    void close()
    {
        fixture.close();
    }

    /** A train of frames as a sender of one flow makes it, with what breaks a run thrown in. */
    private List<TestFrame> flow(final int count)
    {
        final List<TestFrame> frames = new ArrayList<>();
        TestFrame frame = TestFrame.random(random);
        final boolean hasFixedId = random.nextInt(4) == 0;
        final int breakOneIn = 1 + random.nextInt(20);
        for (int i = 0; i < count; i++)
        {
            frames.add(frame);
            final TestFrame next = frame.next(random.nextInt(8) == 0 ? payload() : frame.payload);
            next.id = hasFixedId ? frame.id : next.id;
            next.flags = TestFrame.ACK;
            if (random.nextInt(breakOneIn) == 0)
            {
                disturb(next);
            }
            frame = next;
        }
        return frames;
    }

    private byte[] payload()
    {
        final byte[] payload = new byte[random.nextInt(random.nextBoolean() ? 60 : 1450)];
        random.nextBytes(payload);
        return payload;
    }

    private void disturb(final TestFrame frame)
    {
        switch (random.nextInt(12))
        {
            case 0:
                frame.flags |= TestFrame.PSH;
                break;
            case 1:
                frame.flags |= TestFrame.FIN;
                break;
            case 2:
                frame.flags |= TestFrame.CWR;
                break;
            case 3:
                frame.flags |= TestFrame.ECE;
                break;
            case 4:
                frame.flags = 1 << random.nextInt(8);
                break;
            case 5:
                frame.window = random.nextInt(65536);
                break;
            case 6:
                frame.acknowledged = random.nextInt() & 0xFFFFFFFFL;
                break;
            case 7:
                frame.sequence = random.nextInt() & 0xFFFFFFFFL;
                break;
            case 8:
                frame.tos = random.nextInt(256);
                break;
            case 9:
                frame.id = random.nextInt(65536);
                break;
            case 10:
                frame.ttl = random.nextInt(256);
                break;
            default:
                frame.fragment ^= 0x4000;
                break;
        }
    }

    private void check(final String when, final List<byte[]> sent, final List<Long> keys, final List<byte[]> got)
    {
        final Map<Long, List<byte[]>> expected = new LinkedHashMap<>();
        for (int i = 0; i < sent.size(); i++)
        {
            expected.computeIfAbsent(keys.get(i), k -> new ArrayList<>()).add(sent.get(i));
        }
        final List<byte[]> all = new ArrayList<>();
        expected.values().forEach(all::addAll);
        assertEquals(all.size(), got.size(), when);
        for (int i = 0; i < all.size(); i++)
        {
            assertSame(all.get(i), got.get(i));
        }
    }

    @Test
    void shouldGiveBackEveryFrameOfInterleavedFlows()
    {
        int merged = 0;
        int total = 0;
        for (int n = 0; n < 3000; n++)
        {
            final List<byte[]> sent = new ArrayList<>();
            final List<Long> keys = new ArrayList<>();
            addInterleaved(sent, keys);
            fixture.sorter.sort(fixture.batch);
            final int offloads = random.nextInt(3) == 0 ? random.nextInt(128) : Offloads.ALL;
            merged += fixture.coalescer.coalesce(fixture.batch, offloads);
            total += sent.size();
            for (int k = 0; k < fixture.batch.readyCount(); k++)
            {
                final int i = fixture.batch.ready(k);
                assertTrue(fixture.gsoType(i) == 0 ||
                    VnetHeader.fits(fixture.buffer, fixture.batch.netHeader(i), offloads), "only what is taken");
            }
            check("seed " + seed + " round " + n, sent, keys, fixture.segmented());
            fixture.clear();
        }
        assertTrue(merged > total / 4, "merged " + merged + " of " + total);
    }

    private void addInterleaved(final List<byte[]> sent, final List<Long> keys)
    {
        final List<List<TestFrame>> flows = new ArrayList<>();
        final List<Integer> order = new ArrayList<>();
        final int flowCount = 1 + random.nextInt(8);
        for (int f = 0; f < flowCount; f++)
        {
            flows.add(flow(1 + random.nextInt(24)));
            order.addAll(Collections.nCopies(flows.get(f).size(), f));
        }
        if (random.nextBoolean())
        {
            Collections.shuffle(order, random);
        }
        final int[] next = new int[flowCount];
        final int partial = random.nextInt(3);
        for (final int f : order)
        {
            final TestFrame frame = flows.get(f).get(next[f]++);
            final byte[] complete = frame.bytes();
            // TCP's other zero: completing in place writes 0xFFFF, as Linux does.
            final boolean isZero = complete[frame.checksumField()] == 0 && complete[frame.checksumField() + 1] == 0;
            final int i = fixture.add(frame, !isZero && (partial == 0 || partial == 1 && random.nextBoolean()));
            keys.add(FlowKey.of(fixture.buffer, fixture.batch.offset(i), fixture.batch.linearLength(i)));
            sent.add(complete);
        }
    }

    @Test
    void shouldPassSpoiltFramesThroughUntouched()
    {
        for (int n = 0; n < 3000; n++)
        {
            final List<byte[]> sent = new ArrayList<>();
            final List<Long> keys = new ArrayList<>();
            for (final TestFrame frame : flow(40))
            {
                final byte[] bytes = spoilt(frame.bytes());
                final int i = fixture.add(bytes);
                keys.add(FlowKey.of(fixture.buffer, fixture.batch.offset(i), fixture.batch.linearLength(i)));
                sent.add(bytes);
            }
            fixture.sorter.sort(fixture.batch);
            fixture.coalescer.coalesce(fixture.batch, Offloads.ALL);
            check("seed " + seed + " round " + n, sent, keys, fixture.segmented());
            fixture.clear();
        }
    }

    private byte[] spoilt(final byte[] bytes)
    {
        byte[] result = bytes;
        final int what = random.nextInt(4);
        if (what == 0)
        {
            result = Arrays.copyOf(bytes, 14 + random.nextInt(bytes.length));
        }
        else if (what == 1)
        {
            for (int i = random.nextInt(4); i >= 0; i--)
            {
                result[random.nextInt(Math.min(result.length, 80))] ^= 1 << random.nextInt(8);
            }
        }
        return result;
    }

    @Test
    void shouldTakeAnyNetHeaderThatPassedTheCheck()
    {
        int cut = 0;
        for (int n = 0; n < 60_000; n++)
        {
            final TestFrame frame = TestFrame.random(random);
            frame.payload = new byte[1 + random.nextInt(3000)];
            final byte[] bytes = spoilt(frame.partialBytes());
            final int i = fixture.addRaw(bytes, 14 + random.nextInt(bytes.length - 13));
            final int header = fixture.batch.netHeader(i);
            final int[] types = { 0, 1, 3, 4, 5, 0x81, 0x84 };
            final boolean isRight = random.nextBoolean();
            VnetHeader.superFrame(fixture.buffer, header, types[random.nextInt(types.length)],
                1 + random.nextInt(random.nextBoolean() ? 20 : 2000), random.nextInt(100),
                isRight ? frame.transport() : random.nextInt(200), random.nextBoolean() ? 16 : 6);
            if (VnetFault.OK == VnetHeader.validate(fixture.buffer, header, bytes.length, Offloads.ALL))
            {
                final int count = fixture.segmenter.segment(fixture.batch, i, fixture.plain, random.nextInt(2));
                assertTrue(count == fixture.plain.frames() || count < 0 && fixture.plain.frames() == 0);
                cut += count > 1 ? 1 : 0;
            }
            fixture.clear();
        }
        assertTrue(cut > 1000, "cut " + cut);
    }
}
