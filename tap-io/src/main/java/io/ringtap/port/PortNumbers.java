package io.ringtap.port;

import io.ringtap.sys.Interfaces;
import io.ringtap.sys.SyscallException;

import java.util.concurrent.atomic.AtomicInteger;

/** Numbers by which eBPF programs know ports: that of the interface on the host, and beyond those for ports without. */
public final class PortNumbers
{
    /** The first number of a port without an interface; the kernel counts its own from 1. */
    public static final int FIRST_ANONYMOUS = 1 << 30;

    private static final AtomicInteger NEXT = new AtomicInteger(FIRST_ANONYMOUS);

    private PortNumbers()
    {
    }

    /** A port's number; ask once and keep it, since each port without an interface gets another one. */
    public static int of(final PacketPort port)
    {
        try (Interfaces interfaces = Interfaces.open())
        {
            if (!(port instanceof NullPort) && interfaces.exists(port.name()))
            {
                return interfaces.index(port.name());
            }
        }
        catch (final SyscallException | IllegalArgumentException ex)
        {
            // It lives in another namespace, or its name is none of an interface: any number that nobody has will do.
        }
        return NEXT.getAndIncrement();
    }
}
