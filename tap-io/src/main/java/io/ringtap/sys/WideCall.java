package io.ringtap.sys;

import com.kenai.jffi.CallContext;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A system call of six arguments whose frame is made once, so that calling allocates nothing. It costs about 150 ns
 * more than {@link Kernel#callOnce}, so it is for waits. For {@code sys} and its sub-packages; used by one thread.
 */
public final class WideCall
{
    private static final int ARGUMENTS = 7;
    private static final CallContext CONTEXT = DirectCalls.integers(ARGUMENTS);

    /** The number and the arguments, then the result. */
    private final UnsafeBuffer frame = Memory.scratch((ARGUMENTS + 1) * Long.BYTES);
    private final long[] addresses = new long[ARGUMENTS];

    public WideCall()
    {
        for (int i = 0; i < ARGUMENTS; i++)
        {
            addresses[i] = Memory.addressOf(frame) + i * Long.BYTES;
        }
    }

    /** @return the call's result, or -1 for any failure: jffi keeps errno only for calls in registers. */
    public long callOnce(
        final int number, final long a, final long b, final long c, final long d, final long e, final long f)
    {
        frame.putLong(0, number);
        frame.putLong(Long.BYTES, a);
        frame.putLong(2 * Long.BYTES, b);
        frame.putLong(3 * Long.BYTES, c);
        frame.putLong(4 * Long.BYTES, d);
        frame.putLong(5 * Long.BYTES, e);
        frame.putLong(6 * Long.BYTES, f);
        DirectCalls.syscall(CONTEXT, addresses, addresses[0] + ARGUMENTS * Long.BYTES);
        return frame.getLong(ARGUMENTS * Long.BYTES);
    }
}
