package io.ringtap.xdp.bpf;

import org.agrona.concurrent.UnsafeBuffer;

import java.lang.invoke.VarHandle;

/**
 * What numbers mean to the programs of one object: the picture of their memory, and where each of their maps lies.
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
 * All memory has addresses of 32 bits, as struct xdp_md wants it; the upper half of a register does not count. Maps
 * may be added while programs run; they never go.
 */
public final class AddressSpace
{
    /** Most maps of one object, inner ones included. */
    public static final int MAX_MAPS = 4096;

    static final long CONTEXT = 0x1000;
    static final int CONTEXT_LENGTH = 24;
    static final long LOCAL = 0x2000;
    static final int FRAME_LENGTH = 512;
    static final int MAX_DEPTH = 8;
    static final int STACK_LENGTH = FRAME_LENGTH * MAX_DEPTH;
    static final long SCRATCH = LOCAL + STACK_LENGTH;
    static final int SCRATCH_LENGTH = 0x800;
    static final int LOCAL_LENGTH = STACK_LENGTH + SCRATCH_LENGTH;
    /** r10 of an entry function. */
    static final long FIRST_FRAME = LOCAL + FRAME_LENGTH;
    static final long PACKET = 0x4000_0000L;
    /** Where a fresh frame's first byte is, whatever its slot: room on both sides for whatever a slot can hold. */
    static final long PACKET_DATA = 0x5000_0000L;
    static final long MAPS = 0x8000_0000L;
    static final long END = 0x1_0000_0000L;
    static final long HANDLES = 0x1_0000_0000L;
    static final long FUNCTIONS = 0x2_0000_0000L;

    /** A map's values begin at a multiple of this; all maps together have 2 GiB. */
    static final int SEGMENT_SHIFT = 20;
    static final int SEGMENT_MASK = (int)((END - MAPS >> SEGMENT_SHIFT) - 1);

    /** By segment: memory, and the same once more only where programs may write. */
    final UnsafeBuffer[] readable = new UnsafeBuffer[SEGMENT_MASK + 1];
    final UnsafeBuffer[] writable = new UnsafeBuffer[SEGMENT_MASK + 1];
    /** By segment: address of the memory's first byte, as an int. */
    final int[] bases = new int[SEGMENT_MASK + 1];
    /** By map: itself, its memory, and the address of that. */
    final BpfMap[] maps = new BpfMap[MAX_MAPS];
    final UnsafeBuffer[] values = new UnsafeBuffer[MAX_MAPS];
    private final long[] addresses = new long[MAX_MAPS];
    private int count;
    private int segments;

    /**
     * Gives a map its place; a map that has one keeps it.
     *
     * @return its handle, the number that stands for the map in registers.
     * @throws IllegalStateException when there are too many maps, or their values together pass 2 GiB.
     */
    public synchronized long add(final BpfMap map)
    {
        final int known = indexOf(map);
        if (known >= 0)
        {
            return HANDLES + known;
        }
        if (MAX_MAPS == count)
        {
            throw new IllegalStateException(map + " is one more than the " + MAX_MAPS + " maps of an object");
        }
        final int index = count;
        final int length = null == map.values() ? 0 : (map.values().capacity() - 1 >>> SEGMENT_SHIFT) + 1;
        if (length > SEGMENT_MASK + 1 - segments)
        {
            throw new IllegalStateException(map + ": " + map.values().capacity() +
                " bytes of values do not fit any more in the 2 GiB that programs can address");
        }
        place(index, map, MAPS + ((long)segments << SEGMENT_SHIFT), length);
        segments += length;
        count++;
        map.placed(this);
        return HANDLES + index;
    }

    private void place(final int index, final BpfMap map, final long address, final int length)
    {
        final UnsafeBuffer memory = map.values();
        if (null != memory)
        {
            memory.verifyAlignment();
            if (memory.capacity() < Long.BYTES)
            {
                throw new IllegalArgumentException(
                    map + ": " + memory.capacity() + " bytes of values, must be " + Long.BYTES + " at least");
            }
            addresses[index] = address;
            values[index] = memory;
            final int first = (int)(address >>> SEGMENT_SHIFT) & SEGMENT_MASK;
            for (int i = first; i < first + length; i++)
            {
                bases[i] = (int)address;
            }
            // A worker that meets the memory through a data race must not take it for memory at another address.
            VarHandle.releaseFence();
            for (int i = first; i < first + length; i++)
            {
                readable[i] = memory;
                writable[i] = map.isReadOnly() ? null : memory;
            }
        }
        VarHandle.releaseFence();
        maps[index] = map;
    }

    /** The number that stands for the map in registers; 0 when it was not added. */
    public synchronized long handle(final BpfMap map)
    {
        final int index = indexOf(map);
        return index < 0 ? 0 : HANDLES + index;
    }

    /** The map of a handle; null when it is none. */
    public BpfMap map(final long handle)
    {
        final long index = handle - HANDLES;
        return index >= 0 && index < MAX_MAPS ? maps[(int)index] : null;
    }

    /** Where the first byte of the map's values lies; 0 when it has none. */
    public long address(final long handle)
    {
        final long index = handle - HANDLES;
        return index >= 0 && index < MAX_MAPS ? addresses[(int)index] : 0;
    }

    /**
     * A space of the same picture with small, empty maps, where programs may run for practice.
     *
     * @return null when one of the maps has no such double.
     */
    public synchronized AddressSpace scratch()
    {
        final AddressSpace scratch = new AddressSpace();
        for (int i = 0; i < count; i++)
        {
            final BpfMap twin = maps[i].scratch();
            if (null == twin)
            {
                return null;
            }
            final int length = null == twin.values() ? 0 : (twin.values().capacity() - 1 >>> SEGMENT_SHIFT) + 1;
            scratch.place(i, twin, addresses[i], length);
        }
        scratch.count = count;
        scratch.segments = segments;
        return scratch;
    }

    private int indexOf(final BpfMap map)
    {
        for (int i = 0; i < count; i++)
        {
            if (map == maps[i])
            {
                return i;
            }
        }
        return -1;
    }
}
