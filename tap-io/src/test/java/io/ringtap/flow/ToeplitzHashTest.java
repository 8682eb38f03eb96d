package io.ringtap.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.Random;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The vectors that Microsoft publishes for RSS, which the virtio specification refers to. */
class ToeplitzHashTest
{
    private static final byte[] KEY = HexFormat.of().parseHex("6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b4" +
        "77cb2da38030f20c6a42b73bbeac01fa");
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int FRAME = 64;

    private final ToeplitzHash hash = ToeplitzHash.withUsualKey();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);

    @ParameterizedTest
    @CsvSource({
        "161.142.100.80, 1766, 66.9.149.187, 2794, 323e8fc2, 51ccc178",
        "65.69.140.83, 4739, 199.92.111.2, 14230, d718262a, c626b0ea",
        "12.22.207.184, 38024, 24.19.198.95, 12898, d2d0a5de, 5c2b394a",
        "209.142.163.6, 2217, 38.27.205.30, 48228, 82989176, afc7327f",
        "202.188.127.2, 1303, 153.39.163.191, 44251, 5d1809c5, 10e828a2",
        "3ffe:2501:200:3::1, 1766, 3ffe:2501:200:1fff::7, 2794, 2cc18cd5, 40207d3d",
        "ff02::1, 4739, 3ffe:501:8::260:97ff:fe40:efab, 14230, 0f0c461c, dde51bbf",
        "fe80::200:f8ff:fe21:67cf, 38024, 3ffe:1900:4545:3:200:f8ff:fe21:67cf, 44251, 4b61e985, 02d1feef"})
    void shouldHashAsThePublishedVectorsSay(final String destination, final int destinationPort, final String source,
        final int sourcePort, final String ofAddresses, final String ofPorts) throws UnknownHostException
    {
        final boolean isV6 = destination.contains(":");
        for (final int tags : new int[] { 0, 1, 2 })
        {
            final int length = frame(tags, TCP, source, sourcePort, destination, destinationPort);
            assertEquals(report(ofAddresses, isV6 ? ToeplitzHash.REPORT_IPV6 : ToeplitzHash.REPORT_IPV4),
                hash.of(buffer, FRAME, length, ToeplitzHash.TYPE_IPV4 | ToeplitzHash.TYPE_IPV6));
            assertEquals(report(ofPorts, isV6 ? ToeplitzHash.REPORT_TCPV6 : ToeplitzHash.REPORT_TCPV4),
                hash.of(buffer, FRAME, length, ToeplitzHash.ALL_TYPES));
            assertEquals(ToeplitzHash.NONE, hash.of(buffer, FRAME, length, 0));
            frame(tags, UDP, source, sourcePort, destination, destinationPort);
            assertEquals(report(ofPorts, isV6 ? ToeplitzHash.REPORT_UDPV6 : ToeplitzHash.REPORT_UDPV4),
                hash.of(buffer, FRAME, length, ToeplitzHash.ALL_TYPES));
        }
    }

    @Test
    void shouldHashFragmentsAndOtherProtocolsByTheirAddresses() throws UnknownHostException
    {
        final int length = frame(0, TCP, "66.9.149.187", 2794, "161.142.100.80", 1766);
        buffer.putByte(FRAME + 14 + 6, (byte)0x20);
        assertEquals(report("323e8fc2", ToeplitzHash.REPORT_IPV4),
            hash.of(buffer, FRAME, length, ToeplitzHash.ALL_TYPES));
        frame(0, 1, "66.9.149.187", 2794, "161.142.100.80", 1766);
        assertEquals(report("323e8fc2", ToeplitzHash.REPORT_IPV4),
            hash.of(buffer, FRAME, length, ToeplitzHash.ALL_TYPES));
        buffer.putShort(FRAME + 12, (short)0x0608);
        assertEquals(ToeplitzHash.NONE, hash.of(buffer, FRAME, length, ToeplitzHash.ALL_TYPES));
    }

    @Test
    void shouldPassOverExtensionHeaders() throws UnknownHostException
    {
        final int length = frame(0, 0, "3ffe:2501:200:1fff::7", 2794, "3ffe:2501:200:3::1", 1766);
        // A hop-by-hop header of 8 bytes where the ports were, the ports behind it.
        final int ports = FRAME + 14 + 40;
        buffer.putBytes(ports + 8, buffer, ports, 4);
        buffer.putLong(ports, TCP);
        assertEquals(report("40207d3d", ToeplitzHash.REPORT_TCPV6),
            hash.of(buffer, FRAME, length, ToeplitzHash.ALL_TYPES));
        buffer.putByte(FRAME + 14 + 6, (byte)44);
        assertEquals(report("2cc18cd5", ToeplitzHash.REPORT_IPV6),
            hash.of(buffer, FRAME, length, ToeplitzHash.ALL_TYPES));
    }

    /** Against the definition, bit by bit. */
    @Test
    void shouldAgreeWithTheDefinition()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int i = 0; i < 500; i++)
        {
            final byte[] input = new byte[1 + random.nextInt(36)];
            random.nextBytes(input);
            int expected = 0;
            for (int bit = 0; bit < input.length * 8; bit++)
            {
                expected ^= (input[bit / 8] >>> 7 - bit % 8 & 1) == 0 ? 0 : keyFrom(bit);
            }
            assertEquals(expected, hash.of(new UnsafeBuffer(input), 0, input.length), "seed " + seed);
        }
    }

    @Test
    void shouldReadNothingBehindTheFrame()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++)
        {
            final byte[] frame = new byte[14 + random.nextInt(90)];
            random.nextBytes(frame);
            final int type = random.nextInt(4);
            frame[12] = (byte)new int[] { 0x08, 0x86, 0x81, random.nextInt() }[type];
            frame[13] = (byte)new int[] { 0x00, 0xDD, 0x00, random.nextInt() }[type];
            hash.of(new UnsafeBuffer(frame), 0, frame.length, ToeplitzHash.ALL_TYPES);
        }
        assertThrows(IllegalArgumentException.class, () -> new ToeplitzHash(new byte[39]));
    }

    private static int keyFrom(final int bit)
    {
        int window = 0;
        for (int i = bit; i < bit + 32; i++)
        {
            window = window << 1 | KEY[i / 8] >>> 7 - i % 8 & 1;
        }
        return window;
    }

    private static long report(final String hash, final int what)
    {
        return Long.parseLong(hash, 16) | (long)what << 32;
    }

    private int frame(final int tags, final int protocol, final String source, final int sourcePort,
        final String destination, final int destinationPort) throws UnknownHostException
    {
        final byte[] from = InetAddress.getByName(source).getAddress();
        final byte[] to = InetAddress.getByName(destination).getAddress();
        final boolean isV6 = from.length == 16;
        buffer.setMemory(0, buffer.capacity(), (byte)0);
        final int network = FRAME + 14 + 4 * tags;
        for (int tag = 0; tag < tags; tag++)
        {
            buffer.putShort(FRAME + 12 + 4 * tag, (short)0x0081);
        }
        buffer.putShort(network - 2, (short)(isV6 ? 0xDD86 : 0x0008));
        buffer.putByte(network, (byte)(isV6 ? 0x60 : 0x45));
        buffer.putByte(network + (isV6 ? 6 : 9), (byte)protocol);
        final int addresses = network + (isV6 ? 8 : 12);
        buffer.putBytes(addresses, from);
        buffer.putBytes(addresses + from.length, to);
        final int ports = addresses + 2 * from.length;
        buffer.putShort(ports, Short.reverseBytes((short)sourcePort));
        buffer.putShort(ports + 2, Short.reverseBytes((short)destinationPort));
        return ports + 20 - FRAME;
    }
}
