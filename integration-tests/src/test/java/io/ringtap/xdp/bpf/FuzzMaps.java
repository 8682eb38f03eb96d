package io.ringtap.xdp.bpf;

import io.ringtap.it.kernel.KernelCode;
import io.ringtap.it.kernel.KernelMap;
import io.ringtap.it.kernel.KernelProgram;
import io.ringtap.xdp.bpf.helper.StandardHelpers;
import io.ringtap.xdp.bpf.map.MapFlags;
import io.ringtap.xdp.bpf.map.MapSpec;
import io.ringtap.xdp.bpf.map.ProgArrayMap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;

/** The maps of {@link HelperStatements} on both sides, and what they hold before each program. */
final class FuzzMaps implements AutoCloseable
{
    private static final List<MapSpec> SPECS = List.of(
        MapSpec.of("values", MapKind.ARRAY, 4, KernelProgramGenerator.VALUE_BYTES, 1),
        MapSpec.of("hash", MapKind.HASH, 4, HelperStatements.VALUE_SIZE, 8),
        MapSpec.of("array", MapKind.ARRAY, 4, HelperStatements.VALUE_SIZE, 4),
        MapSpec.of("queue_array", MapKind.PERCPU_ARRAY, 4, HelperStatements.VALUE_SIZE, 4),
        MapSpec.of("queue_hash", MapKind.PERCPU_HASH, 8, HelperStatements.VALUE_SIZE, 8),
        MapSpec.of("lru", MapKind.LRU_HASH, 4, HelperStatements.VALUE_SIZE, 256),
        MapSpec.of("trie", MapKind.LPM_TRIE, 8, 8, 16).withFlags(MapFlags.NO_PREALLOC),
        MapSpec.of("programs", MapKind.PROG_ARRAY, 4, 4, 4),
        MapSpec.of("fifo", MapKind.QUEUE, 0, 8, 4));
    /** Stores a 7 and gives 3. */
    private static final long[] TARGET = target();

    private final TwinMaps twins = new TwinMaps(SPECS);
    private final KernelProgram target;
    private final BitSet used = new BitSet();

    FuzzMaps()
    {
        target = KernelProgram.load("target", KernelCode.linked(TARGET, twins.kernel()), "Apache-2.0", null);
        final BpfProgram verified = Verifier.verify(new ProgramText("target", TARGET, twins.ours(), twins.space(),
            Map.of(), LineTable.NONE, ""), StandardHelpers.all());
        for (int i = 0; i < 2; i++)
        {
            twins.kernel().get(HelperStatements.PROGRAMS).put(number(i), number(target.fd()));
            ((ProgArrayMap)twins.ours().get(HelperStatements.PROGRAMS)).put(i, Compiler.compile(verified));
        }
    }

    private static long[] target()
    {
        final CodeBuffer code = new CodeBuffer();
        code.wide(8, Opcode.LDDW_MAP_VALUE, HelperStatements.VALUES, KernelProgramGenerator.VALUE_BYTES - 8);
        code.storeNumber(Opcode.DW, 8, 0, 7);
        code.set(0, 3);
        code.exit();
        return code.toArray();
    }

    TwinMaps twins()
    {
        return twins;
    }

    private static byte[] number(final int number)
    {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
    }

    /** From now on only the maps that this program names are looked after: the others cannot change. */
    void use(final long[] code)
    {
        used.clear();
        used.set(HelperStatements.VALUES);
        for (int i = 0; i < code.length; i++)
        {
            if (Instruction.isWide(code[i]))
            {
                final int source = Instruction.source(code[i]);
                if (Opcode.LDDW_MAP == source || Opcode.LDDW_MAP_VALUE == source)
                {
                    used.set(Instruction.immediate(code[i]));
                }
                i++;
            }
        }
        used.clear(HelperStatements.PROGRAMS);
    }

    /** Both sides as they are before each program. */
    void reset(final long seed)
    {
        used.stream().forEach(twins::clear);
        fill(seed, twins::put);
    }

    /** Only ours, for another run. */
    void resetOurs(final long seed)
    {
        used.stream().forEach(index -> Entries.clear(twins.ours().get(index)));
        fill(seed, (index, key, entry) -> Entries.put(twins.ours().get(index), key, entry));
    }

    /** Takes an entry. */
    @FunctionalInterface
    private interface Sink
    {
        void put(int index, byte[] key, byte[] entry);
    }

    private void fill(final long seed, final Sink sink)
    {
        final Random random = new Random(seed);
        sink.put(HelperStatements.VALUES, number(0), bytes(random, KernelProgramGenerator.VALUE_BYTES));
        for (int key = 0; key < 4; key++)
        {
            for (final int index : new int[]{HelperStatements.HASH, HelperStatements.ARRAY,
                HelperStatements.QUEUE_ARRAY, HelperStatements.QUEUE_HASH, HelperStatements.LRU})
            {
                if (used.get(index))
                {
                    final KernelMap map = twins.kernel().get(index);
                    final byte[] bytes = new byte[map.spec().keySize()];
                    bytes[0] = (byte)key;
                    sink.put(index, bytes, bytes(random, map.entryLength()));
                }
            }
            if (used.get(HelperStatements.TRIE))
            {
                final byte[] prefix = {(byte)(8 * key), 0, 0, 0, (byte)key, (byte)key, (byte)key, (byte)key};
                sink.put(HelperStatements.TRIE, prefix, bytes(random, 8));
            }
        }
    }

    private static byte[] bytes(final Random random, final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** What the kernel's hold; those of what is first in, first out are empty then. */
    List<SortedMap<String, byte[]>> dump()
    {
        final List<SortedMap<String, byte[]>> had = new ArrayList<>();
        for (int i = 0; i < SPECS.size(); i++)
        {
            had.add(used.get(i) ? twins.kernel().get(i).dump() : null);
        }
        return had;
    }

    /** What ours have else than the kernel's had; null when nothing. */
    String difference(final List<SortedMap<String, byte[]>> had)
    {
        for (int i = 0; i < SPECS.size(); i++)
        {
            final String difference = used.get(i) ? twins.difference(i, had.get(i)) : null;
            if (null != difference)
            {
                return difference;
            }
        }
        return null;
    }

    /** All that ours hold, for comparing two runs. */
    String oursInWords()
    {
        final StringBuilder words = new StringBuilder();
        used.stream().forEach(index -> Entries.of(twins.ours().get(index)).forEach((key, value) ->
            words.append(key).append('=').append(Arrays.hashCode(value)).append(' ')));
        return words.toString();
    }

    @Override
    public void close()
    {
        target.close();
        twins.close();
    }
}
