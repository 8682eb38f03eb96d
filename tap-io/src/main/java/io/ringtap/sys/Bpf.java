package io.ringtap.sys;

import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;

import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * bpf(2): maps and programs in the kernel. Numbers from linux/bpf.h, enum bpf_cmd, enum bpf_map_type and enum
 * bpf_prog_type; the layouts are those of union bpf_attr.
 */
public final class Bpf
{
    public static final int MAP_CREATE = 0;
    public static final int MAP_LOOKUP_ELEM = 1;
    public static final int MAP_UPDATE_ELEM = 2;
    public static final int MAP_DELETE_ELEM = 3;
    public static final int MAP_GET_NEXT_KEY = 4;
    public static final int PROG_LOAD = 5;
    public static final int PROG_TEST_RUN = 10;
    public static final int BTF_LOAD = 18;
    public static final int MAP_LOOKUP_AND_DELETE_ELEM = 21;
    public static final int MAP_FREEZE = 22;
    public static final int LINK_CREATE = 28;

    /** enum bpf_attach_type. */
    public static final int ATTACH_XDP = 37;
    /** The program can do with frames that lie in several buffers (Linux 5.18). */
    public static final int F_XDP_HAS_FRAGS = 1 << 5;

    public static final int MAP_TYPE_HASH = 1;
    public static final int MAP_TYPE_ARRAY = 2;
    public static final int MAP_TYPE_XSKMAP = 17;

    public static final int PROG_TYPE_XDP = 6;

    /** Room for the union, zeroed: a kernel refuses what it does not know unless it is 0. */
    private static final int ATTRIBUTES_LENGTH = 144;
    private static final int NAME_LENGTH = 16;
    private static final int LOG_LENGTH = 1 << 16;

    private Bpf()
    {
    }

    /** An empty union bpf_attr in native memory, to be filled and given to {@link #call}. */
    public static UnsafeBuffer attributes()
    {
        return new UnsafeBuffer(BufferUtil.allocateDirectAligned(ATTRIBUTES_LENGTH, 8));
    }

    /**
     * Any command.
     *
     * @param attributes native memory; the kernel may write into it.
     * @return the result, or a negative {@link Errno}.
     */
    public static long call(final int command, final DirectBuffer attributes)
    {
        final long result =
            Kernel.control(SyscallNumber.BPF, command, Memory.addressOf(attributes), attributes.capacity(), 0);
        Reference.reachabilityFence(attributes);
        return result;
    }

    /** Makes a map. @param name at most 15 bytes of it are kept, and of those what the kernel allows. */
    public static Fd mapCreate(
        final int type, final int keySize, final int valueSize, final int maxEntries, final int flags,
        final String name)
    {
        final UnsafeBuffer attributes = attributes();
        attributes.putInt(0, type);
        attributes.putInt(4, keySize);
        attributes.putInt(8, valueSize);
        attributes.putInt(12, maxEntries);
        attributes.putInt(16, flags);
        putName(attributes, 28, name);
        return Fd.of((int)Syscalls.check("bpf(BPF_MAP_CREATE)", call(MAP_CREATE, attributes), name), name);
    }

    /**
     * Stores a value.
     *
     * @param key   native memory, as long as the map wants it.
     * @param value the same.
     * @return 0 or a negative {@link Errno}.
     */
    public static int mapUpdate(final int map, final DirectBuffer key, final DirectBuffer value, final long flags)
    {
        final UnsafeBuffer attributes = attributes();
        attributes.putInt(0, map);
        attributes.putLong(8, Memory.addressOf(key));
        attributes.putLong(16, Memory.addressOf(value));
        attributes.putLong(24, flags);
        final int result = (int)call(MAP_UPDATE_ELEM, attributes);
        Reference.reachabilityFence(key);
        Reference.reachabilityFence(value);
        return result;
    }

    /**
     * Gives a program to the kernel's verifier.
     *
     * @param code    instructions, maps by descriptor.
     * @param license the kernel keeps some helpers to programs under the GPL.
     * @throws SyscallException when it is refused; the message ends in the last line of the verifier's log.
     */
    public static Fd progLoad(final int type, final long[] code, final String license, final String name)
    {
        return progLoad(type, code, license, name, 0);
    }

    /** As above. @param flags such as {@link #F_XDP_HAS_FRAGS}. */
    public static Fd progLoad(
        final int type, final long[] code, final String license, final String name, final int flags)
    {
        final UnsafeBuffer instructions = new UnsafeBuffer(BufferUtil.allocateDirectAligned(8 * code.length, 8));
        for (int i = 0; i < code.length; i++)
        {
            instructions.putLong(8 * i, code[i]);
        }
        final UnsafeBuffer text = string(license);
        final UnsafeBuffer log = new UnsafeBuffer(BufferUtil.allocateDirectAligned(LOG_LENGTH, 8));
        final UnsafeBuffer attributes = attributes();
        attributes.putInt(0, type);
        attributes.putInt(4, code.length);
        attributes.putLong(8, Memory.addressOf(instructions));
        attributes.putLong(16, Memory.addressOf(text));
        attributes.putInt(44, flags);
        putName(attributes, 48, name);
        long result = call(PROG_LOAD, attributes);
        if (result < 0)
        {
            // Only once more, and for the reason: a log costs more than the load.
            attributes.putInt(24, 1);
            attributes.putInt(28, LOG_LENGTH);
            attributes.putLong(32, Memory.addressOf(log));
            result = call(PROG_LOAD, attributes);
        }
        Reference.reachabilityFence(instructions);
        Reference.reachabilityFence(text);
        final String why = result < 0 ? lastLine(log) : "";
        return Fd.of((int)Syscalls.check("bpf(BPF_PROG_LOAD)", result, name + why), name);
    }

    /**
     * Attaches an XDP program for as long as the result is open, whatever happens to the process (Linux 5.9).
     *
     * @param flags {@link Xdp} XDP_FLAGS_*.
     * @return a descriptor that the caller owns, or a negative {@link Errno}.
     */
    public static int linkXdp(final int program, final int linkIndex, final int flags)
    {
        final UnsafeBuffer attributes = attributes();
        attributes.putInt(0, program);
        attributes.putInt(4, linkIndex);
        attributes.putInt(8, ATTACH_XDP);
        attributes.putInt(12, flags);
        return (int)call(LINK_CREATE, attributes);
    }

    /** Native memory with a string of C. */
    public static UnsafeBuffer string(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        final UnsafeBuffer native8 = new UnsafeBuffer(BufferUtil.allocateDirectAligned(bytes.length + 1, 8));
        native8.putBytes(0, bytes);
        return native8;
    }

    /** The kernel takes letters, digits, dots and underscores. */
    public static void putName(final UnsafeBuffer attributes, final int offset, final String name)
    {
        final String allowed = name.replaceAll("[^A-Za-z0-9_.]", "_");
        attributes.putBytes(offset, allowed.substring(0, Math.min(NAME_LENGTH - 1, allowed.length()))
            .getBytes(StandardCharsets.US_ASCII));
    }

    /** The verifier says what is wrong before its statistics. */
    private static String lastLine(final UnsafeBuffer log)
    {
        int length = 0;
        while (length < log.capacity() && log.getByte(length) != 0)
        {
            length++;
        }
        final String text = log.getStringWithoutLengthAscii(0, length);
        final String last = text.lines().map(String::strip).filter(line -> !line.isEmpty())
            .filter(line -> !line.startsWith("processed ") && !line.startsWith("verification time"))
            .reduce((first, second) -> second).orElse("");
        return last.isEmpty() ? "" : ": " + last;
    }
}
