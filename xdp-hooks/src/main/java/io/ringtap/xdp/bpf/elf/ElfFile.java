package io.ringtap.xdp.bpf.elf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The structure of an ELF file for BPF: sections, symbols and relocations.
 * <pre>
 * file header, 64 bytes              section header, 64             symbol, 24           relocation, 16 or 24
 *  0 magic, class, order  16 type     0 name       4 type            0 name               0 offset
 * 18 machine   40 section headers     8 flags     24 offset          4 type, binding      8 type (low), symbol (high)
 * 58 bytes of one         60 count   32 size      40 link            6 section           16 addend, RELA only
 * 62 section of the names            44 info      56 bytes of one    8 value, 16 size
 * </pre>
 */
final class ElfFile
{
    private static final int HEADER_LENGTH = 64;
    private static final int MAGIC = 0x464c_457f;
    private static final int CLASS_64 = 2;
    private static final int LITTLE_ENDIAN = 1;
    private static final int RELOCATABLE = 1;
    private static final int BPF = 247;
    private static final int SECTION_LENGTH = 64;
    private static final int SYMBOL_LENGTH = 24;
    private static final int REL_LENGTH = 16;
    private static final int RELA_LENGTH = 24;

    private final List<ElfSection> sections;
    private final List<ElfSymbol> symbols;
    private final Map<Integer, Map<Long, ElfRelocation>> relocations = new HashMap<>();
    private int relocationCount;

    private ElfFile(final FileBytes file)
    {
        checkHeader(file);
        sections = sections(file);
        symbols = readSymbols();
    }

    /** @throws ObjectException when it is no such file, or a damaged one. */
    static ElfFile parse(final byte[] bytes)
    {
        if (bytes.length > ObjectLimits.FILE)
        {
            throw new ObjectException(bytes.length + " bytes, must be " + ObjectLimits.FILE + " at most");
        }
        return new ElfFile(new FileBytes(bytes, "file"));
    }

    List<ElfSection> sections()
    {
        return sections;
    }

    List<ElfSymbol> symbols()
    {
        return symbols;
    }

    /** The first section with a name; null when there is none. */
    ElfSection section(final String name)
    {
        for (final ElfSection section : sections)
        {
            if (section.name().equals(name))
            {
                return section;
            }
        }
        return null;
    }

    /** The section that a symbol lies in; null when that is none. */
    ElfSection sectionOf(final ElfSymbol symbol)
    {
        return ElfSymbol.UNDEFINED == symbol.section() || symbol.section() >= sections.size() ?
            null : sections.get(symbol.section());
    }

    /** What relocations there are for a section, by the place they are for. */
    synchronized Map<Long, ElfRelocation> relocations(final ElfSection target)
    {
        final Map<Long, ElfRelocation> known = relocations.get(target.index());
        if (null != known)
        {
            return known;
        }
        final Map<Long, ElfRelocation> all = new TreeMap<>();
        relocations.put(target.index(), all);
        for (final ElfSection section : sections)
        {
            final boolean hasAddend = ElfSection.RELA == section.type();
            if ((hasAddend || ElfSection.REL == section.type()) && section.info() == target.index())
            {
                relocations(section, hasAddend, all);
            }
        }
        return all;
    }

    private void relocations(final ElfSection section, final boolean hasAddend, final Map<Long, ElfRelocation> all)
    {
        final int length = hasAddend ? RELA_LENGTH : REL_LENGTH;
        // Sections may share their bytes: what counts is what is made of them.
        final int count = count(section, length, ObjectLimits.RELOCATIONS - relocationCount, "relocations");
        relocationCount += count;
        final FileBytes content = section.content();
        for (int i = 0; i < count; i++)
        {
            final long at = (long)i * length;
            final long offset = content.u63(at);
            final long symbol = content.u32(at + 12);
            if (symbol >= symbols.size())
            {
                throw new ObjectException("section " + section.name() + ": relocation " + i + " is for symbol " +
                    symbol + ", there are " + symbols.size());
            }
            final ElfRelocation relocation = new ElfRelocation(offset, content.i32(at + 8), symbols.get((int)symbol),
                hasAddend, hasAddend ? content.i64(at + 16) : 0);
            if (null != all.put(offset, relocation))
            {
                throw new ObjectException("section " + section.name() + ": two relocations for the place " + offset);
            }
        }
    }

