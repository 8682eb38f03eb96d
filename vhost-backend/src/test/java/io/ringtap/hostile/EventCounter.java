package io.ringtap.hostile;

import io.ringtap.sys.Memory;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes any number to an eventfd. */
final class EventCounter
{
    private EventCounter()
    {
    }

    /** @return false when there is no room for so much. */
    static boolean write(final int descriptor, final long count)
    {
        final UnsafeBuffer value = Memory.scratch(Long.BYTES);
        value.putLong(0, count);
        return Long.BYTES == Syscalls.write(descriptor, value, 0, Long.BYTES);
    }
}
