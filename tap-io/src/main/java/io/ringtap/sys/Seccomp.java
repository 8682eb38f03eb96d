package io.ringtap.sys;

/**
 * seccomp(2): a filter of classic BPF that judges every system call of the process from then on. Numbers from
 * linux/seccomp.h, linux/prctl.h and linux/audit.h.
 */
public final class Seccomp
{
    /** What a filter answers: the call is made. */
    public static final int ALLOW = 0x7fff_0000;
    /** The call is not made and returns the errno in the low bits. */
    public static final int ERRNO = 0x0005_0000;
    /** The process ends as by SIGSYS. */
    public static final int KILL_PROCESS = 0x8000_0000;

    /** Offsets in struct seccomp_data, which is what a filter sees of a call. */
    public static final int NUMBER = 0;
    public static final int ARCH = 4;
    public static final int ARGUMENTS = 16;

    /** A filter has at most so many instructions (BPF_MAXINSNS of linux/bpf_common.h). */
    public static final int MAX_LENGTH = 4096;

    private static final int SET_MODE_FILTER = 1;
    private static final int GET_ACTION_AVAIL = 2;
    /** Every thread gets it, or none. */
    private static final int FILTER_FLAG_TSYNC = 1;
    /** What is refused is told to the audit log. */
    private static final int FILTER_FLAG_LOG = 1 << 1;
    /** Speculation stays as fast as it was: kernels before 5.16 would else slow every thread down. */
    private static final int FILTER_FLAG_SPEC_ALLOW = 1 << 2;
    private static final int PR_SET_NO_NEW_PRIVS = 38;

    /** struct sock_fprog: a 16-bit length, then the address of the code. */
    private static final int PROGRAM_LENGTH = 16;
    private static final int PROGRAM_CODE = 8;

    private Seccomp()
    {
    }

    /** @return 0 when this kernel takes filters that answer with an errno, else why not: a negative errno. */
    public static int probe()
    {
        final long action = Memory.allocate(Integer.BYTES);
        try
        {
            Memory.putInt(action, ERRNO);
            return (int)Kernel.control(SyscallNumber.SECCOMP, GET_ACTION_AVAIL, 0, action, 0);
        }
        finally
        {
            Memory.free(action);
        }
    }

    /**
     * Puts a filter in front of every thread there is and every one to come, and takes from all of them the right to
     * gain rights by executing a file. There is no way back.
     *
     * @param code instructions as struct sock_filter, first byte in the low bits.
     */
    public static void load(final long[] code)
    {
        if (code.length < 1 || code.length > MAX_LENGTH)
        {
            throw new IllegalArgumentException("filter of " + code.length + " instructions, 1 to " + MAX_LENGTH);
        }
        // The other threads take it over from this one, together with the filter.
        Syscalls.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        final long program = Memory.allocate(PROGRAM_LENGTH + (long)code.length * Long.BYTES);
        try
        {
            final long first = program + PROGRAM_LENGTH;
            Memory.putLong(program, code.length);
            Memory.putLong(program + PROGRAM_CODE, first);
            for (int i = 0; i < code.length; i++)
            {
                Memory.putLong(first + (long)i * Long.BYTES, code[i]);
            }
            final int flags = FILTER_FLAG_TSYNC | FILTER_FLAG_LOG | FILTER_FLAG_SPEC_ALLOW;
            final long stranger = Syscalls.check("seccomp", Kernel.control(
                SyscallNumber.SECCOMP, SET_MODE_FILTER, flags, program, 0), "filter for all threads");
            if (0 != stranger)
            {
                throw new SyscallException("seccomp", Errno.ESRCH, "thread " + stranger + ", which has a filter");
            }
        }
        finally
        {
            Memory.free(program);
        }
    }
}
