package io.ringtap.xdp.bpf.elf;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The structure of ELF files: what is read, and what is refused. */
class ElfFileTest
{
    private final ElfWriter writer = new ElfWriter();

    @Test
    void shouldReadSectionsSymbolsAndRelocations()
    {
        final int code = writer.code("xdp", 1, 2, 3);
        final int bss = writer.noBits(".bss", 1 << 20);
        final int function = writer.function("main", code, 1, 2);
        writer.rel(code, 8, 1, function);
        writer.rela(code, 16, 10, function, -8);

        final ElfFile elf = ElfFile.parse(writer.bytes());

        assertEquals("xdp", elf.sections().get(code).name());
        assertTrue(elf.sections().get(code).isCode());
        assertEquals(3, elf.section("xdp").content().i64(16));
        assertEquals(1 << 20, elf.sections().get(bss).size());
        assertEquals(0, elf.sections().get(bss).content().length());
        final ElfSymbol symbol = elf.symbols().get(function);
        assertEquals(new ElfSymbol("main", ElfSymbol.FUNC, 1, code, 8, 16), symbol);
        assertEquals(new ElfRelocation(8, 1, symbol, false, 0), elf.relocations(elf.section("xdp")).get(8L));
        assertEquals(new ElfRelocation(16, 10, symbol, true, -8), elf.relocations(elf.section("xdp")).get(16L));
        assertNull(elf.section("other"));
    }

    @Test
    void shouldSayWhatKindOfFileIsMeant()
    {
        assertRefused("no ELF file", new byte[0]);
        assertRefused("no ELF file", "#!/bin/sh, and enough of it to hold a header of sixty-four bytes".getBytes());
        assertRefused("little endian", patched((bytes) -> bytes.put(5, (byte)2)));
        assertRefused("64 bits", patched((bytes) -> bytes.put(4, (byte)1)));
        assertRefused("machine 62, must be 247", patched((bytes) -> bytes.putShort(18, (short)62)));
        assertRefused("ELF type 2, must be 1", patched((bytes) -> bytes.putShort(16, (short)2)));
    }

    @Test
    void shouldHoldEveryNumberAgainstTheFile()
    {
        assertRefused("0 sections", patched((bytes) -> bytes.putShort(60, (short)0)));
        assertRefused("must be 1 to 4096", patched((bytes) -> bytes.putShort(60, (short)4097)));
        assertRefused("sections of 40 bytes", patched((bytes) -> bytes.putShort(58, (short)40)));
        assertRefused("section headers: 256 bytes at 100000", patched((bytes) -> bytes.putLong(40, 100_000)));
        assertRefused("beyond any file", patched((bytes) -> bytes.putLong(40, -1)));
        assertRefused("names in section 9", patched((bytes) -> bytes.putShort(62, (short)9)));
        // Section 1 is the code: its name, place and length.
        assertRefused("names of sections: 1 bytes at", patched((bytes) -> bytes.putInt(section(bytes, 1), 1 << 30)));
        assertRefused("section xdp", patched((bytes) -> bytes.putLong(section(bytes, 1) + 24, 1 << 20)));
        assertRefused("section xdp", patched((bytes) -> bytes.putLong(section(bytes, 1) + 32, Long.MAX_VALUE)));
        // Section 3 is the symbols: their length and where their names are.
        assertRefused("must be symbols of 24", patched((bytes) -> bytes.putLong(section(bytes, 3) + 32, 25)));
        assertRefused("does not hold their names", patched((bytes) -> bytes.putInt(section(bytes, 3) + 40, 1)));
        assertRefused("does not hold their names", patched((bytes) -> bytes.putInt(section(bytes, 3) + 40, -1)));
    }

    @Test
    void shouldRefuseRelocationsThatCannotBe()
    {
        final int code = writer.code("xdp", 1, 2);
        writer.rel(code, 0, 1, 77);
        final ElfFile elf = ElfFile.parse(writer.bytes());
        assertEquals("section .relxdp: relocation 0 is for symbol 77, there are 1",
            assertThrows(ObjectException.class, () -> elf.relocations(elf.section("xdp"))).getMessage());

        final ElfWriter twice = new ElfWriter();
        final int other = twice.code("xdp", 1, 2);
        twice.rel(other, 8, 1, 0, 8, 10, 0);
        final ElfFile second = ElfFile.parse(twice.bytes());
        assertEquals("section .relxdp: two relocations for the place 8",
            assertThrows(ObjectException.class, () -> second.relocations(second.section("xdp"))).getMessage());
    }

    @Test
    void shouldRefuseNamesWithoutEnd()
    {
        writer.code("x".repeat(ObjectLimits.NAME + 1), 1);
        assertTrue(assertThrows(ObjectException.class, () -> ElfFile.parse(writer.bytes())).getMessage()
            .contains("does not end within 512 bytes"));
    }

    private static int section(final ByteBuffer bytes, final int index)
    {
        return (int)bytes.getLong(40) + 64 * index;
    }

    private static byte[] patched(final Consumer<ByteBuffer> patch)
    {
        final ElfWriter writer = new ElfWriter();
        writer.code("xdp", 1, 2);
        final byte[] bytes = writer.bytes();
        patch.accept(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
        return bytes;
    }

    private static void assertRefused(final String part, final byte[] file)
    {
        final String message = assertThrows(ObjectException.class, () -> ElfFile.parse(file)).getMessage();
        assertTrue(message.contains(part), message);
    }
}
