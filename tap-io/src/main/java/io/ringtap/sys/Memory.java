package io.ringtap.sys;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Plain and ordered access to raw memory. Nothing here checks an address: the caller is the trust boundary, so only
 * the locked rooms may call the methods that take one.
 * <p>
 * All accesses are little endian because the host is; a big-endian host is refused when this class is loaded.
 */
public final class Memory
{
    private static final long PAGE = 4096;
    private static final int EPOLL_CTL_ADD = 1;

    /** Kept, so that it is made. */
    private static byte[][] nothing;

    static
    {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN)
        {
            throw new IllegalStateException("ringtap runs on little-endian hosts only");
        }
    }

    private Memory()
    {
    }

    public static byte getByte(final long hostAddress)
    {
        return UnsafeApi.getByte(hostAddress);
    }

    public static void putByte(final long hostAddress, final byte value)
    {
        UnsafeApi.putByte(hostAddress, value);
    }

    public static short getShort(final long hostAddress)
    {
        return UnsafeApi.getShort(hostAddress);
    }

    public static void putShort(final long hostAddress, final short value)
    {
        UnsafeApi.putShort(hostAddress, value);
    }

    public static int getInt(final long hostAddress)
    {
        return UnsafeApi.getInt(hostAddress);
    }

    public static void putInt(final long hostAddress, final int value)
    {
        UnsafeApi.putInt(hostAddress, value);
    }

    public static long getLong(final long hostAddress)
    {
        return UnsafeApi.getLong(hostAddress);
    }

    public static void putLong(final long hostAddress, final long value)
    {
        UnsafeApi.putLong(hostAddress, value);
    }

    /** Copies between two ranges that do not overlap. */
    public static void copy(final long fromAddress, final long toAddress, final long length)
    {
        UnsafeApi.copyMemory(fromAddress, toAddress, length);
    }

    public static void zero(final long hostAddress, final long length)
    {
        UnsafeApi.setMemory(hostAddress, length, (byte)0);
    }

    /** Reads a 16-bit index that another processor or the guest releases; the buffer's bounds are checked. */
    public static short shortAcquire(final DirectBuffer buffer, final int index)
    {
        if (DirectBuffer.SHOULD_BOUNDS_CHECK)
        {
            buffer.boundsCheck(index, Short.BYTES);
        }
        return UnsafeApi.getShortAcquire(buffer.byteArray(), buffer.addressOffset() + index);
    }

    /** Publishes a 16-bit index: every store before it is seen by whoever acquires it. */
    public static void shortRelease(final DirectBuffer buffer, final int index, final short value)
    {
        if (DirectBuffer.SHOULD_BOUNDS_CHECK)
        {
            buffer.boundsCheck(index, Short.BYTES);
        }
        UnsafeApi.putShortRelease(buffer.byteArray(), buffer.addressOffset() + index, value);
    }

    public static int intAcquire(final long hostAddress)
    {
        return UnsafeApi.getIntAcquire(null, hostAddress);
    }

    public static void intRelease(final long hostAddress, final int value)
    {
        UnsafeApi.putIntRelease(null, hostAddress, value);
    }

    /** Orders every access before against every access after, store before load included. */
    public static void fullFence()
    {
        UnsafeApi.fullFence();
    }

    /** Orders loads and stores before against stores after. */
    public static void storeFence()
    {
        UnsafeApi.storeFence();
    }

    /** Orders loads before against loads and stores after. */
    public static void loadFence()
    {
        UnsafeApi.loadFence();
    }

    /**
     * Where a native buffer begins.
     *
     * @throws IllegalArgumentException for a buffer over a Java array: the collector may move it.
     */
    public static long addressOf(final DirectBuffer buffer)
    {
        if (buffer.byteArray() != null)
        {
            throw new IllegalArgumentException("buffer lies on the Java heap, the kernel needs native memory");
        }
        return buffer.addressOffset();
    }

    /**
     * Whether the page of an address of ours can be read, found out by the kernel: no SIGBUS comes of it. For a mapping
     * whose file may have been cut short.
     */
    public static boolean isReadable(final long hostAddress)
    {
        // epoll_ctl copies the event, 12 bytes, before it looks at its descriptors, of which there are none.
        final long page = hostAddress & -PAGE;
        return -Errno.EFAULT != Kernel.control(SyscallNumber.EPOLL_CTL, -1, EPOLL_CTL_ADD, -1, page);
    }

    /**
     * Has the JVM tell now of pages that could not be read or written (SIGBUS) before. HotSpot throws when the thread
     * next enters the VM, and before version 19 nothing but that makes it: the thread may be at something else by then.
     * An array of arrays is made by the VM, whatever compiled this method.
     *
     * @throws InternalError for what happened before.
     */
    public static void tellFaults()
    {
        nothing = new byte[0][0];
    }

    /** Zeroed native memory for arguments of system calls, 16-byte aligned, freed with the buffer. */
    public static UnsafeBuffer scratch(final int length)
    {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(length + 16).alignedSlice(16), 0, length);
    }

    /** Zeroed native memory that the caller gives back with {@link #free(long)}. */
    static long allocate(final long length)
    {
        final long hostAddress = UnsafeApi.allocateMemory(length);
        zero(hostAddress, length);
        return hostAddress;
    }

    static void free(final long hostAddress)
    {
        UnsafeApi.freeMemory(hostAddress);
    }
}
