package io.ringtap.xdp.bpf.elf;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What .BTF.ext says about instructions: the source lines they come from, and what the kernel's loader should adapt.
 * <pre>
 * header                                  a table
 *  0 magic, version, flags                0 bytes of a record
 *  4 its length                           then for each section: name, count of records, records
 *  8 functions: where, length             line:  0 instruction (in bytes), 4 file, 8 text, 12 line (bits 10 up)
 * 16 lines: where, length                 CO-RE: 0 instruction, 4 type, 8 path of members, 12 what is asked
 * 24 CO-RE relocations: where, length
 * </pre>
 */
final class BtfExt
{
    private static final TreeMap<Long, Line> NONE_HERE = new TreeMap<>();
    private static final int HEADER_LENGTH = 24;
    private static final int HEADER_LENGTH_WITH_CORE = 32;
    private static final int RECORD_LENGTH = 16;
    private static final int MAX_RECORD_LENGTH = 4096;

    /** For objects without it. */
    static final BtfExt NONE = new BtfExt();

    private final Map<String, TreeMap<Long, Line>> lines = new HashMap<>();
    private final Map<String, Map<Integer, CoreRelocation>> core = new HashMap<>();

    /**
     * A source line.
     *
     * @param file offset of the file's name in the strings of .BTF: most lines are never shown.
     * @param text the same for what stands there.
     */
    record Line(long file, long text, int number)
    {
    }

    private BtfExt()
    {
    }

    static BtfExt parse(final FileBytes section, final Btf btf)
    {
        final long header = section.u32(4);
        if (0xeb9f != section.u16(0) || header < HEADER_LENGTH)
        {
            throw new ObjectException(".BTF.ext: magic 0x" + Integer.toHexString(section.u16(0)) + " and header of " +
                header + " bytes, must be 0xeb9f and " + HEADER_LENGTH + " at least");
        }
        final BtfExt ext = new BtfExt();
        ext.table(section.slice(header + section.u32(16), section.u32(20), "lines of .BTF.ext"), btf, false);
        if (header >= HEADER_LENGTH_WITH_CORE)
        {
            ext.table(section.slice(header + section.u32(24), section.u32(28), "CO-RE of .BTF.ext"), btf, true);
        }
        return ext;
    }

    /** The lines of a section by the byte where their instructions begin. */
    NavigableMap<Long, Line> lines(final String section)
    {
        return lines.getOrDefault(section, NONE_HERE);
    }

    /** What is asked about the instruction at a byte of a section; null when nothing is. */
    CoreRelocation core(final String section, final int place)
    {
        return core.getOrDefault(section, Map.of()).get(place);
    }

    private void table(final FileBytes table, final Btf btf, final boolean isCore)
    {
        if (0 == table.length())
        {
            return;
        }
        final long record = table.u32(0);
        if (record < RECORD_LENGTH || record > MAX_RECORD_LENGTH)
        {
            throw new ObjectException(".BTF.ext: records of " + record + " bytes, must be " + RECORD_LENGTH + " to " +
                MAX_RECORD_LENGTH);
        }
        long at = 4;
        int total = 0;
        while (at < table.length())
        {
            final String section = btf.string(table.u32(at));
            final long count = table.u32(at + 4);
            at += 8;
            final int limit = isCore ? ObjectLimits.CORE_RELOCATIONS : ObjectLimits.LINES;
            if (count > limit - total)
            {
                throw new ObjectException(".BTF.ext: " + count + " records after " + total + ", must be " + limit +
                    " at most");
            }
            total += (int)count;
            for (long i = 0; i < count; i++)
            {
                read(table, at, section, isCore);
                at += record;
            }
        }
    }

    private void read(final FileBytes table, final long at, final String section, final boolean isCore)
    {
        if (isCore)
        {
            core.computeIfAbsent(section, (name) -> new HashMap<>()).put(table.i32(at),
                new CoreRelocation(table.i32(at + 4), table.u32(at + 8), table.i32(at + 12)));
        }
        else
        {
            lines.computeIfAbsent(section, (name) -> new TreeMap<>()).put(table.u32(at),
                new Line(table.u32(at + 4), table.u32(at + 8), table.i32(at + 12) >>> 10));
        }
    }
}
