package io.ringtap.xdp.bpf.map;

import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.ProgramCode;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** PROG_ARRAY: programs by index, for tail calls. The control side puts them in. */
public final class ProgArrayMap extends PlainMap
{
    private final AtomicReferenceArray<ProgramCode> programs;

    ProgArrayMap(final MapSpec spec)
    {
        super(spec);
        programs = new AtomicReferenceArray<>(spec.maxEntries());
    }

    /** Puts a program into a slot, from the next tail call on; null empties it. */
    public void put(final int index, final ProgramCode code)
    {
        if (index < 0 || index >= maxEntries())
        {
            throw new MapException("map " + name() + ": index " + index + ", must be 0 to " + (maxEntries() - 1));
        }
        programs.set(index, code);
    }

    @Override
    public ProgramCode program(final int index)
    {
        return index < 0 || index >= programs.length() ? null : programs.getAcquire(index);
    }

    /** Without programs: they belong to another address space than the one for practice. */
    @Override
    public BpfMap scratch()
    {
        return new ProgArrayMap(spec());
    }
}
