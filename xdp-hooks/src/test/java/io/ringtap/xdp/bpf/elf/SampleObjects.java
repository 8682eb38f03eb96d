package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.Assembler;
import io.ringtap.xdp.bpf.elf.TypeWriter.Member;

import java.util.List;

/** Objects as clang would write them, for tests of declarations and for damage. */
final class SampleObjects
{
    private SampleObjects()
    {
    }

    /** One with everything: BTF maps, variables, functions, source lines, CO-RE. */
    static byte[] full()
    {
        final ElfWriter elf = new ElfWriter();
        final TypeWriter types = new TypeWriter();
        final int u32 = types.integer("unsigned int", 4, 0);
        final int u64 = types.integer("unsigned long", 8, 0);
        final int lock = types.struct("bpf_spin_lock", 4, Member.of("val", u32, 0));
        final int value = types.struct("value", 16, Member.of("count", u64, 0), Member.of("lock", lock, 64));
        final int flows = declaration(types, 1, 64, u32, value);
        final int counters = declaration(types, 6, 4, u32, u64);
        types.section(".maps", types.variable("flows", flows), types.variable("counters", counters));
        types.section(".rodata", types.variable("limit", u32));
        types.section(".bss", types.variable("seen", u64));
        final int ip = types.struct("iphdr", 20, Member.of("tos", u32, 0));
        final int kernel = types.struct("nf_conn", 8, Member.of("status", u32, 0));

        final int text = elf.code(".text", Assembler.assemble("mov %r0, 1", "add %r0, 1", "exit"));
        final int code = elf.code("xdp", Assembler.assemble(
            "mov %r6, %r1", "mov %r1, 1", "stxw [%r10-4], %r1",
            "lddw %r1, 0", "mov %r2, %r10", "add %r2, -4", "call 1", "jeq %r0, 0, none",
            "mov %r1, 1", "lock add [%r0+0], %r1", "none:",
            "lddw %r1, 0", "ldxw %r2, [%r1+0]", "mov %r7, 1", "add %r2, 20",
            "lddw %r1, 0", "stxdw [%r1+0], %r2", "f:", "call local f", "exit",
            "mov %r0, 1", "exit"));
        elf.function("main", code, 0, 21);
        elf.function("other", code, 21, 2);
        elf.function("two", text, 0, 3);
        final int maps = elf.data(".maps", new byte[80]);
        final int first = elf.symbol("flows", ElfSymbol.OBJECT, 1, maps, 0, 40);
        elf.symbol("counters", ElfSymbol.OBJECT, 1, maps, 40, 40);
        final int constants = elf.data(".rodata", (byte)7, (byte)0, (byte)0, (byte)0);
        final int limit = elf.symbol("limit", ElfSymbol.OBJECT, 1, constants, 0, 4);
        final int bss = elf.noBits(".bss", 8);
        final int seen = elf.symbol("seen", ElfSymbol.OBJECT, 1, bss, 0, 8);
        elf.rel(code, 24, 1, first, 88, 1, limit, 128, 1, seen,
            152, 10, elf.sectionSymbol(text));
        elf.license("GPL");
        final byte[] ext = types.ext("xdp", "/src/filter.c", "    return XDP_PASS;",
            new int[]{0, 10, 56, 14, 152, 31}, 120, ip, 0, 112, kernel, 8);
        elf.add(".BTF", ElfSection.PROGBITS, 0, types.bytes());
        elf.add(".BTF.ext", ElfSection.PROGBITS, 0, ext);
        return elf.bytes();
    }

    /** A map as {@code __type} and {@code __uint} declare it: a struct of five pointers. */
    static int declaration(final TypeWriter types, final int kind, final int entries, final int key, final int value)
    {
        return types.struct("", 40, types.number("type", kind, 0), types.number("max_entries", entries, 64),
            Member.of("key", types.pointer(key), 128), Member.of("value", types.pointer(value), 192),
            types.number("pinning", 1, 256));
    }

    /** One with maps as they were before BTF, and addends in relocations. */
    static byte[] legacy()
    {
        final ElfWriter elf = new ElfWriter();
        final int code = elf.code("xdp", Assembler.assemble(
            "lddw %r1, 0", "mov %r0, 2", "lddw %r1, 0", "exit"));
        elf.function("old", code, 0, 6);
        final int maps = elf.data("maps", ElfWriter.little(40).putInt(1).putInt(4).putInt(8).putInt(16).putInt(0)
            .putInt(2).putInt(4).putInt(4).putInt(3).putInt(0).array());
        elf.symbol("hash", ElfSymbol.OBJECT, 1, maps, 0, 20);
        elf.symbol("array", ElfSymbol.OBJECT, 1, maps, 20, 20);
        elf.rela(code, 0, 1, elf.sectionSymbol(maps), 0, 24, 1, elf.sectionSymbol(maps), 20);
        return elf.bytes();
    }

