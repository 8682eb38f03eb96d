package io.ringtap.flow;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Builds TCP and UDP frames byte by byte with checksums by the definition: what the fast code is compared with, so it
 * shares nothing with it.
 */
final class TestFrame implements Cloneable
{
    static final int FIN = 0x01;
    static final int SYN = 0x02;
    static final int RST = 0x04;
    static final int PSH = 0x08;
    static final int ACK = 0x10;
    static final int URG = 0x20;
    static final int ECE = 0x40;
    static final int CWR = 0x80;

    boolean isTcp;
    boolean isV6;
    int[] vlans = {};
    byte[] addresses = new byte[32];
    int sourcePort = 4000;
    int targetPort = 5000;
    int ttl = 64;
    int tos;
    int id = 1;
    int fragment = 0x4000;
    int flowLabel;
    long sequence = 1000;
    long acknowledged = 77;
    int flags = ACK;
    int window = 501;
    int urgent;
    byte[] options = {};
    byte[] payload = {};

    static TestFrame udp(final int payloadLength)
    {
        final TestFrame frame = new TestFrame();
        for (int i = 0; i < 32; i++)
        {
            frame.addresses[i] = (byte)(10 + i);
        }
        frame.payload = new byte[payloadLength];
        for (int i = 0; i < payloadLength; i++)
        {
            frame.payload[i] = (byte)i;
        }
        return frame;
    }

    static TestFrame tcp(final int payloadLength)
    {
        final TestFrame frame = udp(payloadLength);
        frame.isTcp = true;
        return frame;
    }

    static TestFrame random(final Random random)
    {
        final TestFrame frame = new TestFrame();
        frame.isTcp = random.nextBoolean();
        frame.isV6 = random.nextBoolean();
        frame.vlans = new int[random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0];
        Arrays.setAll(frame.vlans, i -> random.nextInt(4096));
        random.nextBytes(frame.addresses);
        frame.sourcePort = random.nextInt(65536);
        frame.targetPort = random.nextInt(65536);
        frame.ttl = random.nextInt(256);
        frame.tos = random.nextInt(256);
        frame.id = random.nextInt(65536);
        frame.fragment = random.nextBoolean() ? 0x4000 : 0;
        frame.flowLabel = random.nextInt(1 << 20);
        frame.sequence = random.nextLong() & 0xFFFFFFFFL;
        frame.acknowledged = random.nextLong() & 0xFFFFFFFFL;
        frame.window = random.nextInt(65536);
        frame.options = new byte[frame.isTcp ? 4 * random.nextInt(11) : 0];
        random.nextBytes(frame.options);
        frame.payload = new byte[random.nextInt(3) == 0 ? random.nextInt(1400) : 1 + random.nextInt(64)];
        random.nextBytes(frame.payload);
        return frame;
    }

    /** The frame that follows in its flow: next sequence number and identification, payload of its own. */
    TestFrame next(final byte[] nextPayload)
    {
        final TestFrame frame = copy();
        frame.sequence = (sequence + payload.length) & 0xFFFFFFFFL;
        frame.id = (id + 1) & 0xFFFF;
        frame.payload = nextPayload;
        return frame;
    }

    TestFrame next()
    {
        return next(payload);
    }

    TestFrame copy()
    {
        try
        {
            final TestFrame frame = (TestFrame)clone();
            frame.addresses = addresses.clone();
            return frame;
        }
        catch (final CloneNotSupportedException ex)
        {
            throw new AssertionError(ex);
        }
    }

    int network()
    {
        return 14 + 4 * vlans.length;
    }

    int transport()
    {
        return network() + (isV6 ? 40 : 20);
    }

    int headers()
    {
        return transport() + (isTcp ? 20 + options.length : 8);
    }

    int checksumField()
    {
        return transport() + (isTcp ? 16 : 6);
    }

    /** With complete checksums. */
    byte[] bytes()
    {
        final ByteBuffer frame = build();
        final int length = frame.capacity() - transport();
        int sum = ~add(pseudo(length), frame, transport(), length) & 0xFFFF;
        if (sum == 0 && !isTcp)
        {
            sum = 0xFFFF;
        }
        frame.putShort(checksumField(), (short)sum);
        return frame.array();
    }

    /** With the pseudo header's sum where the checksum belongs. */
    byte[] partialBytes()
    {
        final ByteBuffer frame = build();
        frame.putShort(checksumField(), (short)pseudo(frame.capacity() - transport()));
        return frame.array();
    }

    /** A UDP frame with no checksum. */
    byte[] zeroChecksumBytes()
    {
        return build().array();
    }

    private int pseudo(final int transportLength)
    {
        final ByteBuffer header = ByteBuffer.allocate(40);
        header.put(isV6 ? addresses : Arrays.copyOf(addresses, 8));
        header.putShort((short)(isTcp ? 6 : 17)).putShort((short)transportLength);
        return add(0, header, 0, 40);
    }

    private ByteBuffer build()
    {
        final ByteBuffer frame = ByteBuffer.allocate(headers() + payload.length);
        frame.put(new byte[] { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2 });
        for (int i = 0; i < vlans.length; i++)
        {
            frame.putShort((short)(i == 0 && vlans.length > 1 ? 0x88A8 : 0x8100)).putShort((short)vlans[i]);
        }
        frame.putShort((short)(isV6 ? 0x86DD : 0x0800));
        final int transportLength = frame.capacity() - transport();
        if (isV6)
        {
            frame.putInt(0x60000000 | tos << 20 | flowLabel).putShort((short)transportLength);
            frame.put((byte)(isTcp ? 6 : 17)).put((byte)ttl).put(addresses);
        }
        else
        {
            frame.put((byte)0x45).put((byte)tos).putShort((short)(20 + transportLength));
            frame.putShort((short)id).putShort((short)fragment);
            frame.put((byte)ttl).put((byte)(isTcp ? 6 : 17)).putShort((short)0).put(addresses, 0, 8);
            frame.putShort(network() + 10, (short)~add(0, frame, network(), 20));
        }
        frame.putShort((short)sourcePort).putShort((short)targetPort);
        if (isTcp)
        {
            frame.putInt((int)sequence).putInt((int)acknowledged);
            frame.putShort((short)((20 + options.length) / 4 << 12 | flags));
            frame.putShort((short)window).putShort((short)0).putShort((short)urgent).put(options);
        }
        else
        {
            frame.putShort((short)transportLength).putShort((short)0);
        }
        frame.put(payload);
        return frame;
    }

    private static int add(final int begun, final ByteBuffer from, final int offset, final int length)
    {
        long sum = begun;
        for (int i = 0; i < length; i++)
        {
            sum += (long)(from.get(offset + i) & 0xFF) << ((i & 1) == 0 ? 8 : 0);
        }
        while (sum > 0xFFFF)
        {
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        return (int)sum;
    }

    static void assertSame(final byte[] expected, final byte[] actual)
    {
        if (!Arrays.equals(expected, actual))
        {
            assertEquals(HexFormat.of().formatHex(expected), HexFormat.of().formatHex(actual));
        }
    }
}
