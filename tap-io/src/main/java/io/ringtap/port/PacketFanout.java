package io.ringtap.port;

import io.ringtap.sys.Fd;
import io.ringtap.sys.Packet;
import io.ringtap.sys.Sockets;

/**
 * The group of a port's receiving sockets, among which the kernel spreads flows by their hash. A group belongs to one
 * interface, so one that was deleted and made again gets a new one.
 */
final class PacketFanout
{
    private static final int NONE = -1;

    private final boolean isNeeded;
    private int groupIndex = NONE;
    private int group;

    /** @param queues with one there is nothing to spread. */
    PacketFanout(final int queues)
    {
        isNeeded = queues > 1;
    }

    /** A socket that is bound to the interface joins the others. It leaves with its descriptor. */
    synchronized void join(final Fd fd, final int index)
    {
        if (!isNeeded)
        {
            return;
        }
        if (groupIndex == index)
        {
            PacketSockets.set(fd, Packet.PACKET_FANOUT, Packet.PACKET_FANOUT_HASH << Short.SIZE | group);
        }
        else
        {
            PacketSockets.set(fd, Packet.PACKET_FANOUT,
                (Packet.PACKET_FANOUT_HASH | Packet.PACKET_FANOUT_FLAG_UNIQUEID) << Short.SIZE);
            group = Sockets.option(fd.number(), Packet.SOL_PACKET, Packet.PACKET_FANOUT) & 0xffff;
            groupIndex = index;
        }
    }
}
