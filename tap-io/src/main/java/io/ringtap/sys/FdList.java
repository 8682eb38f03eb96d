package io.ringtap.sys;

/** Up to sixteen owned descriptors that came with one message; those nobody takes are closed. */
public final class FdList
{
    /** More than the eight regions of a memory table; what one message may bring. */
    public static final int CAPACITY = 16;

    private final Fd[] fds = new Fd[CAPACITY];
    private int size;
    private boolean isTruncated;

    /** Descriptors received, taken ones included. */
    public int size()
    {
        return size;
    }

    /** The sender attached more than fit: the message must be refused. */
    public boolean isTruncated()
    {
        return isTruncated;
    }

    /** Number of one that was not taken; it stays with the list. */
    public int number(final int i)
    {
        if (i < 0 || i >= size || fds[i] == null)
        {
            throw new IndexOutOfBoundsException("descriptor " + i + " of " + size);
        }
        return fds[i].number();
    }

    /** Moves ownership of one to the caller. @throws IllegalStateException when it was taken before. */
    public Fd take(final int i)
    {
        if (i < 0 || i >= size)
        {
            throw new IndexOutOfBoundsException("descriptor " + i + " of " + size);
        }
        final Fd fd = fds[i];
        if (fd == null)
        {
            throw new IllegalStateException("descriptor " + i + " was taken before");
        }
        fds[i] = null;
        return fd;
    }

    /** Closes what was not taken and forgets everything. */
    public void closeAll()
    {
        for (int i = 0; i < size; i++)
        {
            if (fds[i] != null)
            {
                fds[i].close();
                fds[i] = null;
            }
        }
        size = 0;
        isTruncated = false;
    }

    /** @return false when there is no room: the caller still owns the number. */
    boolean add(final int number)
    {
        if (size == CAPACITY)
        {
            return false;
        }
        fds[size++] = Fd.of(number, "received");
        return true;
    }

    void truncated()
    {
        isTruncated = true;
    }
}
