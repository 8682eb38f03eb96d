package io.ringtap.sys;

import java.lang.ref.Reference;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A descriptor that becomes readable when one interface is deleted, for descriptors that do not tell, such as those of
 * a macvtap; or when something of it is set, such as its MTU. The kernel filters, so that nothing else on the host
 * wakes anybody.
 */
public final class LinkWatch implements AutoCloseable
{
    private static final int MOST_READS = 64;
    private static final int AF_NETLINK = 16;
    private static final int NETLINK_ROUTE = 0;
    private static final int RTMGRP_LINK = 1;
    private static final short RTM_NEWLINK = 16;
    private static final short RTM_DELLINK = 17;
    /** struct sockaddr_nl: family, pad, port, groups. */
    private static final int ADDRESS_LENGTH = 12;
    private static final int GROUPS_OFFSET = 8;

    private static final int SO_ATTACH_FILTER = 26;
    /** struct sock_filter of linux/filter.h: code (2), jump if true (1), if false (1), operand (4). */
    private static final int INSTRUCTION = 8;
    private static final int LOAD_WORD = 0x20;
    private static final int LOAD_HALF = 0x28;
    private static final int LOAD_BYTE = 0x30;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int RETURN = 0x06;
    private static final int WHOLE = 0x40000;
    private static final int INSTRUCTIONS = 8;

    private final Fd socket = Sockets.socket(AF_NETLINK, Sockets.SOCK_RAW | Sockets.SOCK_NONBLOCK, NETLINK_ROUTE);
    private final UnsafeBuffer sink = Memory.scratch(Integer.BYTES);

    private LinkWatch(final int index, final short type)
    {
        try
        {
            filter(index, type);
            final UnsafeBuffer address = Memory.scratch(ADDRESS_LENGTH);
            address.putShort(0, (short)AF_NETLINK);
            address.putInt(GROUPS_OFFSET, RTMGRP_LINK);
            Sockets.bind(socket.number(), address, ADDRESS_LENGTH, "link changes");
        }
        catch (final RuntimeException e)
        {
            socket.close();
            throw e;
        }
    }

    /**
     * Tells that an interface was deleted, or moved to another namespace.
     *
     * @param index the interface's, in the namespace of the calling thread.
     */
    public static LinkWatch ofEnd(final int index)
    {
        return new LinkWatch(index, RTM_DELLINK);
    }

    /** As {@link #ofEnd}, but tells that something of the interface was set. */
    public static LinkWatch ofChanges(final int index)
    {
        return new LinkWatch(index, RTM_NEWLINK);
    }

    /** Readable after what is watched for. */
    public int number()
    {
        return socket.number();
    }

    /** Takes what was told, so that the descriptor is quiet again; what is told without end, the next time. */
    public void drain()
    {
        int result = 1;
        for (int i = 0; i < MOST_READS && (result > 0 || -Errno.ENOBUFS == result); i++)
        {
            // A datagram that does not fit is cut: what it says is known.
            result = Syscalls.read(socket.number(), sink, 0, Integer.BYTES);
        }
    }

    @Override
    public void close()
    {
        socket.close();
    }

    /** Loads of a filter see big-endian numbers, netlink writes the host's. */
    private void filter(final int index, final short type)
    {
        final UnsafeBuffer program = Memory.scratch(INSTRUCTIONS * INSTRUCTION);
        put(program, 0, LOAD_HALF, 0, 0, NetlinkMessage.TYPE_OFFSET);
        put(program, 1, JUMP_IF_EQUAL, 0, 5, Short.reverseBytes(type) & 0xffff);
        // A bridge tells of ports that leave it by the same type, in a family of its own.
        put(program, 2, LOAD_BYTE, 0, 0, NetlinkMessage.FAMILY_OFFSET);
        put(program, 3, JUMP_IF_EQUAL, 0, 3, 0);
        put(program, 4, LOAD_WORD, 0, 0, NetlinkMessage.INDEX_OFFSET);
        put(program, 5, JUMP_IF_EQUAL, 0, 1, Integer.reverseBytes(index));
        put(program, 6, RETURN, 0, 0, WHOLE);
        put(program, 7, RETURN, 0, 0, 0);
        // struct sock_fprog: the number of instructions, then at 8 where they are.
        final UnsafeBuffer descriptor = Memory.scratch(2 * Long.BYTES);
        descriptor.putShort(0, (short)INSTRUCTIONS);
        descriptor.putLong(Long.BYTES, Memory.addressOf(program));
        Sockets.setOption(
            socket.number(), Sockets.SOL_SOCKET, SO_ATTACH_FILTER, descriptor, 2 * Long.BYTES);
        Reference.reachabilityFence(program);
    }

    private static void put(
        final UnsafeBuffer program, final int i, final int code, final int ifTrue, final int ifFalse, final int operand)
    {
        final int at = i * INSTRUCTION;
        program.putShort(at, (short)code);
        program.putByte(at + 2, (byte)ifTrue);
        program.putByte(at + 3, (byte)ifFalse);
        program.putInt(at + 4, operand);
    }
}
