package io.ringtap.xdp.bpf;

import io.ringtap.it.kernel.KernelMap;
import io.ringtap.it.kernel.KernelObject;
import io.ringtap.it.kernel.KernelProgram;
import io.ringtap.it.kernel.KernelRing;
import io.ringtap.xdp.bpf.elf.BpfObject;
import io.ringtap.xdp.bpf.elf.LoadedObject;
import io.ringtap.xdp.bpf.elf.MapDefinition;
import io.ringtap.xdp.bpf.helper.StandardHelpers;
import io.ringtap.xdp.bpf.map.MapAccess;
import io.ringtap.xdp.bpf.map.MapOfMaps;
import io.ringtap.xdp.bpf.map.ProgArrayMap;
import io.ringtap.xdp.bpf.map.RingBufMap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;

/** One object on both sides: the same code, the same entries, the same frames; and then what differs. */
final class ObjectComparison implements AutoCloseable
{
    /** Frames between two looks at the events, so that no ring is full. */
    private static final int EVENTS_AFTER = 200;

    private final LoadedObject ours;
    private final KernelObject kernel;
    private final FrameSlot slot = new FrameSlot();
    private final int[] verdicts = new int[5];

    ObjectComparison(final BpfObject object)
    {
        ours = object.load(KernelMap.PROCESSORS, StandardHelpers.all());
        kernel = KernelObject.load(ours);
    }

    /** Stores an entry on both sides, the same for each queue. */
    void put(final String map, final byte[] key, final byte[] value)
    {
        final KernelMap other = kernel.map(map);
        final byte[] entry = new byte[other.entryLength()];
        final int stride = value.length + 7 & -8;
        for (int at = 0; at + value.length <= entry.length; at += stride)
        {
            System.arraycopy(value, 0, entry, at, value.length);
        }
        other.put(key, entry);
        MapAccess.of(ours.map(map)).put(key, value);
    }

    /** As {@link #put}, where the object has such a map. */
    void putIfThere(final String map, final byte[] key, final byte[] value)
    {
        if (null != kernel.map(map))
        {
            put(map, key, value);
        }
    }

    /** Puts a map into a map of maps on both sides. */
    void nest(final String outer, final byte[] key, final String inner)
    {
        kernel.map(outer).put(key, Numbers.of4(kernel.map(inner).fd()));
        ((MapOfMaps)ours.map(outer)).put(key, ours.map(inner));
    }

    /** How often each verdict came. */
    int[] verdicts()
    {
        return verdicts;
    }

    /**
     * Runs a program over frames.
     *
     * @return what differs, in words; empty when nothing does.
     */
    String run(final String name, final boolean isCompiled, final List<byte[]> frames)
    {
        final ProgramCode code = isCompiled ? ours.program(name) : interpreted(name);
        final BpfContext context = new BpfContext(code);
        context.interfaces(1, 0);
        final KernelProgram other = kernel.program(name);
        for (int i = 0; i < frames.size(); i++)
        {
            final KernelProgram.Result expected = other.run(frames.get(i), 1);
            final int verdict = code.runOn(context, slot.put(frames.get(i)));
            final byte[] bytes = slot.take(context);
            if (context.faults() > 0 || verdict != expected.verdict() || !slot.isIntact() ||
                !Arrays.equals(bytes, expected.frame()))
            {
                return "frame " + i + " " + hex(frames.get(i)) + ": verdict " + verdict + ", kernel's " +
                    expected.verdict() + "\n" + hex(bytes) + ", kernel's\n" + hex(expected.frame()) + "\n" +
                    context.lastFault();
            }
            verdicts[Math.min(Math.max(0, verdict), verdicts.length - 1)]++;
            final String events = i % EVENTS_AFTER == 0 || i == frames.size() - 1 ? events() : "";
            if (!events.isEmpty())
            {
                return "frame " + i + ": " + events;
            }
        }
        return maps();
    }

    /** The loader fills tables of programs with compiled ones, when they are compiled. */
    private ProgramCode interpreted(final String name)
    {
        for (final MapDefinition definition : ours.object().maps())
        {
            if (ours.map(definition.name()) instanceof ProgArrayMap table)
            {
                definition.initial().forEach((index, program) ->
                    table.put(index, new Interpreter(ours.verified(program))));
            }
        }
        return new Interpreter(ours.verified(name));
    }

    private String maps()
    {
        for (final BpfMap map : ours.maps())
        {
            if (!MapAccess.isFor(map))
            {
                continue;
            }
            final SortedMap<String, byte[]> found = Entries.of(map);
            final SortedMap<String, byte[]> expected = kernel.map(map.name()).dump();
            for (final String key : expected.keySet())
            {
                if (!Arrays.equals(expected.get(key), found.get(key)))
                {
                    return map + " at " + key + ": " + hex(found.get(key)) + ", kernel's " + hex(expected.get(key));
                }
            }
            if (found.size() != expected.size())
            {
                return map + " has " + found.size() + " entries, the kernel's " + expected.size();
            }
        }
        return "";
    }

    private String events()
    {
        for (final BpfMap map : ours.maps())
        {
            if (map instanceof RingBufMap ring)
            {
                final List<String> found = new ArrayList<>();
                ring.consume((index, buffer, offset, length) ->
                {
                    final byte[] bytes = new byte[length];
                    buffer.getBytes(offset, bytes);
                    found.add(hex(bytes));
                }, Integer.MAX_VALUE);
                final List<String> expected = new ArrayList<>();
                try (KernelRing other = new KernelRing(kernel.map(map.name())))
                {
                    other.drain().forEach(bytes -> expected.add(hex(bytes)));
                }
                if (!found.equals(expected))
                {
                    return map + ": " + found + ", kernel's " + expected;
                }
            }
        }
        return "";
    }

    private static String hex(final byte[] bytes)
    {
        return null == bytes ? "none" : HexFormat.of().formatHex(bytes);
    }

    @Override
    public void close()
    {
        kernel.close();
    }
}
