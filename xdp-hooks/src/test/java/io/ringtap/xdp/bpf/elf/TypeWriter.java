package io.ringtap.xdp.bpf.elf;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes the types of .BTF, and lines and CO-RE relocations of .BTF.ext. */
final class TypeWriter
{
    private final ByteArrayOutputStream types = new ByteArrayOutputStream();
    private final ByteArrayOutputStream strings = new ByteArrayOutputStream();
    private int count;

    TypeWriter()
    {
        strings.write(0);
    }

    /** A member of a struct, in bits; or a bit field. */
    record Member(String name, int type, int bit, int bits)
    {
        static Member of(final String name, final int type, final int bit)
        {
            return new Member(name, type, bit, 0);
        }
    }

    int string(final String text)
    {
        if (text.isEmpty())
        {
            return 0;
        }
        final int offset = strings.size();
        strings.writeBytes((text + '\0').getBytes(StandardCharsets.UTF_8));
        return offset;
    }

    /** A type with whatever behind it; returns its number. */
    int add(final BtfKind kind, final String name, final int members, final int sizeOrType, final int... rest)
    {
        return addRaw(kind.ordinal() << 24 | members, name, sizeOrType, rest);
    }

    int addRaw(final int info, final String name, final int sizeOrType, final int... rest)
    {
        final ByteBuffer bytes = ElfWriter.little(12 + 4 * rest.length);
        bytes.putInt(string(name)).putInt(info).putInt(sizeOrType);
        for (final int word : rest)
        {
            bytes.putInt(word);
        }
        types.writeBytes(bytes.array());
        return ++count;
    }

    /** @param encoding 1 for signed, 2 for characters, 4 for truth. */
    int integer(final String name, final int bytes, final int encoding)
    {
        return add(BtfKind.INT, name, 0, bytes, encoding << 24 | 8 * bytes);
    }

    int pointer(final int type)
    {
        return add(BtfKind.PTR, "", 0, type);
    }

    int array(final int element, final int length)
    {
        return add(BtfKind.ARRAY, "", 0, 0, element, element, length);
    }

    int typedef(final String name, final int type)
    {
        return add(BtfKind.TYPEDEF, name, 0, type);
    }

    int struct(final String name, final int size, final Member... members)
    {
        return composite(BtfKind.STRUCT, name, size, members);
    }

    int composite(final BtfKind kind, final String name, final int size, final Member... members)
    {
        boolean hasFields = false;
        for (final Member member : members)
        {
            hasFields |= member.bits > 0;
        }
        final int[] rest = new int[3 * members.length];
        for (int i = 0; i < members.length; i++)
        {
            rest[3 * i] = string(members[i].name);
            rest[3 * i + 1] = members[i].type;
            rest[3 * i + 2] = members[i].bits << 24 | members[i].bit;
        }
        return addRaw((hasFields ? 1 << 31 : 0) | kind.ordinal() << 24 | members.length, name, size, rest);
    }

    /** What {@code __uint(name, value)} makes. */
    Member number(final String name, final int value, final int bit)
    {
        return Member.of(name, pointer(array(1, value)), bit);
    }

    int variable(final String name, final int type)
    {
        return add(BtfKind.VAR, name, 0, type, 1);
    }

    /** A section of variables, each of 0 bytes at 0 as clang leaves it. */
    int section(final String name, final int... variables)
    {
        final int[] rest = new int[3 * variables.length];
        for (int i = 0; i < variables.length; i++)
        {
            rest[3 * i] = variables[i];
        }
        return add(BtfKind.DATASEC, name, variables.length, 0, rest);
    }

    byte[] bytes()
    {
        final ByteBuffer bytes = ElfWriter.little(24 + types.size() + strings.size());
        bytes.putShort((short)0xeb9f).put((byte)1).put((byte)0).putInt(24).putInt(0).putInt(types.size())
            .putInt(types.size()).putInt(strings.size()).put(types.toByteArray()).put(strings.toByteArray());
        return bytes.array();
    }

    Btf read()
    {
        return Btf.parse(new FileBytes(bytes(), "test"));
    }

    /**
     * .BTF.ext for one section.
     *
     * @param lines each place, line number; all of one file with this text.
     * @param core  each place, type, kind.
     */
    byte[] ext(final String section, final String file, final String text, final int[] lines, final int... core)
    {
        final int name = string(section);
        final int fileName = string(file);
        final int line = string(text);
        final int path = string("0:1");
        final ByteBuffer bytes = ElfWriter.little(1024);
        final int lineLength = 12 + 8 * lines.length;
        final int coreLength = 0 == core.length ? 0 : 12 + 16 * core.length / 3;
        bytes.putShort((short)0xeb9f).put((byte)1).put((byte)0).putInt(32).putInt(0).putInt(0).putInt(0)
            .putInt(lineLength).putInt(lineLength).putInt(coreLength);
        bytes.putInt(16).putInt(name).putInt(lines.length / 2);
        for (int i = 0; i < lines.length; i += 2)
        {
            bytes.putInt(lines[i]).putInt(fileName).putInt(line).putInt(lines[i + 1] << 10);
        }
        if (core.length > 0)
        {
            bytes.putInt(16).putInt(name).putInt(core.length / 3);
            for (int i = 0; i < core.length; i += 3)
            {
                bytes.putInt(core[i]).putInt(core[i + 1]).putInt(path).putInt(core[i + 2]);
            }
        }
        final byte[] copy = new byte[bytes.position()];
        bytes.flip().get(copy);
        return copy;
    }
}
