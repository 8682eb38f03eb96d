package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.MapKind;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * DEVMAP, DEVMAP_HASH, XSKMAP and CPUMAP: where bpf_redirect_map sends frames. The control side fills them, programs
 * only look.
 * <pre>
 * DEVMAP   0 number of the port, 0 for none   4 program, which must be 0: a port here has programs of its own
 * XSKMAP   0 number of the port that takes the place of the socket
 * CPUMAP   0 length of the queue, 0 for none  4 program, which must be 0
 * </pre>
 */
public final class PortMap extends StoredMap
{
    /** Instead of a port: there is no entry. */
    public static final int NONE = -1;

    private static final int PROGRAM = 4;
    private static final int MAX_CPU_QUEUE = 16_384;

    private final StoredMap table;

    PortMap(final MapSpec spec)
    {
        super(spec.withFlags(spec.flags() | MapFlags.RDONLY_PROG), 0);
        table = MapKind.DEVMAP_HASH == spec.kind() ?
            MapFactory.hash(spec, 0, false) :
            new ArrayMap(spec, 0);
    }

    @Override
    public UnsafeBuffer values()
    {
        return table.values();
    }

    /** The number in an entry, or {@link #NONE}. */
    public int port(final UnsafeBuffer key, final int keyIndex)
    {
        final int at = table.lookupOn(0, key, keyIndex);
        final int port = MISSING == at ? 0 : table.values().getIntVolatile(at);
        return 0 == port ? NONE : port;
    }

    @Override
    public int lookup(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        return lookupOn(0, key, keyIndex);
    }

    @Override
    int lookupOn(final int queue, final UnsafeBuffer key, final int keyIndex)
    {
        final int at = table.lookupOn(0, key, keyIndex);
        return MISSING == at || 0 == table.values().getIntVolatile(at) ? MISSING : at;
    }

    @Override
    int write(
        final int queue,
        final UnsafeBuffer key,
        final int keyIndex,
        final UnsafeBuffer value,
        final int valueIndex,
        final long flags)
    {
        final int number = value.getInt(valueIndex);
        final int most = MapKind.CPUMAP == kind() ? MAX_CPU_QUEUE : Integer.MAX_VALUE;
        if (number < 0 || number > most || valueSize() > PROGRAM && 0 != value.getInt(valueIndex + PROGRAM) ||
            flags > MapFlags.EXIST)
        {
            return BpfErrno.EINVAL;
        }
        if (MapKind.DEVMAP_HASH == kind())
        {
            return 0 == number ? BpfErrno.EINVAL : table.write(0, key, keyIndex, value, valueIndex, flags);
        }
        // Empty entries of an array exist as far as its flags go, as in the kernel.
        return table.write(0, key, keyIndex, value, valueIndex, flags);
    }

    @Override
    int read(
        final int queue,
        final UnsafeBuffer key,
        final int keyIndex,
        final UnsafeBuffer value,
        final int valueIndex,
        final long flags)
    {
        final int result = table.read(0, key, keyIndex, value, valueIndex, flags);
        return 0 == result && 0 == value.getInt(valueIndex) ? BpfErrno.ENOENT : result;
    }

    @Override
    int remove(final UnsafeBuffer key, final int keyIndex)
    {
        if (MapKind.DEVMAP_HASH == kind())
        {
            return table.remove(key, keyIndex);
        }
        final int at = table.lookupOn(0, key, keyIndex);
        if (MISSING == at)
        {
            return BpfErrno.EINVAL;
        }
        table.values().putIntVolatile(at, 0);
        return 0;
    }

    @Override
    int queueDistance()
    {
        return 0;
    }

    @Override
    int places()
    {
        return table.places();
    }

    @Override
    long version(final int place)
    {
        return table.version(place);
    }

    @Override
    int entryAt(final int place, final int n, final UnsafeBuffer key, final int keyIndex)
    {
        final int at = table.entryAt(place, n, key, keyIndex);
        return MISSING == at || 0 == table.values().getIntVolatile(at) ? MISSING : at;
    }

    @Override
    public BpfMap scratch()
    {
        final PortMap twin = new PortMap(spec());
        if (MapKind.DEVMAP_HASH != kind())
        {
            twin.values().putBytes(0, values(), 0, values().capacity());
        }
        return twin;
    }
}
