package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfMap;
import org.agrona.concurrent.UnsafeBuffer;

import java.lang.invoke.VarHandle;

/**
 * LPM_TRIE: the value of the longest prefix that a key begins with, in a binary tree whose paths are compressed.
 * <p>
 * Readers take no lock: they read the count of changes, walk, and read it again. Writers wait for each other.
 */
final class LpmTrie extends LpmNodes
{
    /** In the control line: count of changes, odd while one happens; the root; entries. */
    private static final int VERSION = 0;
    private static final int ROOT = 8;
    private static final int SCRATCH_ENTRIES = 256;
    /** Values in flight while old ones are replaced; writers wait for each other, so that one would do. */
    private static final int SPARES = 2;

    private final UnsafeBuffer control;
    private final ValueArea area;
    private final UnsafeBuffer values;
    private final int stride;
    private final SlotList free;
    private final SlotList spare;
    private boolean isPractice;
    private int misses;

    LpmTrie(final MapSpec spec)
    {
        super(spec);
        final int slots = spec.maxEntries() + SPARES;
        control = MapMemory.allocate(spec.name(), "a root", WORD_BITS);
        area = new ValueArea(spec, slots, 0);
        values = area.memory();
        stride = area.stride();
        free = new SlotList(spec.name(), slots);
        free.giveAll(0, spec.maxEntries());
        spare = new SlotList(spec.name(), free);
        spare.giveAll(spec.maxEntries(), slots);
    }

    @Override
    public UnsafeBuffer values()
    {
        return values;
    }

    @Override
    public int lookup(final BpfContext context, final UnsafeBuffer key, final int keyIndex)
    {
        final int at = lookupOn(0, key, keyIndex);
        if (MISSING == at && isPractice && (++misses & 1) == 0)
        {
            // Practice meets what it finds as well as what it does not.
            write(0, key, keyIndex, values, 0, MapFlags.ANY);
        }
        return at;
    }

    @Override
    int lookupOn(final int queue, final UnsafeBuffer key, final int keyIndex)
    {
        final int bits = key.getInt(keyIndex);
        if (bits < 0 || bits > maxBits)
        {
            return MISSING;
        }
        final long firstWord = keyWord(key, keyIndex, 0);
        while (true)
        {
            final long version = control.getLongAcquire(VERSION);
            final int slot = walk(bits, firstWord, key, keyIndex);
            VarHandle.loadLoadFence();
            if ((version & 1) == 0 && version == control.getLong(VERSION))
            {
                return slot < 0 ? MISSING : slot * stride;
            }
            settled();
        }
    }

    /** The slot of the longest prefix; negative for none. Ends even if somebody changes the tree meanwhile. */
    private int walk(final int bits, final long firstWord, final UnsafeBuffer key, final int keyIndex)
    {
        int found = MISSING;
        int last = -1;
        int node;
        if (bits >= FRONT_BITS)
        {
            final long begin = front.getLong((int)(firstWord >>> WORD_BITS - FRONT_BITS) << 3);
            node = (int)begin;
            found = (int)(begin >>> 32) - 1;
        }
        else
        {
            node = control.getInt(ROOT);
        }
        while (0 != node)
        {
            final int at = (node - 1) * nodeLength;
            final int nodeBits = nodes.getInt(at + BITS);
            if (nodeBits <= last || nodeBits > bits || common(at, nodeBits, firstWord, key, keyIndex) < nodeBits)
            {
                break;
            }
            final int slot = nodes.getInt(at + SLOT);
            if (0 != slot)
            {
                found = slot - 1;
            }
            if (nodeBits >= maxBits)
            {
                break;
            }
            last = nodeBits;
            final long word = nodeBits < WORD_BITS ? firstWord : keyWord(key, keyIndex, nodeBits / WORD_BITS);
            node = nodes.getInt(at + LEFT + ((int)(word >>> 63 - nodeBits & 1) << 2));
        }
        return found;
    }

    /** The count of changes when nobody changes anything. */
    private long settled()
    {
        int spins = 0;
        while (true)
        {
            final long version = control.getLongAcquire(VERSION);
            if ((version & 1) == 0)
            {
                return version;
            }
            spins = Words.pause(spins);
        }
    }

