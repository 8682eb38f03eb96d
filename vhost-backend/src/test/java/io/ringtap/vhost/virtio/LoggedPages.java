package io.ringtap.vhost.virtio;

import java.util.Arrays;
import java.util.BitSet;

import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.guest.DirtyLog;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Holds a dirty log against the truth: what of the guest's memory differs from what it was before must be marked. The
 * device's turn goes between {@link #before} and {@link #unmarked}; the driver writes outside of it.
 */
public final class LoggedPages implements AutoCloseable
{
    private static final int PAGE = 4096;

    private final Fd file;
    private final Mapping mapping;
    private final DirtyLog log;
    private final UnsafeBuffer guest;
    private final long guestAddress;
    private final byte[] snapshot;

    public LoggedPages(final UnsafeBuffer guest, final long guestAddress)
    {
        this.guest = guest;
        this.guestAddress = guestAddress;
        snapshot = new byte[guest.capacity()];
        final int size = (int)((guestAddress + guest.capacity()) / PAGE / 8) + 1;
        file = MemFd.create("log", size);
        mapping = Mapping.shared(file.number(), 0, size, "log");
        log = DirtyLog.map(Fd.of(Syscalls.dup(file.number()).release()), size, 0);
    }

    public DirtyLog log()
    {
        return log;
    }

    /** The device's turn begins. */
    public void before()
    {
        guest.getBytes(0, snapshot);
        mapping.buffer().setMemory(0, mapping.buffer().capacity(), (byte)0);
    }

    /** Pages, counted from the beginning of the guest's memory, that were written and are not marked. */
    public BitSet unmarked()
    {
        final BitSet written = written();
        written.andNot(marked());
        return written;
    }

    public BitSet written()
    {
        final BitSet pages = new BitSet();
        final byte[] now = new byte[PAGE];
        for (int page = 0; page < snapshot.length / PAGE; page++)
        {
            guest.getBytes(page * PAGE, now);
            pages.set(page, !Arrays.equals(now, 0, PAGE, snapshot, page * PAGE, (page + 1) * PAGE));
        }
        return pages;
    }

    public BitSet marked()
    {
        final byte[] copy = new byte[mapping.buffer().capacity()];
        mapping.buffer().getBytes(0, copy);
        final BitSet all = BitSet.valueOf(copy);
        final int first = (int)(guestAddress / PAGE);
        return all.get(first, first + snapshot.length / PAGE);
    }

    @Override
    public void close()
    {
        log.close();
        mapping.close();
        file.close();
    }
}
