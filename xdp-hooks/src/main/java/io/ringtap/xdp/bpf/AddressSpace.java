package io.ringtap.xdp.bpf;

import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.List;

/**
 * What numbers mean to the programs of one object: the map, and where each of its maps lies.
 * <pre>
 *           0 ..        fff   nothing: a null pointer and what is near it
 *        1000 ..       1017   struct xdp_md, which is computed and not stored
 *        2000 ..       2fff   stack: a frame of 512 bytes for each of 8 functions deep
 *        3000 ..       37ff   scratch of helpers, as for keys they show to callbacks
 *    40000000 ..   7fffffff   the frame: a fresh one begins at 50000000; only metadata and linear data are there
 *    80000000 ..   ffffffff   values of maps; each map begins at a megabyte
 * 1_00000000  .. 1_ffffffff   maps themselves: a handle, no memory
 * 2_00000000  .. 2_ffffffff   functions, for callbacks: a handle, no memory
 * </pre>
 * All memory has addresses of 32 bits, as struct xdp_md wants it. Maps may be added while programs run.
 */
public final class AddressSpace
{
    static final long CONTEXT = 0x1000;
    static final int CONTEXT_LENGTH = 24;
    static final long LOCAL = 0x2000;
    static final int FRAME_LENGTH = 512;
    static final int MAX_DEPTH = 8;
    static final int STACK_LENGTH = FRAME_LENGTH * MAX_DEPTH;
    static final long SCRATCH = LOCAL + STACK_LENGTH;
    static final int SCRATCH_LENGTH = 0x800;
    static final int LOCAL_LENGTH = STACK_LENGTH + SCRATCH_LENGTH;
    static final long PACKET = 0x4000_0000L;
    /** Where a fresh frame's first byte is, whatever its slot: room on both sides for whatever a slot can hold. */
    static final long PACKET_DATA = 0x5000_0000L;
    static final long MAPS = 0x8000_0000L;
    static final long END = 0x1_0000_0000L;
    static final long HANDLES = 0x1_0000_0000L;
    static final long FUNCTIONS = 0x2_0000_0000L;

    /** A map's values begin at a multiple of this; 2048 maps at most, or one of 2 GiB. */
    static final int SEGMENT_SHIFT = 20;
    static final int SEGMENT_MASK = (int)((END - MAPS >> SEGMENT_SHIFT) - 1);

    /** By segment: memory, and the same once more only where programs may write. */
    final UnsafeBuffer[] readable = new UnsafeBuffer[SEGMENT_MASK + 1];
    final UnsafeBuffer[] writable = new UnsafeBuffer[SEGMENT_MASK + 1];
    /** By segment: address of the memory's first byte, as an int. */
    final int[] bases = new int[SEGMENT_MASK + 1];

    private volatile List<BpfMap> maps = List.of();
    private volatile long[] addresses = {};
    private int segments;

    /**
     * Gives a map its place, once.
     *
     * @return its handle.
     * @throws IllegalStateException when the values of all maps together pass 2 GiB.
     */
    public synchronized long add(final BpfMap map)
    {
        final int known = maps.indexOf(map);
        if (known >= 0)
        {
            return HANDLES + known;
        }
        final UnsafeBuffer values = map.values();
        final long[] nextAddresses = java.util.Arrays.copyOf(addresses, addresses.length + 1);
        if (null != values)
        {
            final int count = (values.capacity() - 1 >>> SEGMENT_SHIFT) + 1;
            if (count > SEGMENT_MASK + 1 - segments)
            {
                throw new IllegalStateException(
                    map + ": " + values.capacity() + " bytes of values do not fit the 2 GiB that programs can address");
            }
            final long address = MAPS + ((long)segments << SEGMENT_SHIFT);
            for (int i = 0; i < count; i++)
            {
                // The base first: who sees the memory through a data race must not see it in another place.
                bases[segments + i] = (int)address;
            }
            java.lang.invoke.VarHandle.releaseFence();
            for (int i = 0; i < count; i++)
            {
                readable[segments + i] = values;
                writable[segments + i] = map.isReadOnly() ? null : values;
            }
            segments += count;
            nextAddresses[addresses.length] = address;
        }
        final List<BpfMap> nextMaps = new ArrayList<>(maps);
        nextMaps.add(map);
        addresses = nextAddresses;
        maps = List.copyOf(nextMaps);
        return HANDLES + nextMaps.size() - 1;
    }

    /** The number that stands for the map in registers; 0 when it was not added. */
    public long handle(final BpfMap map)
    {
        final int index = maps.indexOf(map);
        return index < 0 ? 0 : HANDLES + index;
    }

    /** The map of a handle; null when it is none. */
    public BpfMap map(final long handle)
    {
        final List<BpfMap> now = maps;
        final long index = handle - HANDLES;
        return index >= 0 && index < now.size() ? now.get((int)index) : null;
    }

    /** Where the first byte of the map's values lies; 0 when it has none. */
    public long address(final long handle)
    {
        final long[] now = addresses;
        final long index = handle - HANDLES;
        return index >= 0 && index < now.length ? now[(int)index] : 0;
    }
}
