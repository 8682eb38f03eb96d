package io.ringtap.frontend;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@link GuestStack} on raw frames. */
class GuestStackTest
{
    private static final String PLAIN = "00".repeat(NetHeader.LENGTH);
    private static final String GUEST = "525400123456";
    private static final String HOST = "0ab1c2d3e4f5";
    private static final String GUEST_IP = "0a000002";
    private static final String HOST_IP = "0a000001";
    private static final String GUEST_IP6 = "fd000000000000000000000000000002";
    private static final String HOST_IP6 = "fd000000000000000000000000000001";
    private static final String GROUP = "ff0200000000000000000001ff000002";
    private static final String LINK_LOCAL = "fe80000000000000505400fffe123456";
    private static final int TRANSPORT = NetHeader.LENGTH + 34;
    private static final int TRANSPORT6 = NetHeader.LENGTH + 54;

    private final FrameTray tray = new FrameTray();
    private GuestStack stack;

    @BeforeEach
    void setUp() throws UnknownHostException
    {
        stack = new GuestStack(
            "test",
            new GuestAddresses(
                MacAddress.parse("52:54:00:12:34:56"),
                InetAddress.getByName("10.0.0.2"),
                InetAddress.getByName("fd00::2")),
            tray,
            7);
    }

    @Test
    void shouldAnswerArpForItsAddressOnly()
    {
        give("ffffffffffff", HOST, "0806", "0001080006040001", HOST, HOST_IP, "000000000000", GUEST_IP);
        assertArrayEquals(
            hex(PLAIN, HOST, GUEST, "0806", "0001080006040002", GUEST, GUEST_IP, HOST, HOST_IP), tray.single());

        give("ffffffffffff", HOST, "0806", "0001080006040001", HOST, HOST_IP, "000000000000", "0a000003");
        assertTrue(tray.frames().isEmpty());
        assertEquals(1, count(StackCounter.ARP_REPLIES));
        assertEquals(1, count(StackCounter.IGNORED));
    }

    @Test
    void shouldAnswerPing()
    {
        give(GUEST, HOST, "0800", ipv4(1, 16), icmp("0800", "1234 0001 6162636465666768"));

        final byte[] reply = tray.single();
        assertArrayEquals(hex(HOST, GUEST, "0800"), part(reply, NetHeader.LENGTH, 14));
        assertArrayEquals(hex(GUEST_IP, HOST_IP), part(reply, TRANSPORT - 8, 8));
        assertEquals(0, reply[TRANSPORT]);
        assertArrayEquals(hex("123400016162636465666768"), part(reply, TRANSPORT + 4, 12));
        assertEquals(0xFFFF, StackProbe.sum(reply, TRANSPORT - 20, 20));
        assertEquals(0xFFFF, StackProbe.sum(reply, TRANSPORT, reply.length - TRANSPORT));
        assertEquals(1, count(StackCounter.ECHO_REPLIES));
    }

    @Test
    void shouldAnswerPingOverIpv6()
    {
        for (final String ours : new String[]{GUEST_IP6, LINK_LOCAL})
        {
            give(GUEST, HOST, "86dd", "60000000 000c 3a40", HOST_IP6, ours,
                icmp6(ours, "8000", "1234 0001 61626364"));
            final byte[] reply = tray.single();
            assertArrayEquals(hex(ours, HOST_IP6), part(reply, TRANSPORT6 - 32, 32));
            assertEquals((byte)129, reply[TRANSPORT6]);
            assertTrue(new StackProbe(reply).isIcmpv6Good());
        }
        assertEquals(2, count(StackCounter.ECHO_REPLIES));
    }

    @Test
    void shouldAnswerNeighbourSolicitation()
    {
        give("3333ff000002", HOST, "86dd", "60000000 0020 3aff", HOST_IP6, GROUP,
            icmp6(GROUP, "8700", "00000000" + GUEST_IP6 + "0101" + HOST));

        final byte[] reply = tray.single();
        assertArrayEquals(hex(GUEST_IP6, HOST_IP6), part(reply, TRANSPORT6 - 32, 32));
        assertArrayEquals(
            hex("60000000", GUEST_IP6, "0201", GUEST), part(reply, TRANSPORT6 + 4, reply.length - TRANSPORT6 - 4));
        assertTrue(new StackProbe(reply).isIcmpv6Good());
        assertEquals(1, count(StackCounter.NEIGHBOUR_REPLIES));
    }

