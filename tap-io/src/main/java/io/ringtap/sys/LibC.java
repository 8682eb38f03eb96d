package io.ringtap.sys;

import jnr.ffi.LastError;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;

/**
 * The C library as jnr-ffi binds it: what sets things up and tears them down. The calls of the data path go through
 * {@link DirectCalls}.
 */
public interface LibC
{
    /**
     * syscall(2) with four arguments: one function serves every call, so one stub is made at start. Up to five
     * arguments in all, since jnr-ffi's x86-64 stubs get the last of exactly six integers wrong.
     */
    long syscall(long number, long a, long b, long c, long d);

    /** The library and its error numbers, loaded with the first call. */
    final class Loaded
    {
        private static final LibC LIBRARY = LibraryLoader.create(LibC.class).load("c");
        private static final Runtime RUNTIME = Runtime.getRuntime(LIBRARY);

        private Loaded()
        {
        }

        static long syscall(final long number, final long a, final long b, final long c, final long d)
        {
            return LIBRARY.syscall(number, a, b, c, d);
        }

        /** The calling thread's errno after its last call here. */
        static int lastErrno()
        {
            return LastError.getLastError(RUNTIME);
        }
    }
}