    private static void checkHeader(final FileBytes file)
    {
        if (file.length() < HEADER_LENGTH || file.i32(0) != MAGIC)
        {
            throw new ObjectException("no ELF file; compile with clang -target bpf -O2 -g -c");
        }
        if (CLASS_64 != file.u8(4) || LITTLE_ENDIAN != file.u8(5))
        {
            throw new ObjectException("not little endian with 64 bits; compile with clang -target bpfel");
        }
        if (BPF != file.u16(18))
        {
            throw new ObjectException("made for machine " + file.u16(18) + ", must be " + BPF +
                " (BPF); compile with clang -target bpf");
        }
        if (RELOCATABLE != file.u16(16))
        {
            throw new ObjectException("ELF type " + file.u16(16) + ", must be " + RELOCATABLE +
                " (relocatable); compile with clang -c");
        }
    }

    private static List<ElfSection> sections(final FileBytes file)
    {
        final long table = file.u63(40);
        final int entry = file.u16(58);
        final int count = file.u16(60);
        final int names = file.u16(62);
        if (0 == count || count > ObjectLimits.SECTIONS || SECTION_LENGTH != entry || names >= count)
        {
            throw new ObjectException(count + " sections of " + entry + " bytes, names in section " + names +
                "; must be 1 to " + ObjectLimits.SECTIONS + " of " + SECTION_LENGTH);
        }
        final FileBytes headers = file.slice(table, (long)count * SECTION_LENGTH, "section headers");
        final FileBytes strings = content(file, headers, names, "names of sections");
        final List<ElfSection> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++)
        {
            final long at = (long)i * SECTION_LENGTH;
            final String name = 0 == i ? "" : strings.text(headers.u32(at), ObjectLimits.NAME);
            all.add(new ElfSection(i, name, headers.i32(at + 4), headers.i64(at + 8), headers.u63(at + 32),
                headers.u32(at + 40), headers.u32(at + 44), content(file, headers, i, "section " + name)));
        }
        return List.copyOf(all);
    }

    private static FileBytes content(final FileBytes file, final FileBytes headers, final int index, final String name)
    {
        final long at = (long)index * SECTION_LENGTH;
        final int type = headers.i32(at + 4);
        return 0 == type || ElfSection.NOBITS == type ?
            file.slice(0, 0, name) :
            file.slice(headers.u63(at + 24), headers.u63(at + 32), name);
    }

    private List<ElfSymbol> readSymbols()
    {
        for (final ElfSection section : sections)
        {
            if (ElfSection.SYMTAB == section.type())
            {
                return readSymbols(section);
            }
        }
        return List.of();
    }

    private List<ElfSymbol> readSymbols(final ElfSection section)
    {
        final int count = count(section, SYMBOL_LENGTH, ObjectLimits.SYMBOLS, "symbols");
        if (section.link() >= sections.size() || ElfSection.STRTAB != sections.get((int)section.link()).type())
        {
            throw new ObjectException("symbols: section " + section.link() + " does not hold their names");
        }
        final FileBytes strings = sections.get((int)section.link()).content();
        final FileBytes content = section.content();
        final List<ElfSymbol> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++)
        {
            final long at = (long)i * SYMBOL_LENGTH;
            final long name = content.u32(at);
            final int info = content.u8(at + 4);
            all.add(new ElfSymbol(0 == name ? "" : strings.text(name, ObjectLimits.NAME), info & 0xf, info >>> 4,
                content.u16(at + 6), content.u63(at + 8), content.u63(at + 16)));
        }
        return List.copyOf(all);
    }

    private static int count(final ElfSection section, final int length, final int limit, final String what)
    {
        final int count = section.content().length() / length;
        if (section.content().length() % length != 0 || count > limit)
        {
            throw new ObjectException("section " + section.name() + ": " + section.content().length() +
                " bytes, must be " + what + " of " + length + " bytes each, " + limit + " at most");
        }
        return count;
    }
}
