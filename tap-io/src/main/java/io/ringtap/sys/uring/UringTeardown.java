package io.ringtap.sys.uring;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Kernel;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.SyscallNumber;
import io.ringtap.sys.Syscalls;

/**
 * Brings a ring to rest before it is closed. Closing the descriptor alone cancels later, in the background: a read
 * still posted could land in memory that has a new owner by then.
 */
final class UringTeardown
{
    private static final long STEP_NS = 20_000_000L;
    private static final int STEPS = 100;

    private final IoUring uring;
    private final int owner;

    UringTeardown(final IoUring uring, final int owner)
    {
        this.uring = uring;
        this.owner = owner;
    }

    void quiesce()
    {
        uring.forgetQueued();
        if (!uring.isEnabled())
        {
            return;
        }
        try
        {
            cancel();
        }
        catch (final SyscallException e)
        {
            if (e.errno() != Errno.EEXIST)
            {
                throw e;
            }
            awaitOwnersEnd();
        }
    }

    private void cancel()
    {
        for (int step = 0; step < STEPS; step++)
        {
            uring.advance(uring.ready());
            if (uring.inFlight() == 0)
            {
                return;
            }
            uring.cancelAll(0);
            uring.submitAndWait(1, STEP_NS);
            if (uring.ready() > 0 && uring.result(0) == -Errno.EINVAL)
            {
                // Before Linux 5.19 nobody can name all operations at once: the kernel does it after the close.
                return;
            }
        }
    }

    /** The kernel cancels instead of executing what a dead thread left behind, so its end is all there is to see. */
    private void awaitOwnersEnd()
    {
        for (int step = 0; step < STEPS; step++)
        {
            if (Kernel.call(SyscallNumber.TGKILL, Syscalls.getpid(), owner, 0, 0, 0) == -Errno.ESRCH)
            {
                return;
            }
            Syscalls.poll(-1, 0, 20);
        }
        throw new IllegalStateException("ring closed while thread " + owner + " owns it");
    }
}
