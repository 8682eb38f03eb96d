package io.ringtap.port;

import io.ringtap.sys.Memory;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;

/** Has every call of one kind fail with an errno, on the calling thread alone and for the rest of its life. */
final class FailingCall
{
    private static final int PR_SET_SECCOMP = 22;
    private static final int SECCOMP_MODE_FILTER = 2;
    private static final int PR_SET_NO_NEW_PRIVS = 38;
    private static final long LOAD_WORD = 0x20;
    private static final long JUMP_IF_EQUAL = 0x15;
    private static final long RETURN = 0x06;
    private static final long ERRNO = 0x0005_0000;
    private static final long ALLOW = 0x7fff_0000;
    private static final int LENGTH = 4;
    private static final int PROGRAM = 16;

    private FailingCall()
    {
    }

    static void install(final int number, final int errno)
    {
        final UnsafeBuffer memory = Memory.scratch(PROGRAM + LENGTH * Long.BYTES);
        memory.putLong(0, LENGTH);
        memory.putLong(Long.BYTES, memory.addressOffset() + PROGRAM);
        // The number of the call is the first word that a filter sees.
        memory.putLong(PROGRAM, LOAD_WORD);
        memory.putLong(PROGRAM + 8, JUMP_IF_EQUAL | 1L << 24 | (long)number << 32);
        memory.putLong(PROGRAM + 16, RETURN | (ERRNO | errno) << 32);
        memory.putLong(PROGRAM + 24, RETURN | ALLOW << 32);
        Syscalls.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        Syscalls.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, memory.addressOffset(), 0, 0);
    }
}
