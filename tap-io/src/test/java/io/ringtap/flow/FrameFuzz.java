package io.ringtap.flow;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Fuzz target: trains of frames that are sorted, merged and cut again must be what they were, flow by flow and bit for
 * bit; a net header that passed the check is cut into frames that add up. Found by name, run by {@code FuzzIT}.
 */
public final class FrameFuzz
{
    private static final int MOST_FRAMES = 64;
    private static final int MOST_PAYLOAD = 3000;
    private static final int PADDING = 64;
    private static final BatchFixture FIXTURE = new BatchFixture();

    private FrameFuzz()
    {
    }

    /** The target. */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        if (data.length > 2)
        {
            final ByteBuffer in = ByteBuffer.wrap(Arrays.copyOf(data, data.length + PADDING));
            try
            {
                if ((in.get() & 1) == 0)
                {
                    train(in, data.length);
                }
                else
                {
                    superFrame(in, data.length);
                }
            }
            finally
            {
                FIXTURE.clear();
            }
        }
    }

    /** Inputs to begin with. */
    public static List<byte[]> seeds()
    {
        final List<byte[]> seeds = new ArrayList<>();
        final Random random = new Random(1);
        for (int kind = 0; kind < 8; kind++)
        {
            // A plain run of its kind, then one that is broken in places.
            final byte[] seed = new byte[60];
            seed[1] = (byte)kind;
            for (int i = 4; i < seed.length; i += 2)
            {
                seed[i] = (byte)(15 | (kind >= 4 && random.nextInt(4) == 0 ? random.nextInt(256) : 0));
                seed[i + 1] = 20;
            }
            seeds.add(seed);
            seeds.add(new byte[] {1, (byte)kind, 0, 100, 1, (byte)(1 + kind), 0, 0, 0, 20, 0, 34, 0, 16, 0, 0});
        }
        // Found: IPv6 fragments whose size is no multiple of 8.
        seeds.add(new byte[] {1, 2, 1, 0, 100, 3, 0, 0, 50, 0, 20, 0, 34, -92, 16, -1, -2});
        return seeds;
    }

    private static void train(final ByteBuffer in, final int end)
    {
        TestFrame frame = template(in.get());
        final int offloads = (in.get() & 1) == 0 ? Offloads.ALL : in.get() & Offloads.ALL;
        final Map<Long, List<byte[]>> expected = new LinkedHashMap<>();
        for (int n = 0; n < MOST_FRAMES && in.position() < end; n++)
        {
            final int what = in.get() & 0xff;
            final TestFrame next = n == 0 ? frame : frame.next(payload(in.get() & 0xff, n));
            disturb(next, what & 15, in);
            final byte[] bytes = next.bytes();
            final int i;
            final boolean isZero = bytes[next.checksumField()] == 0 && bytes[next.checksumField() + 1] == 0;
            if ((what & 0x40) != 0 && !isZero)
            {
                i = FIXTURE.add(next, true);
                expected.computeIfAbsent(key(i), (key) -> new ArrayList<>()).add(bytes);
            }
            else
            {
                final byte[] sent = spoilt(bytes, what, in);
                i = FIXTURE.add(sent);
                expected.computeIfAbsent(key(i), (key) -> new ArrayList<>()).add(sent);
            }
            frame = next;
        }
        FIXTURE.sorter.sort(FIXTURE.batch);
        FIXTURE.coalescer.coalesce(FIXTURE.batch, offloads);
        for (int k = 0; k < FIXTURE.batch.readyCount(); k++)
        {
            final int i = FIXTURE.batch.ready(k);
            if (FIXTURE.gsoType(i) != 0 && !VnetHeader.fits(FIXTURE.buffer, FIXTURE.batch.netHeader(i), offloads))
            {
                throw new IllegalStateException("a super-frame that nobody took, with offloads " + offloads);
            }
        }
        final List<byte[]> all = new ArrayList<>();
        expected.values().forEach(all::addAll);
        final List<byte[]> got = FIXTURE.segmented();
        if (all.size() != got.size())
        {
            throw new IllegalStateException(all.size() + " frames went in, " + got.size() + " came out");
        }
        for (int i = 0; i < all.size(); i++)
        {
            TestFrame.assertSame(all.get(i), got.get(i));
        }
    }

    private static long key(final int i)
    {
        return FlowKey.of(FIXTURE.buffer, FIXTURE.batch.offset(i), FIXTURE.batch.linearLength(i));
    }

    private static TestFrame template(final int kind)
    {
        final TestFrame frame = (kind & 1) == 0 ? TestFrame.udp(20) : TestFrame.tcp(20);
        frame.isV6 = (kind & 2) != 0;
        frame.vlans = new int[kind >> 2 & 3];
        frame.options = new byte[frame.isTcp ? 4 * (kind >> 4 & 7) : 0];
        return frame;
    }

    private static byte[] payload(final int length, final int n)
    {
        final byte[] payload = new byte[length > 250 ? 1400 : length];
        Arrays.fill(payload, (byte)n);
        return payload;
    }

    private static void disturb(final TestFrame frame, final int what, final ByteBuffer in)
    {
        switch (what)
        {
            case 0 -> frame.flags = in.get() & 0xff;
            case 1 -> frame.window = in.getShort() & 0xffff;
            case 2 -> frame.acknowledged = in.getInt() & 0xFFFFFFFFL;
            case 3 -> frame.sequence = in.getInt() & 0xFFFFFFFFL;
            case 4 -> frame.tos = in.get() & 0xff;
            case 5 -> frame.id = in.getShort() & 0xffff;
            case 6 -> frame.ttl = in.get() & 0xff;
            case 7 -> frame.fragment = in.getShort() & 0xffff;
            case 8 -> frame.sourcePort = in.getShort() & 0xffff;
            case 9 -> frame.urgent = in.getShort() & 0xffff;
            case 10 -> frame.flowLabel = in.getInt() & 0xfffff;
            case 11 -> frame.options = new byte[frame.isTcp ? 4 * (in.get() & 7) : 0];
            case 12 -> frame.addresses[in.get() & 31] = in.get();
            default ->
            {
                // The train goes on.
            }
        }
    }

    private static byte[] spoilt(final byte[] bytes, final int what, final ByteBuffer in)
    {
        byte[] result = bytes;
        if ((what & 0x10) != 0)
        {
            result[(in.get() & 0xff) % result.length] ^= in.get();
        }
        if ((what & 0x20) != 0)
        {
            result = Arrays.copyOf(bytes, 14 + (in.getShort() & 0xffff) % bytes.length);
        }
        return result;
    }

    private static void superFrame(final ByteBuffer in, final int end)
    {
        final TestFrame frame = template(in.get());
        frame.payload = new byte[1 + (in.getShort() & 0xffff) % MOST_PAYLOAD];
        final byte[] bytes = frame.partialBytes();
        final byte[] header = new byte[VnetHeader.LENGTH];
        in.get(header);
        while (in.position() + 1 < end)
        {
            bytes[(in.get() & 0xff) % bytes.length] = in.get();
        }
        final int i = FIXTURE.addRaw(bytes, Math.min(bytes.length, 14 + (header[11] & 0xff) * 8));
        final int at = FIXTURE.batch.netHeader(i);
        FIXTURE.buffer.putBytes(at, header);
        if (VnetFault.OK != VnetHeader.validate(FIXTURE.buffer, at, bytes.length, Offloads.ALL))
        {
            return;
        }
        final int gsoSize = VnetHeader.gsoSize(FIXTURE.buffer, at);
        final int gsoType = FIXTURE.gsoType(i);
        final boolean isSuper = VnetHeader.GSO_NONE != gsoType;
        final int count = FIXTURE.segmenter.segment(FIXTURE.batch, i, FIXTURE.plain, header[10] & 1);
        if (count < 0 ? 0 != FIXTURE.plain.frames() : count != FIXTURE.plain.frames())
        {
            throw new IllegalStateException(count + " said, " + FIXTURE.plain.frames() + " frames made");
        }
        if (isSuper && count > 1)
        {
            checkPayload(count, bytes.length, gsoSize, VnetHeader.GSO_UDP == gsoType);
        }
    }

    /** Frames that a super-frame was cut into carry all of it and nothing else. */
    private static void checkPayload(final int count, final int length, final int gsoSize, final boolean isFragments)
    {
        // Fragments are multiples of 8 bytes; in IPv6 each has a header that the super-frame lacks.
        final int headers = FIXTURE.plain.length(0) - (isFragments ? gsoSize & ~7 : gsoSize);
        int payload = 0;
        for (int s = 0; s < count; s++)
        {
            payload += FIXTURE.plain.length(s) - headers;
        }
        final int expected = length - headers;
        if (payload != expected && !(isFragments && payload == expected + 8))
        {
            throw new IllegalStateException(payload + " bytes of payload of " + expected);
        }
    }
}
