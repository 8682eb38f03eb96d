package io.ringtap.xdp.bpf;

import java.util.Arrays;

/** What compiled programs call besides accesses and helpers. */
final class CompiledSupport
{
    private CompiledSupport()
    {
    }

    static BpfAbort outOfFuel(final BpfContext context, final int at)
    {
        return context.fault(FaultKind.FUEL, "", 0, 0, at);
    }

    /** Address of a value by what a lookup gave. */
    static long address(final int offset, final long base)
    {
        return BpfMap.MISSING == offset ? 0 : base + offset;
    }

    /** bpf_map_lookup_elem of an array: the key counts entries. */
    static long entry(
        final BpfContext context,
        final long key,
        final int entries,
        final long base,
        final int stride,
        final int queueStride)
    {
        return key < entries ? base + key * stride + (long)context.processor * queueStride : 0;
    }

    /** Registers of a function that is about to begin, with its arguments in them. */
    static long[] registers(
        final BpfContext context,
        final long r1,
        final long r2,
        final long r3,
        final long r4,
        final long r5,
        final long framePointer)
    {
        final long[] r = context.registers(framePointer);
        Arrays.fill(r, 0);
        r[1] = r1;
        r[2] = r2;
        r[3] = r3;
        r[4] = r4;
        r[5] = r5;
        r[10] = framePointer;
        return r;
    }
}
