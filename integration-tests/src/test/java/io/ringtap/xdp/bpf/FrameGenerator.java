package io.ringtap.xdp.bpf;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * Frames from a seed, of few hosts and ports so that tables are hit: ARP, IPv4 and IPv6 with TCP, UDP and ICMP, tagged
 * once, twice or not, with options and extension headers, cut short, and now and then with a byte that is wrong.
 */
final class FrameGenerator
{
    private static final int IPV4 = 0x0800;
    private static final int ARP = 0x0806;
    private static final int VLAN = 0x8100;
    private static final int QINQ = 0x88a8;
    private static final int IPV6 = 0x86dd;
    private static final int SHORTEST = 14;
    private static final int[] PORTS = {53, 80, 443, 9999};

    private final Random random;
    private final ByteBuffer out = ByteBuffer.allocate(4096);

    FrameGenerator(final long seed)
    {
        random = new Random(seed);
    }

    byte[] next()
    {
        out.clear();
        mac(random.nextInt(12) == 0);
        mac(false);
        for (int tags = Math.max(0, random.nextInt(6) - 3); tags > 0; tags--)
        {
            out.putShort((short)(random.nextInt(4) == 0 ? QINQ : VLAN));
            out.putShort((short)(random.nextInt(8) << 13 | random.nextInt(5)));
        }
        switch (random.nextInt(10))
        {
            case 0 -> arp();
            case 1, 2, 3 -> ipv6();
            case 4 -> out.putShort((short)random.nextInt());
            default -> ipv4();
        }
        final byte[] payload = new byte[random.nextInt(8) == 0 ? random.nextInt(1400) : random.nextInt(80)];
        random.nextBytes(payload);
        out.put(payload);
        final int whole = out.position();
        final int length = random.nextInt(6) == 0 ?
            SHORTEST + random.nextInt(Math.min(60, whole - SHORTEST + 1)) : whole;
        final byte[] frame = new byte[Math.max(SHORTEST, Math.min(whole, length))];
        out.get(0, frame);
        if (random.nextInt(6) == 0)
        {
            frame[random.nextInt(frame.length)] = (byte)random.nextInt();
        }
        return frame;
    }

    private void mac(final boolean isGroup)
    {
        out.put(new byte[]{(byte)(isGroup ? 3 : 2), 0, 0, 0, 0, (byte)random.nextInt(6)});
    }

    private void arp()
    {
        out.putShort((short)ARP).putShort((short)1).putShort((short)IPV4).putShort((short)0x0604);
        out.putShort((short)(1 + random.nextInt(2)));
        mac(false);
        out.putInt(host());
        mac(false);
        out.putInt(host());
    }

    /** 198.18.0.0/15 and a neighbour that no rule knows. */
    private int host()
    {
        return (random.nextInt(8) == 0 ? 0x0a00_0000 : 0xc612_0000) | random.nextInt(3) << 8 | 1 + random.nextInt(6);
    }

    private void ipv4()
    {
        final int options = random.nextInt(8) == 0 ? 1 + random.nextInt(3) : 0;
        out.putShort((short)IPV4);
        final int start = out.position();
        out.put((byte)(0x45 + options)).put((byte)0).putShort((short)(60 + random.nextInt(40)));
        out.putShort((short)random.nextInt());
        out.putShort((short)(random.nextInt(10) == 0 ? random.nextInt(1 << 14) : 0x4000));
        out.put((byte)64).put((byte)protocol(1)).putShort((short)0).putInt(host()).putInt(host());
        for (int i = 0; i < options; i++)
        {
            out.putInt(0x0101_0101);
        }
        out.putShort(start + 10, (short)~sum(start, out.position()));
        transport(out.get(start + 9), 8);
    }

    private void ipv6()
    {
        out.putShort((short)IPV6).putInt(0x6000_0000).putShort((short)(20 + random.nextInt(40)));
        final int extensions = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 0;
        final int protocol = protocol(58);
        final int[] kinds = {0, 60, 43};
        out.put((byte)(extensions > 0 ? kinds[0] : protocol)).put((byte)64);
        address6();
        address6();
        for (int i = 1; i <= extensions; i++)
        {
            out.put((byte)(i < extensions ? kinds[i] : protocol)).put((byte)random.nextInt(2)).putShort((short)0x0104);
            out.putInt(0);
        }
        transport(protocol, 128);
    }

    private void address6()
    {
        out.putInt(0x2001_0200).putInt(random.nextInt(3)).putInt(0).putInt(1 + random.nextInt(4));
    }

    private int protocol(final int icmp)
    {
        return switch (random.nextInt(8))
        {
            case 0, 1 -> icmp;
            case 2, 3, 4 -> 6;
            case 5, 6 -> 17;
            default -> random.nextInt(256);
        };
    }

    private void transport(final int protocol, final int echo)
    {
        switch (protocol)
        {
            case 6 ->
            {
                ports();
                out.putInt(random.nextInt()).putInt(random.nextInt());
                out.put((byte)0x50).put((byte)(1 << random.nextInt(5) | (random.nextInt(3) == 0 ? 0x10 : 0)));
                out.putShort((short)1000).putShort((short)random.nextInt()).putShort((short)0);
            }
            case 17 ->
            {
                ports();
                out.putShort((short)(8 + random.nextInt(50)));
                out.putShort((short)(random.nextInt(3) == 0 ? 0 : random.nextInt()));
            }
            default ->
            {
                out.put((byte)(random.nextInt(4) == 0 ? random.nextInt() : echo)).put((byte)0);
                out.putShort((short)random.nextInt()).putShort((short)7).putShort((short)random.nextInt(9));
            }
        }
    }

    private void ports()
    {
        out.putShort((short)PORTS[random.nextInt(4)]).putShort((short)PORTS[random.nextInt(4)]);
    }

    private int sum(final int from, final int to)
    {
        int sum = 0;
        for (int i = from; i < to; i += 2)
        {
            sum += out.getShort(i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return (sum & 0xffff) + (sum >>> 16);
    }
}
