package io.ringtap.xdp.bpf;

import io.ringtap.xdp.bpf.helper.StandardHelpers;
import io.ringtap.xdp.bpf.map.MapAccess;
import io.ringtap.xdp.bpf.map.MapFactory;
import io.ringtap.xdp.bpf.map.MapFlags;
import io.ringtap.xdp.bpf.map.MapSpec;
import org.agrona.concurrent.UnsafeBuffer;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a lookup costs a frame, as {@link ProgramBenchmark}: nanoseconds of CPU time beyond the same program without it,
 * least of many rounds. Run it with bounds checks of Agrona off, as in production.
 */
final class MapBenchmark
{
    private static final int BATCH = 64;
    private static final int BATCHES = 300;
    private static final int KEYS = 1024;
    private static final int AT = 26;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private MapBenchmark()
    {
    }

    public static void main(final String[] args)
    {
        final int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 400;
        for (final int entries : new int[] {1000, 100_000})
        {
            for (final int keySize : new int[] {4, 6, 16})
            {
                hash(MapKind.HASH, keySize, entries, rounds);
            }
            hash(MapKind.PERCPU_HASH, 6, entries, rounds);
            hash(MapKind.LRU_HASH, 16, entries, rounds);
        }
        report("ARRAY", spec(MapKind.ARRAY, 4, 1000), rounds, 1000, 1000);
        report("PERCPU_ARRAY", spec(MapKind.PERCPU_ARRAY, 4, 1000), rounds, 1000, 1000);
        report("LPM_TRIE of 1000", spec(MapKind.LPM_TRIE, 8, 1000), rounds, 1000, 1000);
    }

    private static MapSpec spec(final MapKind kind, final int keySize, final int entries)
    {
        return MapSpec.of("m", kind, keySize, 8, entries)
            .withFlags(MapKind.LPM_TRIE == kind ? MapFlags.NO_PREALLOC : 0);
    }

    private static void hash(final MapKind kind, final int keySize, final int entries, final int rounds)
    {
        final String name = kind + "/" + keySize + " of " + entries;
        report(name + ", hit", spec(kind, keySize, entries), rounds, entries, entries);
        report(name + ", miss", spec(kind, keySize, entries), rounds, entries, 0);
    }

    /** @param fill entries that are there; frames have keys of those, or of others when there are none. */
    private static void report(
        final String what, final MapSpec spec, final int rounds, final int entries, final int fill)
    {
        final BpfMap map = new MapFactory(4).create(spec);
        final MapAccess access = MapAccess.of(map);
        for (int i = 0; i < entries; i++)
        {
            access.put(key(spec, 0 == fill ? i + entries : i), new byte[8]);
        }
        final Random random = new Random(1);
        final byte[][] frames = new byte[BATCH][];
        for (int i = 0; i < frames.length; i++)
        {
            frames[i] = new byte[64];
            System.arraycopy(key(spec, random.nextInt(entries)), 0, frames[i], AT, spec.keySize());
        }
        final double with = time(map, program(spec.keySize(), true), frames, rounds);
        final double without = time(map, program(spec.keySize(), false), frames, rounds);
        System.out.printf("%-34s %6.2f ns a frame (%.2f - %.2f), %6.2f ns alone%n", what, with - without, with,
            without, alone(map, spec, entries, rounds));
    }

    /** Lookups of keys that lie ready, one after the other, in Java. */
    private static double alone(final BpfMap map, final MapSpec spec, final int entries, final int rounds)
    {
        final Random random = new Random(2);
        final UnsafeBuffer keys = new UnsafeBuffer(ByteBuffer.allocateDirect(KEYS * 16));
        for (int i = 0; i < KEYS; i++)
        {
            keys.putBytes(16 * i, key(spec, random.nextInt(entries)));
        }
        final BpfContext context = new BpfContext(new AddressSpace(), BpfContext.DEFAULT_FUEL);
        double least = Double.MAX_VALUE;
        long sum = 0;
        for (int round = 0; round < 2 * rounds; round++)
        {
            final long start = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < 10 * KEYS; i++)
            {
                sum += map.lookup(context, keys, (i & KEYS - 1) << 4);
            }
            least = Math.min(least, (THREADS.getCurrentThreadCpuTime() - start) / (10.0 * KEYS));
        }
        return 1 == sum ? 0 : least;
    }

    private static byte[] key(final MapSpec spec, final int number)
    {
        final byte[] key = new byte[spec.keySize()];
        final int mixed = MapKind.ARRAY == spec.kind() || MapKind.PERCPU_ARRAY == spec.kind() ?
            number : number * 0x9e37_79b1;
        final int at = MapKind.LPM_TRIE == spec.kind() ? 4 : 0;
        key[0] = (byte)(at > 0 ? 24 : mixed);
        for (int i = at; i < Math.min(at + 4, key.length); i++)
        {
            key[i] = (byte)(mixed >>> 8 * (i - at));
        }
        return key;
    }

    /** Copies the key from the frame to the stack, looks up and adds 1 to what is found. */
    private static long[] program(final int keySize, final boolean looksUp)
    {
        final StringBuilder copy = new StringBuilder();
        int done = 0;
        while (done < keySize)
        {
            final int width = keySize - done >= 8 ? 8 : keySize - done >= 4 ? 4 : 2;
            final String suffix = 8 == width ? "dw" : 4 == width ? "w" : "h";
            copy.append("ldx").append(suffix).append(" %r4, [%r1+").append(AT + done).append("]\nstx").append(suffix)
                .append(" [%r10-").append(16 - done).append("], %r4\n");
            done += width;
        }
        return Assembler.assemble("ldxw %r3, [%r1+4]", "ldxw %r1, [%r1+0]", "mov %r0, 2", "mov %r2, %r1",
            "add %r2, 64", "jgt %r2, %r3, exit", copy.toString(), looksUp ?
            "lddw %r1, map0\nmov %r2, %r10\nadd %r2, -16\ncall 1\njeq %r0, 0, +3\n" +
                "ldxdw %r1, [%r0]\nadd %r1, 1\nstxdw [%r0], %r1" :
            "ldxdw %r1, [%r10-16]", "mov %r0, 1", "exit");
    }

    private static double time(final BpfMap map, final long[] code, final byte[][] bytes, final int rounds)
    {
        final AddressSpace space = new AddressSpace();
        space.add(map);
        final ProgramCode program = Form.COMPILED.of(Verifier.verify(
            new ProgramText("bench", code, List.of(map), space, Map.of(), LineTable.NONE, ""), StandardHelpers.all()));
        final BpfContext context = new BpfContext(program);
        final FrameArray[] batches = new FrameArray[bytes.length / BATCH];
        for (int i = 0; i < batches.length; i++)
        {
            batches[i] = new FrameArray(Arrays.copyOfRange(bytes, i * BATCH, (i + 1) * BATCH));
        }
        double least = Double.MAX_VALUE;
        for (int round = 0; round < rounds; round++)
        {
            final long start = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < BATCHES; i++)
            {
                final FrameArray frames = batches[i % batches.length];
                frames.rewind();
                frames.run(program, context);
            }
            least = Math.min(least, (THREADS.getCurrentThreadCpuTime() - start) / (double)BATCHES / BATCH);
        }
        return least;
    }
}
