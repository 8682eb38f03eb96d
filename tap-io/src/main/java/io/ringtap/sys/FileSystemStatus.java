package io.ringtap.sys;

/**
 * The parts of struct statfs (asm-generic/statfs.h) that say where a file lives.
 *
 * @param type      f_type, a number of linux/magic.h.
 * @param blockSize f_bsize: the huge page size on hugetlbfs.
 */
public record FileSystemStatus(long type, long blockSize)
{
    /** HUGETLBFS_MAGIC of linux/magic.h. */
    public static final long HUGETLBFS = 0x958458f6L;

    /** TMPFS_MAGIC of linux/magic.h; also what a memfd without huge pages says. */
    public static final long TMPFS = 0x01021994L;

    static final int LENGTH = 120;

    public boolean isHuge()
    {
        return type == HUGETLBFS;
    }

    static FileSystemStatus at(final long hostAddress)
    {
        return new FileSystemStatus(Memory.getLong(hostAddress), Memory.getLong(hostAddress + 8));
    }
}
