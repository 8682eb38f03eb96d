package io.ringtap.it.kernel;

import io.ringtap.it.rig.HostFiles;
import io.ringtap.sys.Bpf;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.SyscallException;
import io.ringtap.xdp.bpf.MapKind;
import io.ringtap.xdp.bpf.map.MapFlags;
import io.ringtap.xdp.bpf.map.MapSpec;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;

/** A map in the kernel, with what user space may do to it. */
public final class KernelMap implements AutoCloseable
{
    /** Possible processors: as many values has an entry of a per-CPU map. */
    public static final int PROCESSORS = processors();

    private static final int INNER_FD = 20;
    private static final int BTF_FD = 48;
    private static final int BTF_KEY = 52;
    private static final int BTF_VALUE = 56;
    private static final int EXTRA = 64;

    private final MapSpec spec;
    private final Fd fd;
    private final UnsafeBuffer key;
    private final UnsafeBuffer next;
    private final UnsafeBuffer value;
    private final UnsafeBuffer attributes = Bpf.attributes();

    private KernelMap(final MapSpec spec, final Fd fd)
    {
        this.spec = spec;
        this.fd = fd;
        key = memory(Math.max(8, spec.keySize()));
        next = memory(Math.max(8, spec.keySize()));
        value = memory(Math.max(8, entryLength()));
    }

