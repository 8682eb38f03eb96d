package io.ringtap.sys;

import java.lang.ref.Reference;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Bytes with descriptors over a UNIX stream socket. Used by one thread. Layouts of linux/socket.h, 64 bit:
 * <pre>
 *  msghdr   0 name 8 namelen 16 iov 24 iovlen 32 control 40 controllen 48 flags      56 in all
 *  cmsghdr  0 len (header included) 8 level 12 type 16 data...    each aligned to 8
 * </pre>
 */
public final class FdMessage
{
    private static final int IOV = 16;
    private static final int IOV_COUNT = 24;
    private static final int CONTROL = 32;
    private static final int CONTROL_LENGTH = 40;
    private static final int FLAGS = 48;
    private static final int HEADER_LENGTH = 56;

    private static final int CMSG_LEVEL = 8;
    private static final int CMSG_TYPE = 12;
    private static final int CMSG_DATA = 16;
    private static final int SCM_RIGHTS = 1;

    /** Room for exactly the descriptors of a list: with more the kernel sets MSG_CTRUNC. */
    private static final int CMSG_LENGTH = CMSG_DATA + FdList.CAPACITY * Integer.BYTES;

    private static final int IOV_AT = 64;
    private static final int CONTROL_AT = 80;

    private final UnsafeBuffer scratch = Memory.scratch(CONTROL_AT + CMSG_LENGTH);
    private final long base = Memory.addressOf(scratch);

    /**
     * Receives bytes and appends the descriptors that came with them.
     *
     * @param into native memory.
     * @param fds  may hold those of earlier bytes of the same message; when more came than fit, none at all is kept
     *             and {@link FdList#isTruncated()} is set.
     * @return bytes, 0 at the end of the stream, -EAGAIN, -ECONNRESET.
     */
    public int receive(
        final int fd, final MutableDirectBuffer into, final int offset, final int length, final FdList fds)
    {
        into.boundsCheck(offset, length);
        header(Memory.addressOf(into) + offset, length, CMSG_LENGTH);
        final long result = Kernel.call(SyscallNumber.RECVMSG, fd, base, Sockets.MSG_CMSG_CLOEXEC, 0, 0);
        Reference.reachabilityFence(into);
        if (result == -Errno.EAGAIN || result == -Errno.ECONNRESET)
        {
            return (int)result;
        }
        Syscalls.check("recvmsg", result, fd);
        takeDescriptors(fds);
        // MSG_CMSG_CLOEXEC comes back in the flags, so the one bit is tested.
        if (fds.isTruncated() || (scratch.getInt(FLAGS) & Sockets.MSG_CTRUNC) != 0)
        {
            fds.closeAll();
            fds.truncated();
        }
        return (int)result;
    }

    /**
     * Sends bytes; the descriptors go with the first of them.
     *
     * @return bytes taken, which may be fewer; or -EAGAIN, -EPIPE, -ECONNRESET: then no descriptor went either.
     */
    public int send(
        final int fd, final DirectBuffer from, final int offset, final int length, final int[] fds,
        final int fdCount)
    {
        if (fdCount > FdList.CAPACITY)
        {
            throw new IllegalArgumentException(fdCount + " descriptors, limit is " + FdList.CAPACITY);
        }
        from.boundsCheck(offset, length);
        final int controlLength = fdCount == 0 ? 0 : CMSG_DATA + fdCount * Integer.BYTES;
        header(Memory.addressOf(from) + offset, length, controlLength);
        scratch.putLong(CONTROL_AT, controlLength);
        scratch.putInt(CONTROL_AT + CMSG_LEVEL, Sockets.SOL_SOCKET);
        scratch.putInt(CONTROL_AT + CMSG_TYPE, SCM_RIGHTS);
        for (int i = 0; i < fdCount; i++)
        {
            scratch.putInt(CONTROL_AT + CMSG_DATA + i * Integer.BYTES, fds[i]);
        }
        final long result = Kernel.call(SyscallNumber.SENDMSG, fd, base, Sockets.MSG_NOSIGNAL, 0, 0);
        Reference.reachabilityFence(from);
        if (result == -Errno.EAGAIN || result == -Errno.EPIPE || result == -Errno.ECONNRESET)
        {
            return (int)result;
        }
        return (int)Syscalls.check("sendmsg", result, fd);
    }

    private void header(final long dataAddress, final int length, final int controlLength)
    {
        scratch.setMemory(0, HEADER_LENGTH, (byte)0);
        scratch.putLong(IOV, base + IOV_AT);
        scratch.putLong(IOV_COUNT, 1);
        scratch.putLong(CONTROL, controlLength == 0 ? 0 : base + CONTROL_AT);
        scratch.putLong(CONTROL_LENGTH, controlLength);
        scratch.putLong(IOV_AT, dataAddress);
        scratch.putLong(IOV_AT + 8, length);
    }

    private void takeDescriptors(final FdList fds)
    {
        final long end = scratch.getLong(CONTROL_LENGTH);
        long at = 0;
        // The kernel wrote these headers; lengths are held against the room all the same.
        while (at + CMSG_DATA <= end)
        {
            final long length = scratch.getLong(CONTROL_AT + (int)at);
            if (length < CMSG_DATA || length > end - at)
            {
                return;
            }
            if (scratch.getInt(CONTROL_AT + (int)at + CMSG_LEVEL) == Sockets.SOL_SOCKET &&
                scratch.getInt(CONTROL_AT + (int)at + CMSG_TYPE) == SCM_RIGHTS)
            {
                takeRights(CONTROL_AT + (int)at + CMSG_DATA, (int)(length - CMSG_DATA) / Integer.BYTES, fds);
            }
            at += length + 7 & ~7L;
        }
    }

    private void takeRights(final int at, final int count, final FdList fds)
    {
        for (int i = 0; i < count; i++)
        {
            final int number = scratch.getInt(at + i * Integer.BYTES);
            if (!fds.add(number))
            {
                Syscalls.close(number);
                fds.truncated();
            }
        }
    }
}
