package io.ringtap.sys;

import java.util.concurrent.atomic.AtomicInteger;

/** Owner of one descriptor: whoever holds it closes it, once. */
public final class Fd implements AutoCloseable
{
    private static final int NONE = -1;

    private final AtomicInteger number;
    private final String what;

    private Fd(final int number, final String what)
    {
        if (number < 0)
        {
            throw new IllegalArgumentException("descriptor " + number + " is negative");
        }
        this.number = new AtomicInteger(number);
        this.what = what;
    }

    public static Fd of(final int number)
    {
        return new Fd(number, "");
    }

    /** @param what the object behind it, for people. */
    public static Fd of(final int number, final String what)
    {
        return new Fd(number, what);
    }

    /** @throws IllegalStateException when closed or released: the number may be somebody else's by now. */
    public int number()
    {
        final int n = number.get();
        if (n == NONE)
        {
            throw new IllegalStateException("descriptor is closed: " + this);
        }
        return n;
    }

    public boolean isOpen()
    {
        return number.get() != NONE;
    }

    /** Gives up ownership: the caller closes the number from now on. */
    public int release()
    {
        final int n = number.getAndSet(NONE);
        if (n == NONE)
        {
            throw new IllegalStateException("descriptor is closed: " + this);
        }
        return n;
    }

    @Override
    public void close()
    {
        final int n = number.getAndSet(NONE);
        if (n != NONE)
        {
            Syscalls.close(n);
        }
    }

    @Override
    public String toString()
    {
        final int n = number.get();
        final String name = n == NONE ? "fd closed" : "fd " + n;
        return what.isEmpty() ? name : name + " (" + what + ")";
    }
}
