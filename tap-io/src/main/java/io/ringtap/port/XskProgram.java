package io.ringtap.port;

import io.ringtap.sys.Bpf;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Xdp;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The program in front of a device's queues, in the kernel: a frame goes to the socket of its queue, or on to the host
 * where there is none. Made here of raw instructions, and attached by a link, which ends with the process.
 */
final class XskProgram implements AutoCloseable
{
    private static final int KEY = Integer.BYTES;
    /** struct xdp_md, rx_queue_index. */
    private static final int CONTEXT_QUEUE = 16;
    private static final int XDP_PASS = 2;
    private static final int REDIRECT_MAP = 51;

    private static final int LOAD_WORD = 0x61;
    private static final int LOAD_IMMEDIATE = 0x18;
    private static final int MAP_BY_DESCRIPTOR = 1;
    private static final int MOVE = 0xb7;
    private static final int CALL = 0x85;
    private static final int EXIT = 0x95;

    private final String name;
    private final Fd map;
    private final Fd program;
    private final UnsafeBuffer key = Memory.scratch(KEY);
    private final UnsafeBuffer value = Memory.scratch(KEY);
    private Fd link;
    private boolean isGeneric;
    private int linkIndex;

    /** @param queues sockets it can lead to. */
    XskProgram(final String name, final int queues)
    {
        this.name = name;
        try
        {
            map = Bpf.mapCreate(Bpf.MAP_TYPE_XSKMAP, KEY, KEY, queues, 0, "ringtap_xsks");
        }
        catch (final SyscallException e)
        {
            throw refusal(e);
        }
        try
        {
            program = load();
        }
        catch (final SyscallException e)
        {
            map.close();
            throw refusal(e);
        }
    }

    /** Puts the program in front of a device; nothing is done when it stands there already. */
    void attach(final int index, final XskMode mode)
    {
        if (null != link && linkIndex == index)
        {
            return;
        }
        CloseHelper.quietClose(link);
        link = null;
        int result = -Errno.EOPNOTSUPP;
        if (XskMode.GENERIC != mode)
        {
            isGeneric = false;
            result = Bpf.linkXdp(program.number(), index, Xdp.XDP_FLAGS_DRV_MODE);
        }
        if (XskMode.GENERIC == mode || XskMode.AUTO == mode && result < 0 && -Errno.EBUSY != result)
        {
            isGeneric = true;
            result = Bpf.linkXdp(program.number(), index, Xdp.XDP_FLAGS_SKB_MODE);
        }
        if (result < 0)
        {
            throw refusal(mode, -result);
        }
        link = Fd.of(result, "XDP link of " + name);
        linkIndex = index;
    }

    boolean isGeneric()
    {
        return isGeneric;
    }

    /** Frames of this queue go to this socket from now on. */
    void enter(final int queue, final int socket)
    {
        key.putInt(0, queue);
        value.putInt(0, socket);
        final int result = Bpf.mapUpdate(map.number(), key, value, 0);
        if (result < 0)
        {
            throw new SyscallException("bpf(BPF_MAP_UPDATE_ELEM)", -result, name + " queue " + queue);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(link, program, map);
    }

    /** {@code return bpf_redirect_map(&xsks, ctx->rx_queue_index, XDP_PASS)}. */
    private Fd load()
    {
        final long[] code = {
            instruction(LOAD_WORD, 2, 1, CONTEXT_QUEUE, 0),
            instruction(LOAD_IMMEDIATE, 1, MAP_BY_DESCRIPTOR, 0, map.number()),
            0,
            instruction(MOVE, 3, 0, 0, XDP_PASS),
            instruction(CALL, 0, 0, 0, REDIRECT_MAP),
            instruction(EXIT, 0, 0, 0, 0)};
        try
        {
            // Without the flag a device with jumbo frames takes no program.
            return Bpf.progLoad(Bpf.PROG_TYPE_XDP, code, "Apache-2.0", "ringtap_xsk", Bpf.F_XDP_HAS_FRAGS);
        }
        catch (final SyscallException e)
        {
            if (Errno.EINVAL != e.errno())
            {
                throw e;
            }
            return Bpf.progLoad(Bpf.PROG_TYPE_XDP, code, "Apache-2.0", "ringtap_xsk");
        }
    }

    /** struct bpf_insn: code (8 bits), destination (4), source (4), offset (16), immediate (32). */
    private static long instruction(
        final int code, final int destination, final int source, final int offset, final int immediate)
    {
        return code | destination << 8 | source << 12 | (long)offset << 16 | (long)immediate << 32;
    }

    private PortException refusal(final SyscallException e)
    {
        final boolean isRight = Errno.EPERM == e.errno() || Errno.EACCES == e.errno();
        return new PortException("--xsk=" + name, "the kernel takes no XDP program (" + e.errnoName() + ")", isRight ?
            "run as root, or with CAP_BPF and CAP_NET_ADMIN" : "AF_XDP ports need Linux 5.9 or later; see dmesg", e);
    }

    private PortException refusal(final XskMode mode, final int errno)
    {
        final String problem = "its " + (isGeneric ? "generic" : "native") + " mode takes no XDP program (" +
            Errno.nameOf(errno) + ")";
        final String remedy = switch (errno)
        {
            case Errno.EBUSY, Errno.EEXIST -> "another program is there: stop its owner, or run: ip link set dev " +
                name + " xdp off";
            case Errno.EPERM -> "run as root, or with CAP_BPF and CAP_NET_ADMIN";
            case Errno.EOPNOTSUPP -> XskMode.AUTO == mode ? "use --packet" : "use --xsk=" + name + ":generic";
            case Errno.ERANGE -> "lower --mtu";
            default -> "AF_XDP ports need Linux 5.9 or later; see dmesg";
        };
        return new PortException("--xsk=" + name, problem, remedy, null);
    }
}
