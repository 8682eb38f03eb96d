package io.ringtap.port;

import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.Fd;
import io.ringtap.sys.uring.IoUring;
import org.agrona.concurrent.UnsafeBuffer;

/** Makes the queues of a TAP, each with the way to the kernel that was asked for or that is to be had. */
final class TapQueues
{
    private final TapPort port;
    private final boolean isUring;
    private final String ioText;

    TapQueues(final TapPort port, final PortIo io)
    {
        this.port = port;
        final String refusal = PortIo.SYSCALL == io ? "as asked" : IoUring.probe();
        if (PortIo.URING == io && null != refusal)
        {
            throw new PortException("--io=uring", refusal, "allow io_uring to this process, or use --io=auto", null);
        }
        isUring = null == refusal;
        ioText = isUring ? "io_uring" : "a system call a frame (" + refusal + ")";
    }

    TapQueue create(final int index, final Fd fd, final UnsafeBuffer arena, final FragAllocator allocator)
    {
        final ReceiveLayout layout = port.receiveLayout();
        return isUring ? new UringTapQueue(port, index, fd, arena, allocator, layout) :
            new SyscallTapQueue(port, index, fd, arena, allocator, layout);
    }

    /** What was chosen and why, for people. */
    String ioText()
    {
        return ioText;
    }
}