    private void begin()
    {
        long version;
        do
        {
            version = settled();
        }
        while (!control.compareAndSetLong(VERSION, version, version + 1));
        // The odd count is seen before what changes.
        VarHandle.storeStoreFence();
    }

    private void end()
    {
        control.putLongRelease(VERSION, control.getLong(VERSION) + 1);
    }

    @Override
    int write(
        final int queue, final UnsafeBuffer key, final int keyIndex,
        final UnsafeBuffer value, final int valueIndex, final long flags)
    {
        final int bits = key.getInt(keyIndex);
        if (0 != area.flagError(flags & ~(long)MapFlags.LOCK) || (flags & MapFlags.LOCK) != 0 || bits < 0 ||
            bits > maxBits)
        {
            return BpfErrno.EINVAL;
        }
        begin();
        final int result = insert(bits, key, keyIndex, value, valueIndex, (int)flags);
        refresh(control.getInt(ROOT), bits, keyWord(key, keyIndex, 0));
        end();
        return result;
    }

    /** Finds where a prefix belongs: the place of the reference to the node that it meets or parts from. */
    private int insert(
        final int bits,
        final UnsafeBuffer key,
        final int keyIndex,
        final UnsafeBuffer value,
        final int valueIndex,
        final int flags)
    {
        final long firstWord = keyWord(key, keyIndex, 0);
        UnsafeBuffer holder = control;
        int place = ROOT;
        int node = control.getInt(ROOT) - 1;
        int same = 0;
        while (node >= 0)
        {
            final int at = node * nodeLength;
            final int nodeBits = nodes.getInt(at + BITS);
            same = common(at, Math.min(nodeBits, bits), firstWord, key, keyIndex);
            if (same != nodeBits || nodeBits == bits)
            {
                break;
            }
            holder = nodes;
            place = at + LEFT + keyBit(key, keyIndex, nodeBits);
            node = nodes.getInt(place) - 1;
        }
        final int at = node * nodeLength;
        final boolean isSame = node >= 0 && same == nodes.getInt(at + BITS);
        final boolean isThere = isSame && 0 != nodes.getInt(at + SLOT);
        if (isThere ? (flags & MapFlags.NOEXIST) != 0 : (flags & MapFlags.EXIST) != 0)
        {
            return isThere ? BpfErrno.EEXIST : BpfErrno.ENOENT;
        }
        final int slot = isThere ? spare.take() : free.take();
        if (SlotList.NONE == slot)
        {
            return BpfErrno.ENOSPC;
        }
        area.put(slot, 0, true, value, valueIndex);
        if (isSame)
        {
            if (isThere)
            {
                spare.give(nodes.getInt(at + SLOT) - 1);
            }
            putData(node, bits, key, keyIndex);
            nodes.putInt(at + SLOT, slot + 1);
            return 0;
        }
        holder.putInt(place, attach(node, same, bits, slot, key, keyIndex) + 1);
        return 0;
    }

    /** Makes the nodes of a new prefix where there is none: the one that takes the place of what was there. */
    private int attach(
        final int node, final int same, final int bits, final int slot, final UnsafeBuffer key, final int keyIndex)
    {
        // There is always one: a tree of n prefixes has at most n - 1 forks.
        final int fresh = freeNodes.take();
        final int at = fresh * nodeLength;
        nodes.putLong(at + LEFT, 0);
        putData(fresh, bits, key, keyIndex);
        nodes.putInt(at + SLOT, slot + 1);
        if (node < 0)
        {
            return fresh;
        }
        if (same == bits)
        {
            nodes.putInt(at + LEFT + nodeBit(node, bits), node + 1);
            return fresh;
        }
        final int fork = freeNodes.take();
        final int forkAt = fork * nodeLength;
        nodes.putBytes(forkAt + DATA, nodes, node * nodeLength + DATA, nodeLength - DATA);
        nodes.putInt(forkAt + BITS, same);
        nodes.putInt(forkAt + SLOT, 0);
        nodes.putInt(forkAt + LEFT + nodeBit(node, same), node + 1);
        nodes.putInt(forkAt + LEFT + keyBit(key, keyIndex, same), fresh + 1);
        return fork;
    }

