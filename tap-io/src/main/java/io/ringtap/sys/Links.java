package io.ringtap.sys;

import java.nio.charset.StandardCharsets;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Makes, finds and deletes interfaces of the namespace the opening thread is in, through rtnetlink(7). For set-up, not
 * for the data path; used by one thread at a time.
 */
public final class Links implements AutoCloseable
{
    /** MACVLAN_MODE_* of linux/if_link.h. */
    public static final int MACVLAN_PRIVATE = 1;
    public static final int MACVLAN_VEPA = 2;
    public static final int MACVLAN_BRIDGE = 4;
    public static final int MACVLAN_PASSTHRU = 8;

    private static final int AF_NETLINK = 16;
    private static final int NETLINK_ROUTE = 0;
    private static final int SOL_NETLINK = 270;
    private static final int NETLINK_EXT_ACK = 11;
    private static final int NETLINK_CAP_ACK = 10;

    private static final int NLM_F_REQUEST = 0x01;
    private static final int NLM_F_ACK = 0x04;
    private static final int NLM_F_EXCL = 0x200;
    private static final int NLM_F_CREATE = 0x400;
    private static final int NLM_F_ACK_TLVS = 0x200;
    private static final int NLMSG_ERROR = 2;
    private static final int NLMSGERR_ATTR_MSG = 1;

    private static final int RTM_NEWLINK = 16;
    private static final int RTM_DELLINK = 17;
    private static final int RTM_GETLINK = 18;
    private static final int RTM_SETLINK = 19;

    private static final int IFLA_ADDRESS = 1;
    private static final int IFLA_IFNAME = 3;
    private static final int IFLA_LINK = 5;
    private static final int IFLA_MASTER = 10;
    private static final int IFLA_LINKINFO = 18;
    private static final int IFLA_IFALIAS = 20;
    private static final int IFLA_INFO_KIND = 1;
    private static final int IFLA_INFO_DATA = 2;
    private static final int IFLA_MACVLAN_MODE = 1;
    private static final int IFLA_EXT_MASK = 29;
    private static final int RTEXT_FILTER_SKIP_STATS = 1 << 3;

    private static final int ANSWER = 32 * 1024;

    private final Fd socket = Sockets.socket(AF_NETLINK, Sockets.SOCK_RAW, NETLINK_ROUTE);
    private final UnsafeBuffer answer = Memory.scratch(ANSWER);
    private int answerLength;
    private int sequence;

    private Links()
    {
        // The kernel's own words for a refusal, and not our request in front of them. Older kernels have neither.
        optional(NETLINK_CAP_ACK);
        optional(NETLINK_EXT_ACK);
    }

    public static Links open()
    {
        return new Links();
    }

