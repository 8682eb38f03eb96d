package io.ringtap.port;

import io.ringtap.flow.FrameLayout;
import io.ringtap.flow.Offloads;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.If;
import io.ringtap.sys.Interfaces;
import io.ringtap.sys.Memory;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;
import io.ringtap.sys.Tun;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.charset.StandardCharsets;

/** One descriptor of a TAP and the requests of linux/if_tun.h on it, with refusals told in words. Not the data path. */
final class TapDevice
{
    private static final int FLAGS = Tun.IFF_TAP | Tun.IFF_NO_PI | Tun.IFF_VNET_HDR;

    private static final int MAC_LENGTH = 6;

    private TapDevice()
    {
    }

    /** What a descriptor is attached to. */
    record Attached(Fd fd, String name, int flags)
    {
        boolean isMultiQueue()
        {
            return 0 != (flags & Tun.IFF_MULTI_QUEUE);
        }

        boolean isPersistent()
        {
            return 0 != (flags & Tun.IFF_PERSIST);
        }
    }

    /** Opens a queue of a TAP that exists, or makes it. */
    static Attached open(final String name, final boolean multiQueue, final int sendBuffer)
    {
        final int length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length == 0 || length >= If.IFNAMSIZ)
        {
            throw new PortException("'" + name + "'",
                "an interface name has 1 to " + (If.IFNAMSIZ - 1) + " bytes, not " + length,
                "choose another name", null);
        }
        final Fd fd = openCloneDevice(name);
        try
        {
            return attach(fd, name, multiQueue, sendBuffer);
        }
        catch (final RuntimeException e)
        {
            fd.close();
            throw e;
        }
    }

    /**
     * Attaches a descriptor that is attached to nothing: one fresh from the clone device, or one whose interface was
     * deleted. The kernel insists that each opener says MULTI_QUEUE as the first did, so a refusal is tried once with
     * the other word.
     */
    static Attached attach(final Fd fd, final String name, final boolean multiQueue, final int sendBuffer)
    {
        final int wish = multiQueue ? FLAGS | Tun.IFF_MULTI_QUEUE : FLAGS;
        final UnsafeBuffer request = Memory.scratch(If.IFREQ_LENGTH);
        int result = setInterface(fd, name, wish, request);
        if (-Errno.EINVAL == result)
        {
            result = setInterface(fd, name, wish ^ Tun.IFF_MULTI_QUEUE, request);
        }
        if (result < 0)
        {
            throw refusal(name, multiQueue, -result);
        }
        final String given = Interfaces.nameAt(request, 0);
        Syscalls.ioctl(fd.number(), Tun.TUNGETIFF, request, given);
        prepare(fd, given, sendBuffer);
        return new Attached(fd, given, request.getInt(If.IFREQ_VALUE) & 0xffff);
    }

    /** Takes over a descriptor that a parent opened, any TAP-like one; one that is not a TAP is left as it is. */
    static Attached adopt(final int number, final int sendBuffer)
    {
        return adopt(number, "--tap-fd=" + number, sendBuffer);
    }

    /** @param what the descriptor as the user named it. */
    static Attached adopt(final int number, final String what, final int sendBuffer)
    {
        final UnsafeBuffer request = Memory.scratch(If.IFREQ_LENGTH);
        final int result = Syscalls.ioctlResult(number, Tun.TUNGETIFF, request);
        if (result < 0)
        {
            throw notATap(what, -result);
        }
        final int flags = request.getInt(If.IFREQ_VALUE) & 0xffff;
        final String name = Interfaces.nameAt(request, 0);
        final Fd fd = Fd.of(number, name);
        try
        {
            if (FLAGS != (flags & (FLAGS | Tun.IFF_TUN)))
            {
                throw new PortException(what + " (" + name + ")",
                    "it is not a TAP with a net header and without packet information",
                    "open it with IFF_TAP, IFF_NO_PI and IFF_VNET_HDR", null);
            }
            Syscalls.fcntl(number, Fcntl.F_SETFD, Fcntl.FD_CLOEXEC);
            Syscalls.setNonBlocking(number);
            prepare(fd, name, sendBuffer);
            return new Attached(fd, name, flags);
        }
        catch (final RuntimeException e)
        {
            fd.close();
            throw e;
        }
    }

    /**
     * Tells the kernel what we can read, going down from {@code wanted} until it agrees: older kernels know no USO, and
     * a device under a TAP-like descriptor may know less.
     *
     * @return the bits engaged.
     */
    static int engageOffloads(final int fd, final int wanted)
    {
        int bits = legal(wanted);
        final int[] surrender = {
            0, Offloads.USO4 | Offloads.USO6, Offloads.UFO, Offloads.ECN, Offloads.TSO6, Offloads.TSO4, Offloads.CSUM};
        for (final int lost : surrender)
        {
            bits = legal(bits & ~lost);
            if (Syscalls.ioctlResult(fd, Tun.TUNSETOFFLOAD, bits) >= 0)
            {
                return bits;
            }
        }
        return Offloads.NONE;
    }

    /** What the kernel would take as it stands (drivers/net/tun.c, set_offload). */
    static int legal(final int bits)
    {
        final int uso = Offloads.USO4 | Offloads.USO6;
        if (0 == (bits & Offloads.CSUM))
        {
            return Offloads.NONE;
        }
        int legal = bits & Offloads.ALL;
        if (uso != (legal & uso))
        {
            legal &= ~uso;
        }
        return 0 == (legal & (Offloads.TSO4 | Offloads.TSO6)) ? legal & ~Offloads.ECN : legal;
    }

    /** The cable in or out; a TAP-like descriptor without such a request is left alone, so is a deleted device. */
    static void carrier(final int fd, final boolean up)
    {
        final UnsafeBuffer value = Memory.scratch(Integer.BYTES);
        value.putInt(0, up ? 1 : 0);
        Syscalls.ioctlResult(fd, Tun.TUNSETCARRIER, value);
    }

    /** Any macvtap takes several descriptors; this makes one say so, and leave and join when it is told to. */
    static Attached multiQueue(final Attached queue)
    {
        final int flags = FLAGS | Tun.IFF_MULTI_QUEUE;
        final UnsafeBuffer request = Memory.scratch(If.IFREQ_LENGTH);
        if (setInterface(queue.fd(), queue.name(), flags, request) < 0)
        {
            return queue;
        }
        return new Attached(queue.fd(), queue.name(), flags);
    }

    /** Whether reads and writes will not tell of the device's end: so it is with macvtap, which knows no TUN. */
    static boolean isSilent(final int fd)
    {
        return 0 == (features(fd) & Tun.IFF_TUN);
    }

    /** The address of the interface behind a macvtap's descriptor. */
    static byte[] mac(final int fd)
    {
        final UnsafeBuffer request = Memory.scratch(If.IFREQ_LENGTH);
        Syscalls.ioctl(fd, If.SIOCGIFHWADDR, request);
        final byte[] mac = new byte[MAC_LENGTH];
        request.getBytes(If.IFREQ_VALUE + Short.BYTES, mac);
        return mac;
    }

    /** What this kernel's TAPs can do, as Tun.IFF_* bits; 0 when the descriptor cannot say. */
    static int features(final int fd)
    {
        final UnsafeBuffer value = Memory.scratch(Integer.BYTES);
        return Syscalls.ioctlResult(fd, Tun.TUNGETFEATURES, value) < 0 ? 0 : value.getInt(0);
    }

    private static Fd openCloneDevice(final String name)
    {
        try
        {
            return Syscalls.open(Tun.DEVICE, Fcntl.O_RDWR | Fcntl.O_NONBLOCK);
        }
        catch (final SyscallException e)
        {
            final String problem = "cannot open " + Tun.DEVICE + " (" + e.errnoName() + ")";
            switch (e.errno())
            {
                case Errno.EPERM:
                case Errno.EACCES:
                    throw new PortException(name, problem,
                        "run as root, open the device file to this user, or hand over a descriptor with --tap-fd", e);
                case Errno.ENOENT:
                case Errno.ENXIO:
                case Errno.ENODEV:
                    throw new PortException(name, problem,
                        "load the module (modprobe tun) or give the container the device (--device " + Tun.DEVICE + ")",
                        e);
                default:
                    throw e;
            }
        }
    }

    private static int setInterface(final Fd fd, final String name, final int flags, final UnsafeBuffer request)
    {
        request.setMemory(0, If.IFREQ_LENGTH, (byte)0);
        Interfaces.putName(request, 0, name);
        request.putShort(If.IFREQ_VALUE, (short)flags);
        return Syscalls.ioctlResult(fd.number(), Tun.TUNSETIFF, request);
    }

    private static void prepare(final Fd fd, final String name, final int sendBuffer)
    {
        set(fd, Tun.TUNSETVNETHDRSZ, FrameLayout.NET_HEADER, name);
        // Little endian on a little-endian host is the default; a kernel without cross-endian support has no request.
        final UnsafeBuffer value = Memory.scratch(Integer.BYTES);
        value.putInt(0, 1);
        Syscalls.ioctlResult(fd.number(), Tun.TUNSETVNETLE, value);
        set(fd, Tun.TUNSETSNDBUF, sendBuffer, name);
    }

    private static void set(final Fd fd, final long request, final int number, final String name)
    {
        final UnsafeBuffer value = Memory.scratch(Integer.BYTES);
        value.putInt(0, number);
        Syscalls.ioctl(fd.number(), request, value, name);
    }

    private static PortException refusal(final String name, final boolean multiQueue, final int errno)
    {
        final SyscallException cause = new SyscallException("ioctl TUNSETIFF", errno, name);
        switch (errno)
        {
            case Errno.EPERM:
                return new PortException(name, "no right to make or open this TAP (EPERM)", "run as root, let root make"
                    + " it (ip tuntap add " + name + " mode tap vnet_hdr user USER"
                    + (multiQueue ? " multi_queue" : "") + "), or hand over a descriptor with --tap-fd", cause);
            case Errno.EBUSY:
                return multiQueue ?
                    new PortException(name, "it exists with one queue and that is in use, or lacks multi-queue (EBUSY)",
                        "stop its user, or make it anew with multi_queue", cause) :
                    new PortException(name, "another process has it open (EBUSY)",
                        "stop that process or choose another name", cause);
            case Errno.E2BIG:
                return new PortException(name, "it has no queue left (E2BIG)",
                    "stop its other users or use fewer --queues", cause);
            case Errno.EINVAL:
                return new PortException(name, "an interface of this name exists and is not a TAP (EINVAL)",
                    "choose another name, or delete it (ip link delete " + name + ")", cause);
            default:
                return new PortException(name, "the kernel refused to attach (" + cause.errnoName() + ")",
                    "see dmesg or choose another name", cause);
        }
    }

    private static PortException notATap(final String what, final int errno)
    {
        final SyscallException cause = new SyscallException("ioctl TUNGETIFF", errno, what);
        if (Errno.EBADF == errno)
        {
            return new PortException(what, "no such descriptor was inherited (EBADF)",
                "check the number, and that the parent leaves it open for its child", cause);
        }
        if (Errno.EBADFD == errno)
        {
            return new PortException(what, "the descriptor is not attached to an interface (EBADFD)",
                "attach it first with TUNSETIFF, and keep the interface", cause);
        }
        return new PortException(what, "the descriptor is not a TAP (" + cause.errnoName() + ")",
            "hand over one of " + Tun.DEVICE + " or /dev/tapN", cause);
    }
}
