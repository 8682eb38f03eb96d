package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfMap;
import org.agrona.concurrent.UnsafeBuffer;

/** What helpers do with maps of keys and values beyond {@link BpfMap}. */
public final class MapVisit
{
    /** A key is shown to callbacks in scratch memory of the calling function. */
    private static final int MAX_KEY = BpfContext.SCRATCH_OF_CALLER;

    private MapVisit()
    {
    }

    /**
     * bpf_for_each_map_elem: calls a function of the program with the map, the addresses of key and value, and a
     * number, until it returns other than 0.
     *
     * @return how many calls there were, or a negative errno.
     */
    public static long forEach(final BpfContext context, final long handle, final long function, final long argument)
    {
        final BpfMap map = context.map(handle);
        if (!(map instanceof StoredMap stored) || map instanceof PortMap || map instanceof LpmTrie)
        {
            throw context.refuse("the entries of that map cannot be visited", handle);
        }
        if (map.keySize() > MAX_KEY)
        {
            return BpfErrno.E2BIG;
        }
        context.spend(stored.places());
        final long keyAddress = context.scratchOfCaller();
        long calls = 0;
        for (int place = 0; place < stored.places(); place++)
        {
            int n = 0;
            int at = entry(context, stored, place, n, keyAddress);
            while (BpfMap.MISSING != at)
            {
                calls++;
                final long value = context.address(handle, at + valueOffset(context, stored));
                if (0 != context.call(function, handle, keyAddress, value, argument, 0))
                {
                    return calls;
                }
                // The callback may have removed the entry: then another has its number.
                final int after = entry(context, stored, place, n, keyAddress);
                n += after == at ? 1 : 0;
                at = after == at ? entry(context, stored, place, n, keyAddress) : after;
            }
        }
        return calls;
    }

    /** bpf_map_lookup_percpu_elem: a queue's value of a key, or {@link BpfMap#MISSING}. */
    public static int lookup(
        final BpfContext context, final long handle, final UnsafeBuffer key, final int keyIndex, final long queue)
    {
        final BpfMap map = context.map(handle);
        if (!(map instanceof StoredMap stored) || 0 == stored.queues())
        {
            throw context.refuse("that map has no values for each queue", handle);
        }
        return queue < 0 || queue >= stored.queues() ? BpfMap.MISSING : stored.lookupOn((int)queue, key, keyIndex);
    }

    private static int entry(
        final BpfContext context, final StoredMap map, final int place, final int n, final long keyAddress)
    {
        final UnsafeBuffer key = context.writable(keyAddress, map.keySize());
        return map.entryAt(place, n, key, context.index());
    }

    private static int valueOffset(final BpfContext context, final StoredMap map)
    {
        return map.queues() > 0 ? context.queue() * map.queueDistance() : 0;
    }
}
