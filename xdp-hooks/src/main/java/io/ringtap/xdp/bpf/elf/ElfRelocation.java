package io.ringtap.xdp.bpf.elf;

/**
 * A place in a section that depends on where a symbol is.
 *
 * @param offset    of the place in its section.
 * @param type      R_BPF_...
 * @param hasAddend whether the addend is here (RELA), and not in the place itself (REL).
 */
record ElfRelocation(long offset, int type, ElfSymbol symbol, boolean hasAddend, long addend)
{
    /** A wide instruction; in data of old compilers eight bytes. */
    static final int BPF_64_64 = 1;
    /** Eight bytes of data. */
    static final int BPF_64_ABS64 = 2;
    /** Four bytes of data. */
    static final int BPF_64_ABS32 = 3;
    /** Four bytes of .BTF and .BTF.ext, which readers work out themselves. */
    static final int BPF_64_NODYLD32 = 4;
    /** The immediate of a call; in data of old compilers four bytes. */
    static final int BPF_64_32 = 10;

    /** Its name, for messages. */
    String typeName()
    {
        return switch (type)
        {
            case BPF_64_64 -> "R_BPF_64_64";
            case BPF_64_ABS64 -> "R_BPF_64_ABS64";
            case BPF_64_ABS32 -> "R_BPF_64_ABS32";
            case BPF_64_NODYLD32 -> "R_BPF_64_NODYLD32";
            case BPF_64_32 -> "R_BPF_64_32";
            default -> "of type " + type;
        };
    }
}
