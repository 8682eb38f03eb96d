package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpVerdict;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Frames that programs meet, made up: the usual protocols, some oddities, long and short. A program that has seen them
 * all has been down most of its ways, so that the just-in-time compiler does not take real traffic for impossible.
 */
final class PracticeFrames
{
    private static final int SLOT = 2048;
    private static final int HEADROOM = 256;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int ARP = 0x0806;
    private static final int VLAN = 0x8100;
    private static final int SERVICE_VLAN = 0x88a8;
    private static final int ICMP = 1;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int ICMPV6 = 58;
    private static final int FRAGMENT = 44;

    private final byte[][] frames =
    {
        ipv4(ether(64, IPV4), 14, 5, UDP, 0),
        ipv4(ether(64, IPV4), 14, 5, TCP, 0),
        ipv4(ether(1514, IPV4), 14, 5, TCP, 0),
        ipv4(ether(98, IPV4), 14, 5, ICMP, 0),
        ipv4(ether(64, IPV4), 14, 8, UDP, 0),
        ipv4(ether(200, IPV4), 14, 5, UDP, 0x2010),
        ipv4(ether(64, IPV4), 14, 15, TCP, 0),
        ipv4(ether(36, IPV4), 14, 5, UDP, 0),
        ipv6(ether(78, IPV6), 14, UDP),
        ipv6(ether(1514, IPV6), 14, TCP),
        ipv6(ether(86, IPV6), 14, ICMPV6),
        ipv6(ether(78, IPV6), 14, FRAGMENT),
        ipv4(tag(ether(68, VLAN), 14, IPV4), 18, 5, UDP, 0),
        ipv6(tag(ether(82, VLAN), 14, IPV6), 18, TCP),
        ipv4(tag(tag(ether(72, SERVICE_VLAN), 14, VLAN), 18, IPV4), 22, 5, TCP, 0),
        ether(60, ARP),
        ether(60, 0x88cc),
        ether(14, IPV4),
    };
    private final UnsafeBuffer arena = new UnsafeBuffer(ByteBuffer.allocateDirect(SLOT * frames.length));
    private final FrameView[] views = new FrameView[frames.length];
    private final int[] verdicts = new int[frames.length];

    PracticeFrames()
    {
        for (int i = 0; i < views.length; i++)
        {
            views[i] = new FrameView();
            views[i].wrap(arena, FrameView.FROM_GUEST, 0);
        }
    }

    int count()
    {
        return frames.length;
    }

    /** Lays all frames out anew, with other addresses and ports in each round, and judges them. */
    void run(final ProgramCode code, final BpfContext context, final int round)
    {
        for (int i = 0; i < frames.length; i++)
        {
            final int start = i * SLOT + HEADROOM;
            arena.putBytes(start, frames[i]);
            if (frames[i].length > 40)
            {
                arena.putByte(start + 29, (byte)round);
                arena.putShort(start + 34, (short)(round * 0x9e37));
                arena.putShort(start + 36, (short)(round * 31));
            }
            views[i].frame(i * SLOT, (i + 1) * SLOT, start, frames[i].length, frames[i].length);
            verdicts[i] = XdpVerdict.PASS;
        }
        code.runBatch(context, views, views.length, verdicts);
        for (int i = 0; i < frames.length; i++)
        {
            final int start = i * SLOT + HEADROOM;
            arena.putBytes(start, frames[i]);
            views[i].frame(i * SLOT, (i + 1) * SLOT, start, frames[i].length, frames[i].length);
            code.runOn(context, views[i]);
        }
    }

    private static byte[] ether(final int length, final int type)
    {
        final byte[] frame = new byte[length];
        Arrays.fill(frame, 14, length, (byte)0x11);
        frame[0] = 0x52;
        frame[1] = 0x54;
        frame[6] = 0x52;
        frame[7] = 0x54;
        frame[11] = 1;
        put(frame, 12, type);
        return frame;
    }

    /** A VLAN tag whose EtherType stands before {@code at}; the frame's own type moves behind it. */
    private static byte[] tag(final byte[] frame, final int at, final int type)
    {
        put(frame, at, 100);
        put(frame, at + 2, type);
        return frame;
    }

    private static byte[] ipv4(
        final byte[] frame, final int at, final int words, final int protocol, final int fragment)
    {
        frame[at] = (byte)(0x40 | words);
        put(frame, at + 2, frame.length - at);
        put(frame, at + 6, fragment);
        frame[at + 8] = 64;
        frame[at + 9] = (byte)protocol;
        return frame;
    }

    private static byte[] ipv6(final byte[] frame, final int at, final int next)
    {
        frame[at] = 0x60;
        put(frame, at + 4, frame.length - at - 40);
        frame[at + 6] = (byte)next;
        frame[at + 7] = 64;
        return frame;
    }

    private static void put(final byte[] frame, final int at, final int value)
    {
        ByteBuffer.wrap(frame).order(ByteOrder.BIG_ENDIAN).putShort(at, (short)value);
    }
}
