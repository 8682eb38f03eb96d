package io.ringtap.vhost.dataplane;

import io.ringtap.sys.Memory;
import io.ringtap.vhost.guest.GuestMemory;

/**
 * Faults of memory that a front-end took away from one worker's rings (SIGBUS): whose they are, and that they are told
 * of while it is clear. Memory that was sealed when it was mapped costs nothing here.
 */
final class MemoryFaults
{
    private final RingEnd receive;
    private final RingEnd transmit;

    MemoryFaults(final RingEnd receive, final RingEnd transmit)
    {
        this.receive = receive;
        this.transmit = transmit;
    }

    /**
     * After every step that may have touched the guest's memory, so that nobody else of the thread is told.
     *
     * @throws InternalError when something could not be read or written.
     */
    void tell()
    {
        if (mayBeOurs())
        {
            Memory.tellFaults();
        }
    }

    /** As {@link #tell()}, of what one ring touched. */
    static void tell(final GuestMemory memory)
    {
        if (canFault(memory))
        {
            Memory.tellFaults();
        }
    }

    /** Whether memory of these rings can be taken away at all. */
    boolean mayBeOurs()
    {
        return canFault(receive.memory()) || canFault(transmit.memory());
    }

    /** @throws InternalError again when it cannot be of these rings: somebody else's pages are gone. */
    void checkOurs(final Throwable cause)
    {
        if (cause instanceof InternalError error && !mayBeOurs())
        {
            throw error;
        }
    }

    /** Whether no memory of a ring that runs was cut short. */
    boolean isMemoryWhole()
    {
        return isWhole(receive) && isWhole(transmit);
    }

    private static boolean canFault(final GuestMemory memory)
    {
        return null != memory && memory.canFault();
    }

    private static boolean isWhole(final RingEnd ring)
    {
        return !ring.isStarted() || null == ring.memory() || ring.memory().isWhole();
    }
}