    /** @return null when there is no interface of this name. */
    public LinkInfo find(final String name)
    {
        final NetlinkMessage request = new NetlinkMessage(RTM_GETLINK, NLM_F_REQUEST, 0)
            .add(IFLA_IFNAME, name).add(IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
        final int result = exchange(request);
        if (-Errno.ENODEV == result)
        {
            return null;
        }
        check("RTM_GETLINK", result, name);
        return parse();
    }

    /**
     * Makes a macvtap.
     *
     * @param lower index of the interface that it lies over.
     * @param mode  MACVLAN_*.
     * @param mac   its address; null lets the kernel choose.
     * @param alias free text that stays with it.
     * @return false when the name is taken.
     */
    public boolean addMacvtap(
        final String name, final int lower, final int mode, final byte[] mac, final String alias)
    {
        final int flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL;
        final NetlinkMessage request = new NetlinkMessage(RTM_NEWLINK, flags, 0)
            .add(IFLA_IFNAME, name).add(IFLA_LINK, lower);
        if (null != mac)
        {
            request.add(IFLA_ADDRESS, mac);
        }
        final int info = request.begin(IFLA_LINKINFO | NetlinkMessage.NESTED);
        request.add(IFLA_INFO_KIND, "macvtap");
        final int data = request.begin(IFLA_INFO_DATA | NetlinkMessage.NESTED);
        request.add(IFLA_MACVLAN_MODE, mode).end(data);
        request.end(info);
        final int result = exchange(request);
        if (-Errno.EEXIST == result)
        {
            return false;
        }
        check("RTM_NEWLINK", result, name);
        alias(find(name).index(), alias);
        return true;
    }

    /** A new interface cannot have one from the start. */
    private void alias(final int index, final String alias)
    {
        check("RTM_SETLINK", exchange(
            new NetlinkMessage(RTM_SETLINK, NLM_F_REQUEST | NLM_F_ACK, index).add(IFLA_IFALIAS, alias)), alias);
    }

    /** @return false when it is gone already. */
    public boolean delete(final int index)
    {
        final int result = exchange(new NetlinkMessage(RTM_DELLINK, NLM_F_REQUEST | NLM_F_ACK, index));
        if (-Errno.ENODEV == result)
        {
            return false;
        }
        check("RTM_DELLINK", result, "index " + index);
        return true;
    }

    @Override
    public void close()
    {
        socket.close();
    }

    /** @return 0 when the kernel agreed or answered, else a negative errno; {@link #answer} then holds what it said. */
    private int exchange(final NetlinkMessage request)
    {
        final UnsafeBuffer message = request.finish(++sequence);
        Syscalls.check("netlink write",
            Syscalls.write(socket.number(), message, 0, request.length()), socket);
        do
        {
            answerLength = Syscalls.read(socket.number(), answer, 0, ANSWER);
            Syscalls.check("netlink read", answerLength, socket);
        }
        while (answerLength < NetlinkMessage.FIRST_ATTRIBUTE ||
            answer.getInt(NetlinkMessage.SEQUENCE_OFFSET) != sequence);
        return NLMSG_ERROR == answer.getShort(NetlinkMessage.TYPE_OFFSET) ? answer.getInt(NetlinkMessage.HEADER) : 0;
    }

    private void check(final String call, final int result, final String name)
    {
        if (result < 0)
        {
            final String words = words();
            throw new SyscallException(call, -result, words.isEmpty() ? name : name + ": " + words);
        }
    }

    /** struct nlmsgerr is the errno and our header; what the kernel says in words is an attribute behind it. */
    private String words()
    {
        final boolean hasWords = NLMSG_ERROR == answer.getShort(NetlinkMessage.TYPE_OFFSET) &&
            0 != (answer.getShort(NetlinkMessage.FLAGS_OFFSET) & NLM_F_ACK_TLVS);
        final int first = NetlinkMessage.HEADER + Integer.BYTES + NetlinkMessage.HEADER;
        final int at = hasWords ? find(first, answerLength, NLMSGERR_ATTR_MSG) : 0;
        return 0 == at ? "" : text(at);
    }

    private LinkInfo parse()
    {
        final int end = Math.min(answer.getInt(0), answerLength);
        final int first = NetlinkMessage.FIRST_ATTRIBUTE;
        final int info = find(first, end, IFLA_LINKINFO);
        final int kind = 0 == info ? 0 :
            find(info + NetlinkMessage.ATTRIBUTE_HEADER, info + attributeLength(info), IFLA_INFO_KIND);
        return new LinkInfo(
            answer.getInt(NetlinkMessage.INDEX_OFFSET), text(find(first, end, IFLA_IFNAME)), text(kind),
            number(find(first, end, IFLA_LINK)), number(find(first, end, IFLA_MASTER)),
            text(find(first, end, IFLA_IFALIAS)));
    }

    /** @return where the attribute begins, 0 when there is none. */
    private int find(final int first, final int end, final int type)
    {
        int at = first;
        while (at + NetlinkMessage.ATTRIBUTE_HEADER <= end && attributeLength(at) >= NetlinkMessage.ATTRIBUTE_HEADER)
        {
            if (type == (answer.getShort(at + Short.BYTES) & NetlinkMessage.TYPE_MASK))
            {
                return at;
            }
            at += NetlinkMessage.align(attributeLength(at));
        }
        return 0;
    }

    private int attributeLength(final int at)
    {
        return answer.getShort(at) & 0xffff;
    }

    private int number(final int at)
    {
        return 0 == at ? 0 : answer.getInt(at + NetlinkMessage.ATTRIBUTE_HEADER);
    }

    private String text(final int at)
    {
        if (0 == at)
        {
            return "";
        }
        final byte[] bytes = new byte[attributeLength(at) - NetlinkMessage.ATTRIBUTE_HEADER];
        answer.getBytes(at + NetlinkMessage.ATTRIBUTE_HEADER, bytes);
        final String text = new String(bytes, StandardCharsets.UTF_8);
        final int zero = text.indexOf('\0');
        return zero < 0 ? text : text.substring(0, zero);
    }

    private void optional(final int option)
    {
        try
        {
            Sockets.setOption(socket.number(), SOL_NETLINK, option, 1);
        }
        catch (final SyscallException e)
        {
            if (Errno.ENOPROTOOPT != e.errno())
            {
                throw e;
            }
        }
    }
}
