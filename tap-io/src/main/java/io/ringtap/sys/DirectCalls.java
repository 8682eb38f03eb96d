package io.ringtap.sys;

import java.util.Arrays;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.LastError;
import com.kenai.jffi.Library;
import com.kenai.jffi.Type;

/**
 * The calls of the data path: syscall(2) with up to five arguments, and mmap(2), which has one argument too many for
 * it, by jffi, the engine under jnr-ffi.
 * <p>
 * Six integers in registers, nothing allocated, no class generated. A jnr-ffi function of seven arguments would go
 * through an array of arguments, which costs as much again as a system call; one of six gets a wrong sixth.
 */
final class DirectCalls
{
    private static final int ARGUMENTS = 6;
    private static final Invoker INVOKER = Invoker.getInstance();
    private static final LastError LAST_ERROR = LastError.getInstance();
    private static final CallContext SIX = integers(ARGUMENTS);
    private static final long SYSCALL = address("syscall");

    private DirectCalls()
    {
    }

    static long syscall(final long number, final long a, final long b, final long c, final long d, final long e)
    {
        return INVOKER.invokeN6(SIX, SYSCALL, number, a, b, c, d, e);
    }

    static long mmap(
        final long hint, final long length, final int protection, final int flags, final int fd, final long offset)
    {
        return INVOKER.invokeN6(SIX, Mmap.ADDRESS, hint, length, protection, flags, fd, offset);
    }

    /** A function of the C library with up to three integers or addresses; its errno is {@link #lastErrno}. */
    static long function(final String name, final long a, final long b, final long c)
    {
        return INVOKER.invokeN6(SIX, address(name), a, b, c, 0, 0, 0);
    }

    /**
     * Any number of integers, by their addresses; errno is not kept.
     *
     * @param arguments address of each.
     * @param result    address of the result.
     */
    static void syscall(final CallContext context, final long[] arguments, final long result)
    {
        INVOKER.invoke(context, SYSCALL, result, arguments);
    }

    /** The calling thread's errno after its last call here. */
    static int lastErrno()
    {
        return LAST_ERROR.get();
    }

    /** A function of so many integers, all eight bytes wide. */
    static CallContext integers(final int count)
    {
        final Type[] types = new Type[count];
        Arrays.fill(types, Type.SINT64);
        return CallContext.getCallContext(Type.SINT64, types, CallingConvention.DEFAULT, true);
    }

    private static long address(final String symbol)
    {
        // The process's own symbols: the C library is there, whatever it is called on this system.
        final long address = Library.getDefault().getSymbolAddress(symbol);
        if (address == 0)
        {
            throw new IllegalStateException("the C library has no " + symbol);
        }
        return address;
    }

    /** Looked up with the first mapping. */
    private static final class Mmap
    {
        static final long ADDRESS = address("mmap");
    }
}
