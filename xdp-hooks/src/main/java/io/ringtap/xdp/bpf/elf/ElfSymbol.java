package io.ringtap.xdp.bpf.elf;

/**
 * A symbol of an ELF file.
 *
 * @param name    may be empty.
 * @param type    STT_...
 * @param binding STB_...
 * @param section number of the section it lies in, or {@link #UNDEFINED}, or one of the reserved numbers.
 * @param value   where in its section.
 * @param size    bytes; 0 when nobody said.
 */
record ElfSymbol(String name, int type, int binding, int section, long value, long size)
{
    static final int UNDEFINED = 0;
    static final int OBJECT = 1;
    static final int FUNC = 2;
    static final int SECTION = 3;
    private static final int LOCAL = 0;
    private static final int WEAK = 2;

    boolean isLocal()
    {
        return LOCAL == binding;
    }

    boolean isWeak()
    {
        return WEAK == binding;
    }

    boolean isFunction()
    {
        return FUNC == type;
    }
}