    @Override
    int remove(final UnsafeBuffer key, final int keyIndex)
    {
        final int bits = key.getInt(keyIndex);
        if (bits < 0 || bits > maxBits)
        {
            return BpfErrno.EINVAL;
        }
        begin();
        final int result = cut(bits, key, keyIndex);
        refresh(control.getInt(ROOT), bits, keyWord(key, keyIndex, 0));
        end();
        return result;
    }

    private int cut(final int bits, final UnsafeBuffer key, final int keyIndex)
    {
        final long firstWord = keyWord(key, keyIndex, 0);
        UnsafeBuffer parentHolder = control;
        int parentPlace = ROOT;
        UnsafeBuffer holder = control;
        int place = ROOT;
        int parent = -1;
        int node = control.getInt(ROOT) - 1;
        while (node >= 0 && nodes.getInt(node * nodeLength + BITS) < bits)
        {
            final int nodeBits = nodes.getInt(node * nodeLength + BITS);
            if (common(node * nodeLength, nodeBits, firstWord, key, keyIndex) < nodeBits)
            {
                return BpfErrno.ENOENT;
            }
            parent = node;
            parentHolder = holder;
            parentPlace = place;
            holder = nodes;
            place = node * nodeLength + LEFT + keyBit(key, keyIndex, nodeBits);
            node = nodes.getInt(place) - 1;
        }
        final int at = node * nodeLength;
        if (node < 0 || nodes.getInt(at + BITS) != bits || 0 == nodes.getInt(at + SLOT) ||
            common(at, bits, firstWord, key, keyIndex) < bits)
        {
            return BpfErrno.ENOENT;
        }
        free.give(nodes.getInt(at + SLOT) - 1);
        nodes.putInt(at + SLOT, 0);
        final int left = nodes.getInt(at + LEFT);
        final int right = nodes.getInt(at + LEFT + Integer.BYTES);
        if (0 != left && 0 != right)
        {
            return 0;
        }
        holder.putInt(place, left | right);
        freeNodes.give(node);
        if (0 == (left | right) && parent >= 0 && 0 == nodes.getInt(parent * nodeLength + SLOT))
        {
            // A fork with one way is none.
            parentHolder.putInt(parentPlace, nodes.getInt(parent * nodeLength + LEFT) |
                nodes.getInt(parent * nodeLength + LEFT + Integer.BYTES));
            freeNodes.give(parent);
        }
        return 0;
    }

    @Override
    int read(
        final int queue, final UnsafeBuffer key, final int keyIndex,
        final UnsafeBuffer value, final int valueIndex, final long flags)
    {
        while (true)
        {
            final long version = settled();
            final int at = lookupOn(queue, key, keyIndex);
            if (MISSING == at)
            {
                return BpfErrno.ENOENT;
            }
            Words.copy(value, valueIndex, values, at, valueSize());
            VarHandle.loadLoadFence();
            if (version == control.getLong(VERSION))
            {
                return 0;
            }
        }
    }

    @Override
    int queueDistance()
    {
        return 0;
    }

    @Override
    int places()
    {
        return nodeCount;
    }

    @Override
    long version(final int place)
    {
        return settled();
    }

    @Override
    int entryAt(final int place, final int n, final UnsafeBuffer key, final int keyIndex)
    {
        while (true)
        {
            final long version = settled();
            final int at = place * nodeLength;
            final int slot = nodes.getInt(at + SLOT);
            if (n > 0 || 0 == slot)
            {
                return MISSING;
            }
            key.putInt(keyIndex, nodes.getInt(at + BITS));
            for (int i = 0; i < keySize() - KEY_DATA; i++)
            {
                final long word = nodes.getLong(at + DATA + (i & -Long.BYTES));
                key.putByte(keyIndex + KEY_DATA + i, (byte)(word >>> 56 - 8 * (i & 7)));
            }
            VarHandle.loadLoadFence();
            if (version == control.getLong(VERSION))
            {
                return (slot - 1) * stride;
            }
        }
    }

    @Override
    public BpfMap scratch()
    {
        final LpmTrie twin = new LpmTrie(spec().withMaxEntries(Math.min(SCRATCH_ENTRIES, maxEntries())));
        twin.isPractice = true;
        return twin;
    }
}
