package io.ringtap.port;

import io.ringtap.frag.FragAllocator;
import io.ringtap.sys.Fd;
import org.agrona.concurrent.UnsafeBuffer;

/** Makes the queues of a TAP, each with the way to the kernel that was asked for or that is to be had. */
final class TapQueues
{
    private final TapPort port;
    private final String ioText;

    TapQueues(final TapPort port, final PortIo io)
    {
        this.port = port;
        if (PortIo.URING == io)
        {
            throw new PortException("--io=uring", "not built yet", "use --io=syscall", null);
        }
        ioText = "a system call a frame";
    }

    TapQueue create(final int index, final Fd fd, final UnsafeBuffer arena, final FragAllocator allocator)
    {
        return new SyscallTapQueue(port, index, fd, arena, allocator, port.receiveLayout());
    }

    /** What was chosen and why, for people. */
    String ioText()
    {
        return ioText;
    }
}
