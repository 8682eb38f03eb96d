package io.ringtap.sys;

/**
 * The parts of struct stat (asm/stat.h) that a backend judges a descriptor by. Size and block size lie at the same
 * offsets on x86-64 and arm64.
 *
 * @param device    st_dev.
 * @param inode     st_ino.
 * @param size      st_size in bytes.
 * @param blockSize st_blksize: the page size of the file, so the huge page size on hugetlbfs.
 */
public record FileStatus(long device, long inode, long size, long blockSize)
{
    static final int LENGTH = 144;

    static FileStatus at(final long hostAddress)
    {
        return new FileStatus(
            Memory.getLong(hostAddress),
            Memory.getLong(hostAddress + 8),
            Memory.getLong(hostAddress + 48),
            Memory.getInt(hostAddress + 56));
    }
}