    /** Without symbols of functions, and bare. */
    static byte[] bare()
    {
        final ElfWriter elf = new ElfWriter();
        elf.code("xdp", Assembler.assemble("mov %r0, 2", "exit"));
        return elf.bytes();
    }

    /** A program that tail calls entry 0 of a map of one entry, and two that may be in it. */
    static byte[] jumps(final String line, final int place, final String listed)
    {
        final ElfWriter elf = new ElfWriter();
        final TypeWriter types = new TypeWriter();
        final int u32 = types.integer("unsigned int", 4, 0);
        final int code = elf.code("xdp", Assembler.assemble(
            "lddw %r2, 0", "mov %r3, 0", "call 12", "mov %r0, 2", "exit", line, "exit"));
        final int other = elf.code("tc", Assembler.assemble("mov %r0, 0", "exit"));
        elf.function("jump", code, 0, 6);
        final int drop = elf.function("drop", code, 6, 2);
        final int tc = elf.function("tc", other, 0, 2);
        final int proto = types.pointer(types.add(BtfKind.FUNC_PROTO, "", 0, u32));
        final int type = types.struct("", 24, types.number("type", 3, 0), types.number("key_size", 4, 64),
            types.number("max_entries", 1, 128), Member.of("values", types.array(proto, 0), 192));
        types.section(".maps", types.variable("jumps", type));
        final int maps = elf.data(".maps", new byte[40]);
        elf.rel(code, 0, ElfRelocation.BPF_64_64, elf.symbol("jumps", ElfSymbol.OBJECT, 1, maps, 0, 40));
        elf.rel(maps, 24 + 8L * place, ElfRelocation.BPF_64_ABS64, "tc".equals(listed) ? tc : drop);
        elf.add(".BTF", ElfSection.PROGBITS, 0, types.bytes());
        return elf.bytes();
    }

    /** A program that counts in the map at index 0 of a map of maps, the second of two. */
    static byte[] nested(final int kind, final int entries, final boolean isStatic)
    {
        final ElfWriter elf = new ElfWriter();
        final TypeWriter types = new TypeWriter();
        final int u32 = types.integer("unsigned int", 4, 0);
        final int code = elf.code("xdp", Assembler.assemble(
            "mov %r1, 0", "stxdw [%r10-8], %r1",
            "lddw %r1, 0", "mov %r2, %r10", "add %r2, -8", "call 1", "mov %r6, 1", "jeq %r0, 0, out",
            "mov %r1, %r0", "mov %r2, %r10", "add %r2, -8", "call 1", "jeq %r0, 0, out",
            "mov %r1, 1", "stxw [%r0+0], %r1", "mov %r6, 2", "out:", "mov %r0, %r6", "exit"));
        final int inner = types.struct("inner", 32, types.number("type", 2, 0), types.number("max_entries", 4, 64),
            Member.of("key", types.pointer(u32), 128), Member.of("value", types.pointer(u32), 192));
        final int two = types.struct("two", 32, types.number("type", 2, 0),
            types.number("max_entries", entries, 64), Member.of("key", types.pointer(u32), 128),
            Member.of("value", types.pointer(u32), 192));
        final int outer = types.struct("", 24, types.number("type", kind, 0),
            types.number("key_size", 13 == kind ? 8 : 4, 64), types.number("max_entries", 2, 128),
            Member.of("values", types.array(types.pointer(inner), 0), 192));
        types.section(".maps", types.variable("one", inner), types.variable("two", two),
            types.variable("outer", outer));
        final int maps = elf.data(".maps", new byte[32 + 32 + 24 + 16]);
        elf.symbol("one", ElfSymbol.OBJECT, 1, maps, 0, 32);
        final int second = elf.symbol("two", ElfSymbol.OBJECT, 1, maps, 32, 32);
        elf.rel(code, 16, ElfRelocation.BPF_64_64, elf.symbol("outer", ElfSymbol.OBJECT, 1, maps, 64, 40));
        // By symbol, or as clang would for a static map: by section, with an addend.
        if (isStatic)
        {
            elf.rela(maps, 64 + 24, ElfRelocation.BPF_64_ABS64, elf.sectionSymbol(maps), 32);
        }
        else
        {
            elf.rel(maps, 64 + 24, ElfRelocation.BPF_64_ABS64, second);
        }
        elf.add(".BTF", ElfSection.PROGBITS, 0, types.bytes());
        return elf.bytes();
    }

    static List<byte[]> all()
    {
        return List.of(full(), legacy(), bare(), jumps("mov %r0, 1", 0, "drop"), nested(12, 4, false),
            nested(13, 4, true));
    }
}
