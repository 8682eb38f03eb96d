package io.ringtap.sys.uring;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Kernel;
import io.ringtap.sys.Memory;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.SyscallNumber;
import io.ringtap.sys.Syscalls;
import io.ringtap.sys.WideCall;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One io_uring: operations are queued, one {@link #submit()} hands them all to the kernel, completions are read by
 * index and given back by {@link #advance(int)}. Nothing is allocated after {@link #open}.
 * <p>
 * A {@code file} is a descriptor or {@link #registered(int)}. Queuing answers false when there is no room: then submit
 * and take completions. Never more operations are under way than the completion ring holds, so it cannot overflow but
 * by multishot polls.
 * <p>
 * Used by one thread. With {@link #SINGLE_ISSUER} the first thread that submits owns the ring for good, whoever opened
 * it; registering is for the time before or for that thread. Closed by that thread or after its end.
 */
public final class IoUring implements AutoCloseable
{
    /** One thread alone submits: cheaper locking in the kernel (Linux 6.0). */
    public static final int SINGLE_ISSUER = UringAbi.IORING_SETUP_SINGLE_ISSUER;
    /** Completions are worked off when the owner asks, never in between (Linux 6.1); implies SINGLE_ISSUER. */
    public static final int DEFER_TASKRUN = UringAbi.IORING_SETUP_DEFER_TASKRUN | SINGLE_ISSUER;
    /** The owner is not interrupted for completions, they wait for its next kernel entry (Linux 5.19). */
    public static final int COOP_TASKRUN = UringAbi.IORING_SETUP_COOP_TASKRUN;

    /** RWF_NOWAIT of linux/fs.h: -EAGAIN instead of arming a poll. io_uring does not look at O_NONBLOCK of a TAP. */
    public static final int NOWAIT = 0x8;

    private static final int MAX_ENTRIES = 32768;

    private final RingMemory ring;
    private final Registration registration;
    private final WideCall timedEnter = new WideCall();
    private final UnsafeBuffer waitArgument;
    private final long waitAddress;
    private final int ringNumber;
    private final SubmissionRing submissions;
    private final CompletionRing completions;
    private final int enterFlags;
    private boolean isEnabled;
    private boolean hasMultishot;
    private int owner;
    private int inFlight;
    private long enters;

    private IoUring(final RingMemory ring)
    {
        this.ring = ring;
        ringNumber = ring.fd.number();
        registration = new Registration(ringNumber);
        waitArgument = Memory.scratch(UringAbi.ARGUMENT_LENGTH + UringAbi.TIME_LENGTH);
        waitAddress = Memory.addressOf(waitArgument);
        waitArgument.putLong(UringAbi.ARGUMENT_TIME, waitAddress + UringAbi.ARGUMENT_LENGTH);
        submissions = new SubmissionRing(ring);
        completions = new CompletionRing(ring);
        // A ring that defers its work does it only when asked for events.
        enterFlags = (ring.flags & UringAbi.IORING_SETUP_DEFER_TASKRUN) != 0 ? UringAbi.IORING_ENTER_GETEVENTS : 0;
        isEnabled = (ring.flags & UringAbi.IORING_SETUP_R_DISABLED) == 0;
    }

    /** A ring whose completion ring is twice as large. */
    public static IoUring open(final int entries, final int flags)
    {
        return open(entries, 2 * entries, flags);
    }

    /**
     * @param entries   operations per submission, rounded up to a power of two.
     * @param cqEntries operations under way, rounded up to a power of two, at least {@code entries}.
     * @param flags     hints of this class; what the kernel does not know is left out, see {@link #flags()}.
     * @throws SyscallException when the kernel refuses; {@link #probe()} says why.
     */
    public static IoUring open(final int entries, final int cqEntries, final int flags)
    {
        if (entries <= 0 || entries > MAX_ENTRIES || cqEntries < entries || cqEntries > 2 * MAX_ENTRIES)
        {
            throw new IllegalArgumentException(
                "ring of " + entries + " and " + cqEntries + " entries, limits are 1.." + MAX_ENTRIES);
        }
        int hints = flags | UringAbi.IORING_SETUP_SUBMIT_ALL;
        if ((flags & SINGLE_ISSUER) != 0)
        {
            // Disabled until first use, so that the using thread and not the opening one becomes the issuer.
            hints |= UringAbi.IORING_SETUP_R_DISABLED;
        }
        if ((flags & (COOP_TASKRUN | UringAbi.IORING_SETUP_DEFER_TASKRUN)) != 0)
        {
            hints |= UringAbi.IORING_SETUP_TASKRUN_FLAG;
        }
        return new IoUring(RingMemory.open(entries, cqEntries, hints));
    }

    /** @return null when io_uring works here, else the reason in words. */
    public static String probe()
    {
        return UringProbe.reason();
    }

    /** @param index into what {@link #registerFiles} was given. @return what to pass as {@code file}. */
    public static int registered(final int index)
    {
        return index | SubmissionRing.REGISTERED;
    }

    /** Hints that the kernel took. */
    public int flags()
    {
        return ring.flags & (SINGLE_ISSUER | DEFER_TASKRUN | COOP_TASKRUN);
    }

    /** The ring's own descriptor: readable when there are completions, for a poll. */
    public int number()
    {
        return ring.fd.number();
    }

    /** Makes descriptors known once: operations on {@link #registered} files save the kernel its look-up. */
    public void registerFiles(final int... fds)
    {
        registration.files(fds);
    }

    /** Replaces one registered file; -1 leaves the place empty. */
    public void registerFile(final int index, final int fd)
    {
        registration.file(index, fd);
    }

    /**
     * Pins memory for the fixed operations. One buffer is at most 1 GiB, so a larger range becomes several: buffer i
     * begins at {@code i << 30}.
     *
     * @return 0, or -ENOMEM, -EPERM when the host's limit on locked memory refuses: do without.
     */
    public int registerBuffers(final long hostAddress, final long length)
    {
        return registration.buffers(hostAddress, length);
    }

    public boolean nop(final long userData)
    {
        return queue(UringAbi.IORING_OP_NOP, -1, 0, 0, 0, 0, 0, userData);
    }

    /** Reads when there is something: stays posted on a TAP, pipe or eventfd until then. */
    public boolean read(final int file, final long hostAddress, final int length, final long userData)
    {
        return queue(UringAbi.IORING_OP_READ, file, 0, hostAddress, length, 0, 0, userData);
    }

    /** @param rwFlags {@link #NOWAIT} or 0. @param fileOffset for files; devices and pipes ignore it. */
    public boolean read(
        final int file, final long hostAddress, final int length, final long fileOffset, final int rwFlags,
        final long userData)
    {
        return queue(UringAbi.IORING_OP_READ, file, fileOffset, hostAddress, length, rwFlags, 0, userData);
    }

    /** The array of vectors is read by submit(), the memory they name until completion. */
    public boolean readv(
        final int file, final long vectorsAddress, final int count, final int rwFlags, final long userData)
    {
        return queue(UringAbi.IORING_OP_READV, file, 0, vectorsAddress, count, rwFlags, 0, userData);
    }

    /** @param buffer number of the registered buffer that holds the whole range. */
    public boolean readFixed(
        final int file, final int buffer, final long hostAddress, final int length, final int rwFlags,
        final long userData)
    {
        return queue(UringAbi.IORING_OP_READ_FIXED, file, 0, hostAddress, length, rwFlags, buffer, userData);
    }

    public boolean write(final int file, final long hostAddress, final int length, final long userData)
    {
        return queue(UringAbi.IORING_OP_WRITE, file, 0, hostAddress, length, 0, 0, userData);
    }

    /** @param rwFlags {@link #NOWAIT} or 0. @param fileOffset for files; devices and pipes ignore it. */
    public boolean write(
        final int file, final long hostAddress, final int length, final long fileOffset, final int rwFlags,
        final long userData)
    {
        return queue(UringAbi.IORING_OP_WRITE, file, fileOffset, hostAddress, length, rwFlags, 0, userData);
    }

    /** The array of vectors is read by submit(), the memory they name until completion. */
    public boolean writev(
        final int file, final long vectorsAddress, final int count, final int rwFlags, final long userData)
    {
        return queue(UringAbi.IORING_OP_WRITEV, file, 0, vectorsAddress, count, rwFlags, 0, userData);
    }

    /** @param buffer number of the registered buffer that holds the whole range. */
    public boolean writeFixed(
        final int file, final int buffer, final long hostAddress, final int length, final int rwFlags,
        final long userData)
    {
        return queue(UringAbi.IORING_OP_WRITE_FIXED, file, 0, hostAddress, length, rwFlags, buffer, userData);
    }

    /** Completes once with the {@link io.ringtap.sys.Poll} bits that came. */
    public boolean pollAdd(final int file, final int mask, final long userData)
    {
        return queue(UringAbi.IORING_OP_POLL_ADD, file, 0, 0, 0, mask, 0, userData);
    }

    /** Completes each time events come, while {@link #hasMore} says so (Linux 5.13). */
    public boolean pollMultishot(final int file, final int mask, final long userData)
    {
        hasMultishot = true;
        return queue(UringAbi.IORING_OP_POLL_ADD, file, 0, 0, UringAbi.IORING_POLL_ADD_MULTI, mask, 0, userData);
    }

    /** Ends a poll by the user data it was added with; that poll completes with -ECANCELED. */
    public boolean pollRemove(final long target, final long userData)
    {
        return queue(UringAbi.IORING_OP_POLL_REMOVE, -1, 0, target, 0, 0, 0, userData);
    }

    /** Ends any one operation by its user data; it completes with -ECANCELED unless it was done before. */
    public boolean cancel(final long target, final long userData)
    {
        return queue(UringAbi.IORING_OP_ASYNC_CANCEL, -1, 0, target, 0, 0, 0, userData);
    }

    /** Ends every operation under way (Linux 5.19). */
    public boolean cancelAll(final long userData)
    {
        return queue(UringAbi.IORING_OP_ASYNC_CANCEL, -1, 0, 0, 0,
            UringAbi.IORING_ASYNC_CANCEL_ANY | UringAbi.IORING_ASYNC_CANCEL_ALL, 0, userData);
    }

    /** Operations that can be queued before the next submit. */
    public int room()
    {
        return Math.min(ring.sqEntries - submissions.queued(), ring.cqEntries - inFlight);
    }

    /** Operations queued and not yet submitted. */
    public int queued()
    {
        return submissions.queued();
    }

    /** Operations queued or under way whose completion was not given back yet. */
    public int inFlight()
    {
        return inFlight;
    }

    /**
     * Hands what is queued to the kernel, one entry; none when nothing is queued.
     *
     * @return operations taken; what was not, since the kernel is short of memory, stays queued for the next submit.
     */
    public int submit()
    {
        return submissions.queued() == 0 ? 0 : enter(0, enterFlags);
    }

    /** As {@link #submit()}, and waits for this many completions; a signal ends the wait early. */
    public int submitAndWait(final int min)
    {
        return enter(min, UringAbi.IORING_ENTER_GETEVENTS);
    }

    /** As {@link #submitAndWait(int)}, for this time at most; {@link #ready()} tells what came. */
    public int submitAndWait(final int min, final long timeoutNs)
    {
        waitArgument.putLong(UringAbi.ARGUMENT_LENGTH, timeoutNs / 1_000_000_000L);
        waitArgument.putLong(UringAbi.ARGUMENT_LENGTH + 8, timeoutNs % 1_000_000_000L);
        prepare();
        final long result = timedEnter.callOnce(SyscallNumber.IO_URING_ENTER, ringNumber, submissions.queued(), min,
            UringAbi.IORING_ENTER_GETEVENTS | UringAbi.IORING_ENTER_EXT_ARG, waitAddress, UringAbi.ARGUMENT_LENGTH);
        // Mostly the time has run out; whatever else it was, an entry without waiting fails in the same way.
        return result >= 0 ? submissions.settle() : enter(0, UringAbi.IORING_ENTER_GETEVENTS);
    }

    /** Completions that can be read. Enters the kernel only when that holds some back: deferred work, overflow. */
    public int ready()
    {
        if (completions.ready() == 0 && submissions.hasHeldBack())
        {
            enter(0, UringAbi.IORING_ENTER_GETEVENTS);
        }
        return completions.ready();
    }

    /** Whether completions wait here or in the kernel; never enters it, so it can be asked in a busy loop. */
    public boolean isSignalled()
    {
        return completions.ready() != 0 || submissions.hasHeldBack();
    }

    /** What completion i of {@link #ready()} was queued with. */
    public long userData(final int i)
    {
        return completions.userData(i);
    }

    /** Bytes, poll bits, or a negative errno. */
    public int result(final int i)
    {
        return completions.result(i);
    }

    /** The operation goes on: more completions with the same user data will come. */
    public boolean hasMore(final int i)
    {
        return completions.hasMore(i);
    }

    /** Gives the first n completions back to the kernel. */
    public void advance(final int n)
    {
        inFlight -= hasMultishot ? n - completions.countMore(n) : n;
        completions.advance(n);
    }

    /** Times the kernel was entered for this ring. */
    public long enters()
    {
        return enters;
    }

    /** Completions that the kernel lost, short of memory for its overflow list; 0 unless something is very wrong. */
    public int overflow()
    {
        return completions.overflow();
    }

    /** Cancels what is under way, waits for its end, then unmaps: the kernel writes nowhere any more after this. */
    @Override
    public void close()
    {
        if (ring.fd.isOpen())
        {
            try (ring)
            {
                new UringTeardown(this, owner).quiesce();
            }
        }
    }

    /** Forgets what is queued and not submitted. */
    public void forgetQueued()
    {
        inFlight -= submissions.drop();
    }

    boolean isEnabled()
    {
        return isEnabled;
    }

    private boolean queue(
        final int opcode, final int file, final long offset, final long address, final int length,
        final int opFlags, final int buffer, final long userData)
    {
        if (submissions.isFull() || inFlight >= ring.cqEntries)
        {
            return false;
        }
        submissions.put(opcode, file, offset, address, length, opFlags, buffer, userData);
        inFlight++;
        return true;
    }

    private int enter(final int min, final int flags)
    {
        prepare();
        // Without a signal mask (the null) and EXT_ARG the kernel does not look at the sixth argument.
        final long result = Kernel.callOnce(
            SyscallNumber.IO_URING_ENTER, ringNumber, submissions.queued(), min, flags, 0);
        if (result < 0 && result != -Errno.EAGAIN && result != -Errno.EBUSY && result != -Errno.EINTR)
        {
            throw new SyscallException("io_uring_enter", (int)-result, ring.fd);
        }
        return submissions.settle();
    }

    private void prepare()
    {
        if (!isEnabled)
        {
            registration.enable();
            owner = Syscalls.gettid();
            isEnabled = true;
        }
        submissions.publish();
        enters++;
    }
}
