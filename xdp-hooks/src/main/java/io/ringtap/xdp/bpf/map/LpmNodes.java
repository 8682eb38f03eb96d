package io.ringtap.xdp.bpf.map;

import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * The nodes of an {@link LpmTrie}, and how bits of keys compare with theirs.
 * <pre>
 * key      0 bits that count   4 data, most significant bit first
 * node     0 child for 0 + 1   4 child for 1 + 1   8 bits that count   12 slot of the value + 1, 0 for a mere fork
 *         16 data as numbers of 64 bits, most significant bit first
 * </pre>
 */
abstract class LpmNodes extends StoredMap
{
    static final int LEFT = 0;
    static final int BITS = 8;
    static final int SLOT = 12;
    static final int DATA = 16;
    static final int KEY_DATA = 4;
    static final int WORD_BITS = 64;
    /** Bits that the front decides at once, which saves a trie of many prefixes as many steps. */
    static final int FRONT_BITS = 8;

    final int maxBits;
    final int nodeLength;
    final int nodeCount;
    final UnsafeBuffer nodes;
    final SlotList freeNodes;
    /** By a key's first byte: the first node of {@link #FRONT_BITS} and more + 1, the best slot before it + 1. */
    final UnsafeBuffer front;
    private final int words;

    LpmNodes(final MapSpec spec)
    {
        super(spec, 0);
        // A tree of n prefixes has at most n - 1 forks.
        nodeCount = 2 * spec.maxEntries() + 1;
        maxBits = 8 * (spec.keySize() - KEY_DATA);
        words = (maxBits + WORD_BITS - 1) / WORD_BITS;
        nodeLength = DATA + words * Long.BYTES;
        nodes = MapMemory.allocate(spec.name(), nodeCount + " nodes", (long)nodeCount * nodeLength);
        front = MapMemory.allocate(spec.name(), "a front", (long)Long.BYTES << FRONT_BITS);
        freeNodes = new SlotList(spec.name(), nodeCount);
        freeNodes.giveAll(0, nodeCount);
    }

    /** How many bits a key has in common with a node, up to some number. */
    final int common(
        final int node, final int upTo, final long firstWord, final UnsafeBuffer key, final int keyIndex)
    {
        long difference = nodes.getLong(node + DATA) ^ firstWord;
        int same = 0;
        for (int word = 1; 0 == difference && (same += WORD_BITS) < upTo; word++)
        {
            difference = nodes.getLong(node + DATA + word * Long.BYTES) ^ keyWord(key, keyIndex, word);
        }
        return Math.min(upTo, 0 == difference ? upTo : same + Long.numberOfLeadingZeros(difference));
    }

    /** Some 64 bits of a key, the most significant first; 0 where it has no more. */
    final long keyWord(final UnsafeBuffer key, final int keyIndex, final int word)
    {
        final int at = KEY_DATA + word * Long.BYTES;
        final int rest = keySize() - at;
        if (rest >= Long.BYTES)
        {
            return key.getLong(keyIndex + at, ByteOrder.BIG_ENDIAN);
        }
        if (Integer.BYTES == rest)
        {
            return (long)key.getInt(keyIndex + at, ByteOrder.BIG_ENDIAN) << 32;
        }
        long number = 0;
        for (int i = 0; i < rest; i++)
        {
            number |= (key.getByte(keyIndex + at + i) & 0xffL) << 56 - 8 * i;
        }
        return number;
    }

    final void putData(final int node, final int bits, final UnsafeBuffer key, final int keyIndex)
    {
        nodes.putInt(node * nodeLength + BITS, bits);
        for (int word = 0; word < words; word++)
        {
            nodes.putLong(node * nodeLength + DATA + word * Long.BYTES, keyWord(key, keyIndex, word));
        }
    }

    /** A bit of a key, as the distance to the child for it. */
    final int keyBit(final UnsafeBuffer key, final int keyIndex, final int bit)
    {
        return (int)(keyWord(key, keyIndex, bit / WORD_BITS) >>> 63 - bit & 1) << 2;
    }

    final int nodeBit(final int node, final int bit)
    {
        return (int)(nodes.getLong(node * nodeLength + DATA + bit / WORD_BITS * Long.BYTES) >>> 63 - bit & 1) << 2;
    }

    /** Makes the front right for all first bytes that a prefix covers; for others nothing changed. */
    final void refresh(final int root, final int bits, final long firstWord)
    {
        final int count = 1 << FRONT_BITS - Math.min(bits, FRONT_BITS);
        final int first = (int)(firstWord >>> WORD_BITS - FRONT_BITS) & -count;
        for (int i = first; i < first + count; i++)
        {
            final long word = (long)i << WORD_BITS - FRONT_BITS;
            int slot = 0;
            int node = root;
            while (0 != node)
            {
                final int at = (node - 1) * nodeLength;
                final int nodeBits = nodes.getInt(at + BITS);
                if (nodeBits >= FRONT_BITS)
                {
                    break;
                }
                final long difference = nodes.getLong(at + DATA) ^ word;
                if (Long.numberOfLeadingZeros(difference) < nodeBits)
                {
                    node = 0;
                    break;
                }
                slot = 0 == nodes.getInt(at + SLOT) ? slot : nodes.getInt(at + SLOT);
                node = nodes.getInt(at + LEFT + ((int)(word >>> 63 - nodeBits & 1) << 2));
            }
            front.putLong(i << 3, (long)slot << 32 | node);
        }
    }
}
