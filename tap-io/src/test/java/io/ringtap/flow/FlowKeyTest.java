package io.ringtap.flow;

import io.ringtap.RandomSeed;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** What belongs to one flow and what does not. */
class FlowKeyTest
{
    private static final byte[] HOP_BY_HOP = { 0, 0, 1, 4, 0, 0, 0, 0 };
    private static final byte[] ROUTING = { 0, 1, 4, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8 };
    private static final byte[] AUTHENTICATION = { 0, 4, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 1, 1, 1, 1, 1,
        1, 1 };

    private static long key(final byte[] frame)
    {
        return key(frame, frame.length);
    }

    private static long key(final byte[] frame, final int length)
    {
        // A buffer of just that length: a read behind it throws.
        return FlowKey.of(new UnsafeBuffer(Arrays.copyOf(frame, length)), 0, length);
    }

    private static long changed(final TestFrame frame, final Consumer<TestFrame> change)
    {
        final TestFrame other = frame.copy();
        change.accept(other);
        return key(other.bytes());
    }

    @Test
    void shouldDependOnTheFiveTupleAndNothingElse()
    {
        final Random random = RandomSeed.random(FlowKeyTest.class);
        for (int n = 0; n < 2000; n++)
        {
            final TestFrame frame = TestFrame.random(random);
            final long key = key(frame.bytes());
            final int address = random.nextInt(frame.isV6 ? 32 : 8);
            assertNotEquals(key, changed(frame, f -> f.addresses[address]++));
            assertNotEquals(key, changed(frame, f -> f.sourcePort ^= 1));
            assertNotEquals(key, changed(frame, f -> f.targetPort ^= 256));
            assertNotEquals(key, changed(frame, f ->
            {
                f.isTcp = !f.isTcp;
                f.options = new byte[0];
            }));
            assertNotEquals(key, changed(frame, f -> f.vlans = new int[] { 4095, 1 }));
            assertEquals(key, changed(frame, f ->
            {
                f.payload = new byte[1 + random.nextInt(100)];
                f.id = random.nextInt(65536);
                f.ttl = random.nextInt(256);
                f.tos = random.nextInt(256);
                f.fragment = random.nextBoolean() ? 0x4000 : 0;
                f.sequence = random.nextInt();
                f.flags = TestFrame.SYN;
                f.options = new byte[frame.isTcp ? 12 : 0];
                f.flowLabel = 1;
            }));
        }
    }

    @Test
    void shouldTellDirectionsApart()
    {
        final TestFrame frame = TestFrame.udp(10);
        assertNotEquals(key(frame.bytes()), changed(frame, f ->
        {
            System.arraycopy(frame.addresses, 4, f.addresses, 0, 4);
            System.arraycopy(frame.addresses, 0, f.addresses, 4, 4);
            f.sourcePort = frame.targetPort;
            f.targetPort = frame.sourcePort;
        }));
    }

    @Test
    void shouldKeepFragmentsOfADatagramTogether()
    {
        final TestFrame first = TestFrame.udp(64);
        first.fragment = 0x2000;
        final TestFrame last = TestFrame.udp(64);
        last.fragment = 8;
        last.sourcePort = 0x6162;
        assertEquals(key(first.bytes()), key(last.bytes()));
        assertNotEquals(key(TestFrame.udp(64).bytes()), key(first.bytes()));
    }

    @Test
    void shouldNotTakeIcmpForPorts()
    {
        final TestFrame frame = TestFrame.udp(64);
        final byte[] one = frame.bytes();
        one[23] = 1;
        final byte[] other = one.clone();
        other[34] = 77;
        assertEquals(key(one), key(other));
    }

    @Test
    void shouldFindPortsBehindIpv4Options()
    {
        final TestFrame frame = TestFrame.udp(64);
        final byte[] plain = frame.bytes();
        final byte[] one = new byte[plain.length + 4];
        System.arraycopy(plain, 0, one, 0, 34);
        System.arraycopy(plain, 34, one, 38, plain.length - 34);
        one[14] = 0x46;
        assertEquals(key(plain), key(one));
        one[38]++;
        assertNotEquals(key(plain), key(one));
    }

    @Test
    void shouldFindPortsBehindExtensionHeaders()
    {
        final TestFrame frame = TestFrame.tcp(64);
        frame.isV6 = true;
        final byte[] plain = frame.bytes();
        assertEquals(key(plain), key(extended(plain, new int[] { 0, 43, 60, 51 },
            HOP_BY_HOP, ROUTING, HOP_BY_HOP, AUTHENTICATION)));
        final byte[] other = extended(plain, new int[] { 0, 43 }, HOP_BY_HOP, ROUTING);
        other[54 + 24]++;
        assertNotEquals(key(plain), key(other));
    }

