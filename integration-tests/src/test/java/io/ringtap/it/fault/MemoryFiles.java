package io.ringtap.it.fault;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Kernel;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.SyscallNumber;
import io.ringtap.sys.Syscalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Files for guests' memory, of every kind. Two of them need file systems of their own, which a process mounts that
 * nobody else sees the mounts of; they go with it.
 */
final class MemoryFiles implements AutoCloseable
{
    static final int HUGE_PAGE = 2 << 20;
    /** What a guest's memory may take, whatever it is made of. */
    static final int SIZE = 3 * HUGE_PAGE;
    private static final int HOLE = 1 << 18;
    private static final int PUNCH_AND_KEEP_SIZE = 3;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Path HUGE_PAGES = Path.of("/proc/sys/vm/nr_hugepages");
    private static final String MEMORY = "memory";
    private static final String FILLER = "filler";

    private final UnsafeBuffer zeros = Memory.scratch(1 << 16);
    private final Path disk;
    private final Path mounts;
    private final int hugePagesBefore;
    private final Thread hook;
    private final Set<MemoryKind> kinds = EnumSet.allOf(MemoryKind.class);

    MemoryFiles(final Lab lab)
    {
        disk = lab.file(MEMORY);
        hugePagesBefore = number();
        hook = new Thread(this::giveBack);
        Runtime.getRuntime().addShutdownHook(hook);
        HostFiles.write(HUGE_PAGES, Integer.toString(hugePagesBefore + SIZE / HUGE_PAGE));
        final HostProcess holder = lab.start("mounts", "unshare", "-m", "sh", "-c",
            "mount -t tmpfs -o size=" + (SIZE + (1 << 20)) + " tmpfs /mnt && mkdir /mnt/huge && " +
            "mount -t hugetlbfs hugetlbfs /mnt/huge && touch /mnt/ready; exec sleep infinity");
        mounts = Path.of("/proc", Long.toString(holder.pid()), "root/mnt");
        Await.until("the mounts", LIMIT, () -> Files.exists(mounts.resolve("ready")));
        if (number() < hugePagesBefore + SIZE / HUGE_PAGE)
        {
            Progress.say("memory taken away: left out, because the machine has no huge pages to give: " +
                MemoryKind.HUGE_PAGES);
            kinds.remove(MemoryKind.HUGE_PAGES);
        }
    }

    /** What this machine has. */
    Set<MemoryKind> kinds()
    {
        return kinds;
    }

    /** A new file of {@link #SIZE} zeros. */
    Fd create(final MemoryKind kind)
    {
        if (MemoryKind.MEMFD == kind)
        {
            final Fd file = MemFd.create("loose-memory", SIZE);
            MemFd.seal(file.number(), MemFd.F_SEAL_SEAL);
            return file;
        }
        final Path path = path(kind);
        HostFiles.delete(path);
        final Fd file = Syscalls.open(path.toString(), Fcntl.O_RDWR | Fcntl.O_CREAT, 0600);
        Syscalls.ftruncate(file.number(), SIZE);
        if (MemoryKind.HOLE == kind)
        {
            // Every page is there, and then nothing more fits.
            Syscalls.fallocate(file.number(), 0, SIZE);
            fill();
        }
        return file;
    }

    /** Takes what lies behind an offset away, or for a hole 256 KiB of it. */
    void takeAway(final MemoryKind kind, final Fd file, final int offset)
    {
        if (MemoryKind.HOLE == kind)
        {
            Kernel.call(SyscallNumber.FALLOCATE, file.number(), PUNCH_AND_KEEP_SIZE, offset, HOLE, 0);
            fill();
        }
        else
        {
            Syscalls.ftruncate(file.number(), MemoryKind.HUGE_PAGES == kind ? offset & -HUGE_PAGE : offset);
        }
    }

    /** Zeros can be read again wherever something was. */
    void restore(final MemoryKind kind, final Fd file)
    {
        if (MemoryKind.HOLE == kind)
        {
            HostFiles.delete(mounts.resolve(FILLER));
        }
        else
        {
            Syscalls.ftruncate(file.number(), SIZE);
        }
    }

    void remove(final MemoryKind kind)
    {
        if (MemoryKind.MEMFD != kind)
        {
            HostFiles.delete(path(kind));
            HostFiles.delete(mounts.resolve(FILLER));
        }
    }

    @Override
    public void close()
    {
        giveBack();
        Runtime.getRuntime().removeShutdownHook(hook);
    }

    private Path path(final MemoryKind kind)
    {
        return switch (kind)
        {
            case SHM -> Path.of("/dev/shm", "rt-it-" + ProcessHandle.current().pid());
            case DISK -> disk;
            case HUGE_PAGES -> mounts.resolve("huge").resolve(MEMORY);
            default -> mounts.resolve(MEMORY);
        };
    }

    private void fill()
    {
        try (Fd filler = Syscalls.open(mounts.resolve(FILLER).toString(),
            Fcntl.O_WRONLY | Fcntl.O_CREAT | Fcntl.O_APPEND, 0600))
        {
            while (0 < Syscalls.write(filler.number(), zeros, 0, zeros.capacity()))
            {
                // Until there is no room.
            }
        }
    }

    private void giveBack()
    {
        HostFiles.write(HUGE_PAGES, Integer.toString(hugePagesBefore));
    }

    private static int number()
    {
        return Integer.parseInt(HostFiles.read(HUGE_PAGES).strip());
    }
}
