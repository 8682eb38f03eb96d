package io.ringtap.sys;

/** Numbers of asm-generic/mman-common.h, asm-generic/mman.h and linux/mman.h. */
public final class Mman
{
    public static final int PROT_NONE = 0;
    public static final int PROT_READ = 1;
    public static final int PROT_WRITE = 2;

    public static final int MAP_SHARED = 0x01;
    public static final int MAP_PRIVATE = 0x02;
    public static final int MAP_FIXED = 0x10;
    public static final int MAP_ANONYMOUS = 0x20;
    public static final int MAP_LOCKED = 0x2000;
    public static final int MAP_NORESERVE = 0x4000;
    public static final int MAP_POPULATE = 0x8000;
    public static final int MAP_HUGETLB = 0x40000;

    static final int MADV_HUGEPAGE = 14;
    static final int MADV_DONTDUMP = 16;
    static final int MADV_POPULATE_WRITE = 23;

    private Mman()
    {
    }
}
