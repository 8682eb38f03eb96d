package io.ringtap.xdp.bpf.elf;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes ELF files as clang does, and others that it never would. */
final class ElfWriter
{
    static final int ALLOC = 2;
    static final int WRITE = 1;
    static final int EXEC = 4;
    static final int GLOBAL = 1;
    static final int WEAK = 2;
    static final int LOCAL = 0;

    private final List<Section> sections = new ArrayList<>();
    private final ByteArrayOutputStream symbols = new ByteArrayOutputStream();
    private final ByteArrayOutputStream strings = new ByteArrayOutputStream();
    private int symbolCount;

    private static final class Section
    {
        private String name;
        private int type;
        private long flags;
        private byte[] content;
        private long size;
        private int link;
        private int info;
        private int entry;
    }

    ElfWriter()
    {
        strings.write(0);
        add("", 0, 0, new byte[0]);
        symbol("", 0, 0, 0, 0, 0);
    }

    /** A section; returns its number. */
    int add(final String name, final int type, final long flags, final byte[] content)
    {
        final Section section = new Section();
        section.name = name;
        section.type = type;
        section.flags = flags;
        section.content = content;
        section.size = content.length;
        sections.add(section);
        return sections.size() - 1;
    }

    int code(final String name, final long... instructions)
    {
        final ByteBuffer bytes = little(8 * instructions.length);
        for (final long instruction : instructions)
        {
            bytes.putLong(instruction);
        }
        return add(name, ElfSection.PROGBITS, ALLOC | EXEC, bytes.array());
    }

    int data(final String name, final byte... content)
    {
        return add(name, ElfSection.PROGBITS, ALLOC | WRITE, content);
    }

    int noBits(final String name, final long size)
    {
        final int index = add(name, ElfSection.NOBITS, ALLOC | WRITE, new byte[0]);
        sections.get(index).size = size;
        return index;
    }

    ElfWriter license(final String license)
    {
        data("license", (license + '\0').getBytes(StandardCharsets.US_ASCII));
        return this;
    }

    /** A symbol; returns its number. */
    int symbol(
        final String name, final int type, final int binding, final int section, final long value, final long size)
    {
        final ByteBuffer bytes = little(24);
        bytes.putInt(name.isEmpty() ? 0 : strings.size()).put((byte)(binding << 4 | type)).put((byte)0)
            .putShort((short)section).putLong(value).putLong(size);
        symbols.writeBytes(bytes.array());
        if (!name.isEmpty())
        {
            strings.writeBytes((name + '\0').getBytes(StandardCharsets.UTF_8));
        }
        return symbolCount++;
    }

    int function(final String name, final int section, final int first, final int length)
    {
        return symbol(name, ElfSymbol.FUNC, GLOBAL, section, 8L * first, 8L * length);
    }

    int sectionSymbol(final int section)
    {
        return symbol("", ElfSymbol.SECTION, LOCAL, section, 0, 0);
    }

    /** Relocations without addends: each is place, type and symbol. */
    void rel(final int target, final long... relocations)
    {
        final ByteBuffer bytes = little(16 * relocations.length / 3);
        for (int i = 0; i < relocations.length; i += 3)
        {
            bytes.putLong(relocations[i]).putInt((int)relocations[i + 1]).putInt((int)relocations[i + 2]);
        }
        relocations(".rel", target, ElfSection.REL, 16, bytes.array());
    }

    /** Relocations with addends: each is place, type, symbol and addend. */
    void rela(final int target, final long... relocations)
    {
        final ByteBuffer bytes = little(24 * relocations.length / 4);
        for (int i = 0; i < relocations.length; i += 4)
        {
            bytes.putLong(relocations[i]).putInt((int)relocations[i + 1]).putInt((int)relocations[i + 2])
                .putLong(relocations[i + 3]);
        }
        relocations(".rela", target, ElfSection.RELA, 24, bytes.array());
    }

    private void relocations(
        final String prefix, final int target, final int type, final int entry, final byte[] content)
    {
        final Section section = sections.get(add(prefix + sections.get(target).name, type, 0, content));
        section.info = target;
        section.entry = entry;
    }

    byte[] bytes()
    {
        final Section names = sections.get(add(".strtab", ElfSection.STRTAB, 0, strings.toByteArray()));
        final int namesIndex = sections.size() - 1;
        final Section table = sections.get(add(".symtab", ElfSection.SYMTAB, 0, symbols.toByteArray()));
        table.link = namesIndex;
        table.entry = 24;
        final ByteArrayOutputStream sectionNames = new ByteArrayOutputStream();
        sectionNames.writeBytes(names.content);
        final int[] nameOffsets = new int[sections.size()];
        for (int i = 0; i < nameOffsets.length; i++)
        {
            nameOffsets[i] = sectionNames.size();
            sectionNames.writeBytes((sections.get(i).name + '\0').getBytes(StandardCharsets.UTF_8));
        }
        names.content = sectionNames.toByteArray();
        names.size = names.content.length;
        return write(namesIndex, nameOffsets);
    }

    private byte[] write(final int names, final int[] nameOffsets)
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[64]);
        final long[] places = new long[sections.size()];
        for (int i = 0; i < places.length; i++)
        {
            while (out.size() % 8 != 0)
            {
                out.write(0);
            }
            places[i] = out.size();
            out.writeBytes(sections.get(i).content);
        }
        while (out.size() % 8 != 0)
        {
            out.write(0);
        }
        final int table = out.size();
        for (int i = 0; i < places.length; i++)
        {
            final Section section = sections.get(i);
            out.writeBytes(little(64).putInt(nameOffsets[i]).putInt(section.type).putLong(section.flags).putLong(0)
                .putLong(places[i]).putLong(section.size).putInt(section.link).putInt(section.info).putLong(8)
                .putLong(section.entry).array());
        }
        final byte[] file = out.toByteArray();
        final ByteBuffer header = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0x464c_457f).put((byte)2).put((byte)1).put((byte)1).position(16);
        header.putShort((short)1).putShort((short)247).putInt(1).putLong(0).putLong(0).putLong(table).putInt(0)
            .putShort((short)64).putShort((short)0).putShort((short)0).putShort((short)64)
            .putShort((short)sections.size()).putShort((short)names);
        return file;
    }

    static ByteBuffer little(final int length)
    {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