    private static UnsafeBuffer memory(final int length)
    {
        return new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, 8));
    }

    /** Makes a map and what it begins with; .rodata is frozen then, so that the verifier knows its values. */
    public static KernelMap create(final MapSpec spec)
    {
        final KernelMap map;
        try (KernelMap inner = null == spec.inner() ? null : create(spec.inner());
            KernelBtf btf = spec.lockOffset() < 0 ? null : KernelBtf.ofLock(spec.valueSize(), spec.lockOffset()))
        {
            // Only their sizes and types are wanted; the kernel keeps both as long as it needs them.
            map = create(spec, inner, btf);
        }
        if (MapKind.ARRAY == spec.kind() && null != spec.content())
        {
            map.put(new byte[4], Arrays.copyOf(spec.content(), spec.valueSize()));
        }
        if ((spec.flags() & MapFlags.RDONLY_PROG) != 0)
        {
            map.freeze();
        }
        return map;
    }

    private static KernelMap create(final MapSpec spec, final KernelMap inner, final KernelBtf btf)
    {
        final UnsafeBuffer attributes = Bpf.attributes();
        attributes.putInt(0, spec.kind().number());
        attributes.putInt(4, spec.keySize());
        attributes.putInt(8, spec.valueSize());
        attributes.putInt(12, spec.maxEntries());
        attributes.putInt(16, spec.flags());
        Bpf.putName(attributes, 28, spec.name());
        attributes.putLong(EXTRA, spec.extra());
        if (null != inner)
        {
            attributes.putInt(INNER_FD, inner.fd());
        }
        if (null != btf)
        {
            attributes.putInt(BTF_FD, btf.fd());
            attributes.putInt(BTF_KEY, KernelBtf.INT);
            attributes.putInt(BTF_VALUE, KernelBtf.VALUE);
        }
        final long result = Bpf.call(Bpf.MAP_CREATE, attributes);
        if (result < 0)
        {
            throw new SyscallException("bpf(BPF_MAP_CREATE)", (int)-result, spec);
        }
        return new KernelMap(spec, Fd.of((int)result, spec.name()));
    }

    public MapSpec spec()
    {
        return spec;
    }

    public int fd()
    {
        return fd.number();
    }

    public boolean isPerProcessor()
    {
        return spec.kind() == MapKind.PERCPU_ARRAY || spec.kind() == MapKind.PERCPU_HASH ||
            spec.kind() == MapKind.LRU_PERCPU_HASH;
    }

    /** Bytes of an entry as user space sees it: the values of all processors for some. */
    public int entryLength()
    {
        return isPerProcessor() ? (spec.valueSize() + 7 & -8) * PROCESSORS : spec.valueSize();
    }

    /** @return the entry, see {@link #entryLength}; null when there is none. */
    public byte[] lookup(final byte[] of)
    {
        key.putBytes(0, of);
        return find(key);
    }

    private byte[] find(final UnsafeBuffer of)
    {
        final long result = element(Bpf.MAP_LOOKUP_ELEM, of, value, 0);
        if (result < 0)
        {
            return null;
        }
        final byte[] bytes = new byte[entryLength()];
        value.getBytes(0, bytes);
        return bytes;
    }

    /** @return 0 or a negative errno. */
    public int update(final byte[] of, final byte[] entry, final long flags)
    {
        key.putBytes(0, of);
        value.putBytes(0, entry);
        return (int)element(Bpf.MAP_UPDATE_ELEM, key, value, flags);
    }

    /** Stores what must fit. */
    public void put(final byte[] of, final byte[] entry)
    {
        final int result = update(of, entry, 0);
        if (result < 0)
        {
            throw new SyscallException("bpf(BPF_MAP_UPDATE_ELEM)", -result, spec);
        }
    }

    /** @return 0 or a negative errno. */
    public int delete(final byte[] of)
    {
        key.putBytes(0, of);
        return (int)element(Bpf.MAP_DELETE_ELEM, key, null, 0);
    }

    /** All entries, by key in hexadecimal; those of a queue or a stack by the order of taking, and taken. */
    public SortedMap<String, byte[]> dump()
    {
        final SortedMap<String, byte[]> entries = new TreeMap<>();
        if (MapKind.QUEUE == spec.kind() || MapKind.STACK == spec.kind())
        {
            for (int i = 0; element(Bpf.MAP_LOOKUP_AND_DELETE_ELEM, null, value, 0) >= 0; i++)
            {
                final byte[] bytes = new byte[entryLength()];
                value.getBytes(0, bytes);
                entries.put(HexFormat.of().toHexDigits(i), bytes);
            }
            return entries;
        }
        final byte[] found = new byte[spec.keySize()];
        long result = element(Bpf.MAP_GET_NEXT_KEY, null, next, 0);
        while (result >= 0)
        {
            next.getBytes(0, found);
            key.putBytes(0, found);
            final byte[] entry = find(key);
            if (null != entry)
            {
                // Arrays of sockets and ports name all their places, also the empty ones.
                entries.put(HexFormat.of().formatHex(found), entry);
            }
            result = element(Bpf.MAP_GET_NEXT_KEY, key, next, 0);
        }
        if (result != -Errno.ENOENT)
        {
            throw new SyscallException("bpf(BPF_MAP_GET_NEXT_KEY)", (int)-result, spec);
        }
        return entries;
    }

    /** User space writes no more: for .rodata, whose values the verifier then knows. */
    public void freeze()
    {
        attributes.setMemory(0, attributes.capacity(), (byte)0);
        attributes.putInt(0, fd());
        final long result = Bpf.call(Bpf.MAP_FREEZE, attributes);
        if (result < 0)
        {
            throw new SyscallException("bpf(BPF_MAP_FREEZE)", (int)-result, spec);
        }
    }

    private long element(
        final int command, final UnsafeBuffer keyOrNull, final UnsafeBuffer valueOrNull, final long flags)
    {
        attributes.putInt(0, fd());
        attributes.putLong(8, null == keyOrNull ? 0 : Memory.addressOf(keyOrNull));
        attributes.putLong(16, null == valueOrNull ? 0 : Memory.addressOf(valueOrNull));
        attributes.putLong(24, flags);
        return Bpf.call(command, attributes);
    }

    @Override
    public void close()
    {
        fd.close();
    }

    /** From a list such as {@code 0-1}: the numbers have no gaps on machines that we know. */
    private static int processors()
    {
        final String list = HostFiles.read(Path.of("/sys/devices/system/cpu/possible")).strip();
        return Integer.parseInt(list.replaceAll(".*[-,]", "")) + 1;
    }
}