    @Test
    void shouldKeepIpv6FragmentsTogetherAndAtomicOnesWithTheirFlow()
    {
        final TestFrame frame = TestFrame.udp(64);
        frame.isV6 = true;
        final byte[] plain = frame.bytes();
        final byte[] atomic = extended(plain, new int[] { 44 }, new byte[] { 0, 9, 0, 6, 1, 2, 3, 4 });
        assertEquals(key(plain), key(atomic));
        final byte[] first = extended(plain, new int[] { 44 }, new byte[] { 0, 0, 0, 1, 1, 2, 3, 4 });
        final byte[] last = extended(plain, new int[] { 44 }, new byte[] { 0, 0, 0, 64, 1, 2, 3, 4 });
        last[62]++;
        assertEquals(key(first), key(last));
        assertNotEquals(key(plain), key(first));
    }

    @Test
    void shouldEndAChainOfExtensionHeaders()
    {
        final TestFrame frame = TestFrame.udp(64);
        frame.isV6 = true;
        byte[] bytes = frame.bytes();
        for (int i = 0; i < 20; i++)
        {
            bytes = extended(bytes, new int[] { 60 }, HOP_BY_HOP);
        }
        assertEquals(key(bytes), key(bytes));
    }

    @Test
    void shouldGroupOtherFramesByTheirType()
    {
        final byte[] arp = new byte[60];
        arp[12] = 8;
        arp[13] = 6;
        final byte[] otherArp = arp.clone();
        otherArp[30] = 1;
        assertEquals(key(arp), key(otherArp));
        final byte[] rarp = arp.clone();
        rarp[12] = (byte)0x80;
        rarp[13] = 0x35;
        assertNotEquals(key(arp), key(rarp));
        final byte[] stp = new byte[60];
        stp[13] = 38;
        final byte[] cdp = new byte[400];
        cdp[12] = 1;
        assertEquals(key(stp), key(cdp), "an 802.3 length is no type");
    }

    @Test
    void shouldTakeEveryTruncationWithoutReadingBehindTheEnd()
    {
        final Random random = RandomSeed.random(FlowKeyTest.class);
        for (int n = 0; n < 300; n++)
        {
            byte[] bytes = TestFrame.random(random).bytes();
            if (bytes[12] == (byte)0x86)
            {
                bytes = extended(bytes, new int[] { 0, 51 }, HOP_BY_HOP, AUTHENTICATION);
            }
            for (int length = 14; length <= Math.min(bytes.length, 130); length++)
            {
                assertNotEquals(FrameBatch.NO_FLOW, key(bytes, length));
            }
        }
    }

    @Test
    void shouldTakeRandomBytes()
    {
        final Random random = RandomSeed.random(FlowKeyTest.class);
        final byte[] bytes = new byte[128];
        for (int n = 0; n < 300_000; n++)
        {
            random.nextBytes(bytes);
            final int kind = random.nextInt(4);
            bytes[12] = (byte)(kind == 0 ? 8 : kind == 1 ? 0x86 : 0x81);
            bytes[13] = (byte)(kind == 1 ? 0xDD : 0);
            bytes[14] = (byte)(random.nextBoolean() ? kind == 1 ? 0x60 : 0x40 + random.nextInt(16) : bytes[14]);
            assertNotEquals(FrameBatch.NO_FLOW, key(bytes, 14 + random.nextInt(114)));
        }
    }

    @Test
    void shouldRarelyGiveTwoFlowsOneKey()
    {
        final Set<Long> keys = new HashSet<>();
        final TestFrame frame = TestFrame.udp(1);
        for (int i = 0; i < 100_000; i++)
        {
            frame.addresses[3] = (byte)i;
            frame.addresses[7] = (byte)(i >> 8);
            frame.sourcePort = 1000 + (i >> 4);
            frame.targetPort = 1000 + (i >> 6);
            keys.add(key(frame.bytes()));
        }
        assertEquals(100_000, keys.size());
    }

    /** Puts extension headers behind an IPv6 header without tags; their next-header fields are set to match. */
    private static byte[] extended(final byte[] frame, final int[] types, final byte[]... extensions)
    {
        int added = 0;
        for (final byte[] extension : extensions)
        {
            added += extension.length;
        }
        final int network = 14 + (frame[12] == (byte)0x81 ? 4 : frame[12] == (byte)0x88 ? 8 : 0);
        final byte[] result = new byte[frame.length + added];
        System.arraycopy(frame, 0, result, 0, network + 40);
        int next = network + 6;
        int at = network + 40;
        for (int i = 0; i < types.length; i++)
        {
            System.arraycopy(extensions[i], 0, result, at, extensions[i].length);
            result[next] = (byte)types[i];
            next = at;
            at += extensions[i].length;
        }
        result[next] = frame[network + 6];
        System.arraycopy(frame, network + 40, result, at, frame.length - network - 40);
        return result;
    }
}
