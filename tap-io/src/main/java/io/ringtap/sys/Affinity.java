package io.ringtap.sys;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Which processors the calling thread may run on (linux/sched.h). */
public final class Affinity
{
    /** Bytes of a processor set: as many processors as glibc's cpu_set_t. */
    private static final int SET_LENGTH = 128;

    private Affinity()
    {
    }

    /** Pins the calling thread. */
    public static void pin(final int... cpus)
    {
        final long set = Memory.allocate(SET_LENGTH);
        try
        {
            for (final int cpu : cpus)
            {
                if (cpu < 0 || cpu >= SET_LENGTH * 8)
                {
                    throw new IllegalArgumentException("processor " + cpu + " is not in 0.." + (SET_LENGTH * 8 - 1));
                }
                final long at = set + cpu / 8;
                Memory.putByte(at, (byte)(Memory.getByte(at) | 1 << cpu % 8));
            }
            final long result = Kernel.control(SyscallNumber.SCHED_SETAFFINITY, 0, SET_LENGTH, set, 0);
            Syscalls.check("sched_setaffinity", result, "processors " + Arrays.toString(cpus));
        }
        finally
        {
            Memory.free(set);
        }
    }

    /** Keeps the calling thread off some processors, unless it has no others. */
    public static void avoid(final int... cpus)
    {
        final int[] mine = current();
        final int[] others = IntStream.of(mine)
            .filter(cpu -> IntStream.of(cpus).noneMatch(each -> each == cpu)).toArray();
        if (0 < others.length && others.length < mine.length)
        {
            pin(others);
        }
    }

    /** Processors of the calling thread, ascending. */
    public static int[] current()
    {
        final long set = Memory.allocate(SET_LENGTH);
        try
        {
            final long result = Kernel.control(SyscallNumber.SCHED_GETAFFINITY, 0, SET_LENGTH, set, 0);
            Syscalls.check("sched_getaffinity", result, "calling thread");
            return IntStream.range(0, SET_LENGTH * 8)
                .filter(cpu -> (Memory.getByte(set + cpu / 8) >> cpu % 8 & 1) != 0).toArray();
        }
        finally
        {
            Memory.free(set);
        }
    }
}
