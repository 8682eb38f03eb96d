package io.ringtap.xdp.bpf.elf;

/**
 * A section of an ELF file.
 *
 * @param index   its number in the file.
 * @param type    SHT_...
 * @param flags   SHF_...
 * @param size    bytes; of NOBITS they are not in the file.
 * @param link    for symbols: the section of their names; for relocations: that of their symbols.
 * @param info    for relocations: the section they are for.
 * @param content its bytes; none for NOBITS.
 */
record ElfSection(int index, String name, int type, long flags, long size, long link, long info, FileBytes content)
{
    static final int PROGBITS = 1;
    static final int SYMTAB = 2;
    static final int STRTAB = 3;
    static final int RELA = 4;
    static final int NOBITS = 8;
    static final int REL = 9;

    private static final long ALLOC = 2;
    private static final long EXECINSTR = 4;

    /** Whether it holds instructions. */
    boolean isCode()
    {
        return PROGBITS == type && (flags & EXECINSTR) != 0;
    }

    /** Whether it holds variables: .data, .rodata, .bss, and whatever else a programmer made. */
    boolean isData()
    {
        return (PROGBITS == type || NOBITS == type) && (flags & EXECINSTR) == 0 && (flags & ALLOC) != 0;
    }

    /** Whether its name is that, or that and something behind a dot: {@code .rodata.str1.1}. */
    boolean isNamed(final String base)
    {
        return name.equals(base) || name.startsWith(base + ".");
    }

    /** Whether it holds declarations of maps. */
    boolean isMaps()
    {
        return ".maps".equals(name) || "maps".equals(name);
    }
}
