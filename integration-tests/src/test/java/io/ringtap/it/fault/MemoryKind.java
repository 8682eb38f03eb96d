package io.ringtap.it.fault;

/** Memory that nobody can keep its owner from taking away. */
enum MemoryKind
{
    /** A memory file that its maker closed to further seals. */
    MEMFD,
    /** A file of the kernel's own tmpfs, which has no seals. */
    SHM,
    /** A file on a disk. */
    DISK,
    /** Huge pages, cut short by whole ones. */
    HUGE_PAGES,
    /** A hole in a file whose file system has no room left: the file stays as long as it was. */
    HOLE
}
