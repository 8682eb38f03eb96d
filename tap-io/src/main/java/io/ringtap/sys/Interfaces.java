package io.ringtap.sys;

import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads and sets network interfaces of the namespace the opening thread is in. For set-up, not for the data path; used
 * by one thread at a time.
 */
public final class Interfaces implements AutoCloseable
{
    /** struct sockaddr inside the request: the address follows the family. */
    private static final int MAC_OFFSET = If.IFREQ_VALUE + 2;
    private static final int MAC_LENGTH = 6;
    private static final short ARPHRD_ETHER = 1;

    private final Fd socket = Sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM, 0);
    private final UnsafeBuffer request = Memory.scratch(If.IFREQ_LENGTH);

    private Interfaces()
    {
    }

    public static Interfaces open()
    {
        return new Interfaces();
    }

    public boolean exists(final String name)
    {
        name(name);
        final int result = Syscalls.ioctlResult(socket.number(), If.SIOCGIFINDEX, request);
        if (result == -Errno.ENODEV)
        {
            return false;
        }
        Syscalls.check("ioctl SIOCGIFINDEX", result, name);
        return true;
    }

    public int index(final String name)
    {
        return get("SIOCGIFINDEX", If.SIOCGIFINDEX, name);
    }

    public String nameOf(final int index)
    {
        request.setMemory(0, If.IFREQ_LENGTH, (byte)0);
        request.putInt(If.IFREQ_VALUE, index);
        final int result = Syscalls.ioctlResult(socket.number(), If.SIOCGIFNAME, request);
        Syscalls.check("ioctl SIOCGIFNAME", result, "index " + index);
        return nameAt(request, 0);
    }

    public int mtu(final String name)
    {
        return get("SIOCGIFMTU", If.SIOCGIFMTU, name);
    }

    public void mtu(final String name, final int mtu)
    {
        set("SIOCSIFMTU", If.SIOCSIFMTU, name, mtu);
    }

    public int txQueueLength(final String name)
    {
        return get("SIOCGIFTXQLEN", If.SIOCGIFTXQLEN, name);
    }

    public void txQueueLength(final String name, final int length)
    {
        set("SIOCSIFTXQLEN", If.SIOCSIFTXQLEN, name, length);
    }

    /** {@link If} IFF_* bits. */
    public int flags(final String name)
    {
        return get("SIOCGIFFLAGS", If.SIOCGIFFLAGS, name) & 0xffff;
    }

    public boolean isUp(final String name)
    {
        return (flags(name) & If.IFF_UP) != 0;
    }

    public void up(final String name)
    {
        set("SIOCSIFFLAGS", If.SIOCSIFFLAGS, name, flags(name) | If.IFF_UP);
    }

    public void down(final String name)
    {
        set("SIOCSIFFLAGS", If.SIOCSIFFLAGS, name, flags(name) & ~If.IFF_UP);
    }

    /** Six bytes as they go over the wire. */
    public byte[] mac(final String name)
    {
        get("SIOCGIFHWADDR", If.SIOCGIFHWADDR, name);
        final byte[] mac = new byte[MAC_LENGTH];
        request.getBytes(MAC_OFFSET, mac);
        return mac;
    }

    public void mac(final String name, final byte[] mac)
    {
        if (mac.length != MAC_LENGTH)
        {
            throw new IllegalArgumentException("MAC has " + mac.length + " bytes instead of " + MAC_LENGTH);
        }
        name(name);
        request.putShort(If.IFREQ_VALUE, ARPHRD_ETHER);
        request.putBytes(MAC_OFFSET, mac);
        final int result = Syscalls.ioctlResult(socket.number(), If.SIOCSIFHWADDR, request);
        Syscalls.check("ioctl SIOCSIFHWADDR", result, name);
    }

    /** Queues that receive, as ethtool(8) shows channels; 1 when the device does not say. */
    public int receiveQueues(final String name)
    {
        // struct ethtool_channels: command, four maxima, then receive, transmit, other and combined, four bytes each.
        final UnsafeBuffer channels = Memory.scratch(9 * Integer.BYTES);
        channels.putInt(0, If.ETHTOOL_GCHANNELS);
        name(name);
        request.putLong(If.IFREQ_VALUE, Memory.addressOf(channels));
        final int result = Syscalls.ioctlResult(socket.number(), If.SIOCETHTOOL, request);
        Reference.reachabilityFence(channels);
        return result < 0 ? 1 : Math.max(1, channels.getInt(5 * Integer.BYTES) + channels.getInt(8 * Integer.BYTES));
    }

    /** @return false when the interface was a member of a bridge already, this one or another. */
    public boolean join(final String bridge, final String name)
    {
        final int index = index(name);
        name(bridge);
        request.putInt(If.IFREQ_VALUE, index);
        final int result = Syscalls.ioctlResult(socket.number(), If.SIOCBRADDIF, request);
        if (result == -Errno.EBUSY)
        {
            return false;
        }
        Syscalls.check("ioctl SIOCBRADDIF", result, bridge);
        return true;
    }

    public void leave(final String bridge, final String name)
    {
        set("SIOCBRDELIF", If.SIOCBRDELIF, bridge, index(name));
    }

    /** Writes an interface name into a structure. @throws IllegalArgumentException when it is empty or too long. */
    public static void putName(final UnsafeBuffer structure, final int offset, final String name)
    {
        final byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        if (bytes.length == 0 || bytes.length >= If.IFNAMSIZ)
        {
            throw new IllegalArgumentException(
                "interface name '" + name + "' has not 1 to " + (If.IFNAMSIZ - 1) + " bytes");
        }
        structure.setMemory(offset, If.IFNAMSIZ, (byte)0);
        structure.putBytes(offset, bytes);
    }

    /** Reads an interface name out of a structure. */
    public static String nameAt(final UnsafeBuffer structure, final int offset)
    {
        int length = 0;
        while (length < If.IFNAMSIZ && structure.getByte(offset + length) != 0)
        {
            length++;
        }
        final byte[] bytes = new byte[length];
        structure.getBytes(offset, bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    @Override
    public void close()
    {
        socket.close();
    }

    private void name(final String name)
    {
        request.setMemory(0, If.IFREQ_LENGTH, (byte)0);
        putName(request, 0, name);
    }

    private int get(final String call, final int number, final String name)
    {
        name(name);
        final int result = Syscalls.ioctlResult(socket.number(), number, request);
        Syscalls.check("ioctl " + call, result, name);
        return request.getInt(If.IFREQ_VALUE);
    }

    private void set(final String call, final int number, final String name, final int value)
    {
        name(name);
        request.putInt(If.IFREQ_VALUE, value);
        final int result = Syscalls.ioctlResult(socket.number(), number, request);
        Syscalls.check("ioctl " + call, result, name);
    }
}
