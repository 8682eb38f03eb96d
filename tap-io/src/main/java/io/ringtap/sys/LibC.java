package io.ringtap.sys;

import java.util.Map;

import jnr.ffi.LastError;
import jnr.ffi.LibraryLoader;
import jnr.ffi.LibraryOption;
import jnr.ffi.Runtime;
import jnr.ffi.annotations.SaveError;

/**
 * The one native binding: syscall(2) of the C library.
 * <p>
 * Every call goes through seven integer arguments. jnr-ffi's x86-64 stubs hand a wrong sixth argument to a function of
 * exactly six (mmap then fails), a function of seven is not affected; and one stub is also the least to load.
 */
final class LibC
{
    private static final Calls CALLS = LibraryLoader.loadLibrary(
        Calls.class, Map.of(LibraryOption.LoadNow, true), "libc.so.6");
    private static final Runtime RUNTIME = Runtime.getRuntime(CALLS);

    private LibC()
    {
    }

    static long syscall(
        final long number, final long a, final long b, final long c, final long d, final long e, final long f)
    {
        return CALLS.syscall(number, a, b, c, d, e, f);
    }

    /** The calling thread's errno after its last {@link #syscall}. */
    static int lastErrno()
    {
        return LastError.getLastError(RUNTIME);
    }

    /** Public only for the class that jnr-ffi generates in a package of its own. */
    public interface Calls
    {
        @SaveError
        long syscall(long number, long a, long b, long c, long d, long e, long f);
    }
}
