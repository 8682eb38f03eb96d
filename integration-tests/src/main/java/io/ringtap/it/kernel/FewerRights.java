package io.ringtap.it.kernel;

import io.ringtap.sys.Kernel;
import io.ringtap.sys.Memory;
import io.ringtap.sys.SyscallException;
import org.agrona.concurrent.UnsafeBuffer;

import java.lang.ref.Reference;

/**
 * Loads by the calling thread meet the stricter verifier: without CAP_PERFMON and CAP_SYS_ADMIN a program may neither
 * read stack that it did not write nor let addresses of the kernel be seen, so what it does depends on nothing else.
 */
public final class FewerRights implements AutoCloseable
{
    private static final boolean IS_X86 = System.getProperty("os.arch").equals("amd64");
    /** From asm/unistd_64.h and asm-generic/unistd.h. */
    private static final int CAPGET = IS_X86 ? 125 : 90;
    private static final int CAPSET = IS_X86 ? 126 : 91;
    /** _LINUX_CAPABILITY_VERSION_3 of linux/capability.h. */
    private static final int VERSION = 0x2008_0522;
    private static final int SYS_ADMIN = 21;
    private static final int PERFMON = 38;
    /** Of struct __user_cap_data_struct: effective, permitted, inheritable. */
    private static final int UPPER = 12;

    private final UnsafeBuffer header = Memory.scratch(8);
    private final UnsafeBuffer data = Memory.scratch(24);
    private final int lower;
    private final int upper;

    public FewerRights()
    {
        header.putInt(0, VERSION);
        call(CAPGET);
        lower = data.getInt(0);
        upper = data.getInt(UPPER);
        data.putInt(0, lower & ~(1 << SYS_ADMIN));
        data.putInt(UPPER, upper & ~(1 << PERFMON - 32));
        call(CAPSET);
    }

    private void call(final int number)
    {
        final long result = Kernel.call(number, Memory.addressOf(header), Memory.addressOf(data), 0, 0, 0);
        Reference.reachabilityFence(header);
        Reference.reachabilityFence(data);
        if (result < 0)
        {
            throw new SyscallException(CAPGET == number ? "capget" : "capset", (int)-result, "calling thread");
        }
    }

    @Override
    public void close()
    {
        data.putInt(0, lower);
        data.putInt(UPPER, upper);
        call(CAPSET);
    }
}
