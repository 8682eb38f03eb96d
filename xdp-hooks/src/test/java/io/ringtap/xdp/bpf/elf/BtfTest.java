package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.elf.TypeWriter.Member;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Types as BTF tells them, and types that cannot be. */
class BtfTest
{
    private final TypeWriter writer = new TypeWriter();
    private final int u32 = writer.integer("unsigned int", 4, 0);

    @Test
    void shouldReadKindsAndSizes()
    {
        final int alias = writer.typedef("__u32", writer.add(BtfKind.CONST, "", 0, u32));
        final int array = writer.array(writer.array(alias, 3), 5);
        final int struct = writer.struct("pair", 72,
            Member.of("first", alias, 0), Member.of("rest", array, 32), new Member("bits", u32, 520, 3));
        final int big = writer.add(BtfKind.ENUM64, "big", 1, 8, writer.string("HUGE"), 1, 2);
        final int named = writer.addRaw(1 << 31 | 6 << 24 | 1, "minus", 4, writer.string("LESS"), -1);
        final int proto = writer.add(BtfKind.FUNC_PROTO, "", 1, u32, 0, u32);
        final int function = writer.add(BtfKind.FUNC, "f", 1, proto);
        final int tag = writer.add(BtfKind.TYPE_TAG, "tag", 0, struct);
        final int decl = writer.add(BtfKind.DECL_TAG, "mark", 0, struct, -1);
        final int section = writer.section(".data");
        final Btf btf = writer.read();

        assertEquals(section, decl + 1);
        assertEquals(section + 1, btf.count());
        assertEquals(u32, btf.resolve(alias));
        assertEquals(60, btf.size(array));
        assertEquals(72, btf.size(tag));
        assertEquals(8, btf.size(big));
        assertEquals(0, btf.size(0));
        assertEquals("rest", btf.memberName(struct, 1));
        assertEquals(32, btf.memberBit(struct, 1));
        assertEquals(520, btf.memberBit(struct, 2));
        assertEquals(3, btf.memberBits(struct, 2));
        assertEquals(0x2_0000_0001L, btf.constant(big, 0));
        assertEquals(-1, btf.constant(named, 0));
        assertEquals(0, btf.members(function), "a function's linkage is no number of members");
        assertEquals(section, btf.section(".data"));
        assertEquals(0, btf.section(".bss"));
    }

    @Test
    void shouldRefuseTypesThatHoldThemselves()
    {
        final int loop = writer.typedef("loop", 2);
        final int array = writer.array(3, 1);
        final int variable = writer.variable("v", 4);
        final Btf btf = writer.read();

        assertEquals(".BTF: type 2 is nested deeper than 32",
            assertThrows(ObjectException.class, () -> btf.resolve(loop)).getMessage());
        assertThrows(ObjectException.class, () -> btf.size(array));
        assertThrows(ObjectException.class, () -> btf.size(variable));
    }

    @Test
    void shouldRefuseHugeTypes()
    {
        int type = u32;
        for (int i = 0; i < 8; i++)
        {
            type = writer.array(type, -1);
        }
        final int array = type;
        final Btf btf = writer.read();

        assertTrue(assertThrows(ObjectException.class, () -> btf.size(array)).getMessage()
            .contains("67108864 at most"));
    }

    @Test
    void shouldRefuseNumbersOfTypesThatAreNot()
    {
        final int pointer = writer.pointer(99);
        final Btf btf = writer.read();

        assertEquals(".BTF: type 99 is none of 1 to 2",
            assertThrows(ObjectException.class, () -> btf.kind(btf.target(pointer))).getMessage());
        assertThrows(ObjectException.class, () -> btf.memberName(u32, 0));
        assertThrows(ObjectException.class, () -> btf.kind(-1));
    }

    @Test
    void shouldRefuseWhatItCannotSkip()
    {
        writer.addRaw(25 << 24, "new", 0);
        assertEquals(".BTF: type 2 is of the unknown kind 25",
            assertThrows(ObjectException.class, writer::read).getMessage());

        final TypeWriter cut = new TypeWriter();
        cut.addRaw(4 << 24 | 1000, "short", 4);
        assertTrue(assertThrows(ObjectException.class, cut::read).getMessage().contains("type 1 of .BTF"));

        assertThrows(ObjectException.class, () -> Btf.parse(new FileBytes(new byte[10], "test")));
        assertThrows(ObjectException.class, () -> Btf.parse(new FileBytes(new byte[100], "test")));
    }
}