    @Test
    void shouldNotAnswerNeighbourSolicitationFromAfarOrForOthers()
    {
        give("3333ff000002", HOST, "86dd", "60000000 0020 3afe", HOST_IP6, GROUP,
            icmp6(GROUP, "8700", "00000000" + GUEST_IP6 + "0101" + HOST));
        give("3333ff000002", HOST, "86dd", "60000000 0020 3aff", HOST_IP6, GROUP,
            icmp6(GROUP, "8700", "00000000" + HOST_IP6 + "0101" + HOST));

        assertTrue(tray.frames().isEmpty());
        assertEquals(1, count(StackCounter.MALFORMED));
        assertEquals(1, count(StackCounter.IGNORED));
    }

    @Test
    void shouldEchoUdpAndCompleteItsChecksum()
    {
        give(GUEST, HOST, "0800", ipv4(17, 13), "9c40 0007 000d 0000", "68656c6c6f");

        final byte[] reply = tray.single();
        assertArrayEquals(hex("0007 9c40 000d"), part(reply, TRANSPORT, 6));
        assertTrue(new StackProbe(reply).isUdpGood());
        assertEquals(1, count(StackCounter.UDP_ECHOES));
    }

    @Test
    void shouldTakeChecksumThatIsOnlyBegun()
    {
        // The pseudo-header's sum of 10.0.0.1, 10.0.0.2, protocol 17 and length 13.
        final int pseudo = 0x0a00 + 0x0001 + 0x0a00 + 0x0002 + 17 + 13;
        final String header = "01 00 0000 0000 2200 0600 0000";
        final String udp = String.format("9c40 0007 000d %04x", pseudo) + "68656c6c6f";
        FrameTray.give(stack, hex(header, GUEST, HOST, "0800", ipv4(17, 13), udp));
        assertTrue(new StackProbe(tray.single()).isUdpGood());
        assertEquals(1, count(StackCounter.UNFINISHED));

        final String wrongStart = header.replace("2200", "2300");
        FrameTray.give(stack, hex(wrongStart, GUEST, HOST, "0800", ipv4(17, 13), udp));
        final String wrongSum = udp.replace(String.format("%04x", pseudo), "1401");
        FrameTray.give(stack, hex(header, GUEST, HOST, "0800", ipv4(17, 13), wrongSum));
        assertTrue(tray.frames().isEmpty());
        assertEquals(2, count(StackCounter.BAD_CHECKSUM));
    }

    @Test
    void shouldDropWrongChecksums()
    {
        give(GUEST, HOST, "0800", ipv4(1, 12), "0800 1234 12340001 61626364");
        give(GUEST, HOST, "0800", ipv4(1, 12).replace("4000 40 01", "4000 3f 01"), icmp("0800", "12340001 61626364"));
        give(GUEST, HOST, "0800", ipv4(17, 9), "9c40 0007 0009 1234 61");

        assertTrue(tray.frames().isEmpty());
        assertEquals(3, count(StackCounter.BAD_CHECKSUM));
    }

    @Test
    void shouldIgnoreFramesOfOthers()
    {
        give(HOST, HOST, "0800", ipv4(1, 12), icmp("0800", "12340001 61626364"));
        give(GUEST, HOST, "88cc", "0102030405060708");
        give(GUEST, HOST, "0800", ipv4(6, 20), "00".repeat(20));
        give(GUEST, HOST, "0800", ipv4(17, 8), "9c40 0008 0008 0000");

        assertTrue(tray.frames().isEmpty());
        assertEquals(4, count(StackCounter.IGNORED));
    }

    @Test
    void shouldCountWhatFindsNoRoom()
    {
        tray.room(0);
        give(GUEST, HOST, "0800", ipv4(1, 12), icmp("0800", "12340001 61626364"));
        give("ffffffffffff", HOST, "0806", "0001080006040001", HOST, HOST_IP, "000000000000", GUEST_IP);

        assertEquals(2, count(StackCounter.NO_ROOM));
        assertEquals(0, count(StackCounter.ECHO_REPLIES));
    }

    @Test
    void shouldAskForANeighbourAndLearnTheAnswer() throws UnknownHostException
    {
        stack.neighbours().ask(InetAddress.getByName("10.0.0.1"));
        assertArrayEquals(
            hex(PLAIN, "ffffffffffff", GUEST, "0806", "0001080006040001", GUEST, GUEST_IP, "000000000000", HOST_IP),
            tray.single());
        assertNull(stack.neighbours().answer());
        give(GUEST, HOST, "0806", "0001080006040002", HOST, HOST_IP, GUEST, GUEST_IP);
        assertEquals(MacAddress.parse("0a:b1:c2:d3:e4:f5"), stack.neighbours().answer());

        stack.neighbours().ask(InetAddress.getByName("fd00::1"));
        final byte[] question = tray.single();
        assertArrayEquals(hex("3333ff000001", GUEST, "86dd"), part(question, NetHeader.LENGTH, 14));
        assertTrue(new StackProbe(question).isIcmpv6Good());
        assertNull(stack.neighbours().answer());
        give(GUEST, HOST, "86dd", "60000000 0020 3aff", HOST_IP6, GUEST_IP6,
            icmp6(GUEST_IP6, "8800", "60000000" + HOST_IP6 + "0201" + HOST));
        assertEquals(MacAddress.parse("0a:b1:c2:d3:e4:f5"), stack.neighbours().answer());
    }

    @Test
    void shouldSurviveAnything()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final byte[][] frames =
        {
            hex(PLAIN, GUEST, HOST, "0800", ipv4(1, 12), icmp("0800", "12340001 61626364")),
            hex(PLAIN, GUEST, HOST, "0800", ipv4(17, 13), "9c40 0007 000d 0000", "68656c6c6f"),
            hex(PLAIN, "ffffffffffff", HOST, "0806", "0001080006040001", HOST, HOST_IP, "000000000000", GUEST_IP),
            hex(PLAIN, GUEST, HOST, "86dd", "60000000 0020 3aff", HOST_IP6, GUEST_IP6,
                icmp6(GUEST_IP6, "8700", "00000000" + GUEST_IP6 + "0101" + HOST)),
        };
        for (int i = 0; i < 100_000; i++)
        {
            final byte[] whole = frames[i & 3];
            final byte[] frame =
                Arrays.copyOf(whole, NetHeader.LENGTH + random.nextInt(whole.length - NetHeader.LENGTH + 1));
            for (int changes = random.nextInt(3); changes > 0; changes--)
            {
                frame[random.nextInt(frame.length)] = (byte)random.nextInt();
            }
            try
            {
                FrameTray.give(stack, frame);
            }
            catch (final IndexOutOfBoundsException outside)
            {
                throw new AssertionError("seed " + seed + " step " + i, outside);
            }
        }
    }

    private void give(final String... parts)
    {
        FrameTray.give(stack, hex(PLAIN + String.join("", parts)));
    }

    private long count(final StackCounter counter)
    {
        return stack.counters().get(counter);
    }

    private static byte[] part(final byte[] frame, final int from, final int length)
    {
        return Arrays.copyOfRange(frame, from, from + length);
    }

    private static byte[] hex(final String... parts)
    {
        final String all = String.join("", parts).replaceAll("\\s", "");
        final byte[] bytes = new byte[all.length() / 2];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = (byte)Integer.parseInt(all.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }

    /** Header from host to guest with its right checksum. */
    private static String ipv4(final int protocol, final int length)
    {
        final String head = String.format("4500 %04x 1234 4000 40 %02x", 20 + length, protocol);
        final byte[] bytes = hex(head, "0000", HOST_IP, GUEST_IP);
        return head + String.format("%04x", ~StackProbe.sum(bytes, 0, 20) & 0xFFFF) + HOST_IP + GUEST_IP;
    }

    private static String icmp(final String typeAndCode, final String rest)
    {
        final byte[] bytes = hex(typeAndCode, "0000", rest);
        return typeAndCode + String.format("%04x", ~StackProbe.sum(bytes, 0, bytes.length) & 0xFFFF) + rest;
    }

    private static String icmp6(final String destination, final String typeAndCode, final String rest)
    {
        final byte[] message = hex(typeAndCode, "0000", rest);
        final byte[] pseudo = hex(HOST_IP6, destination, String.format("%08x", message.length), "0000003a");
        final byte[] all = Arrays.copyOf(pseudo, pseudo.length + message.length);
        System.arraycopy(message, 0, all, pseudo.length, message.length);
        return typeAndCode + String.format("%04x", ~StackProbe.sum(all, 0, all.length) & 0xFFFF) + rest;
    }
}
