package io.ringtap.vhost.guest;

import io.ringtap.sys.IoVectors;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A list of the guest's buffers, judged and translated, that is read or written as one run of bytes.
 * <p>
 * Nothing can be added that is not wholly in the guest's memory, so whatever lies in the list may be touched; that the
 * guest changes the bytes meanwhile is its business, and only copies are looked at. Owned by one thread.
 */
public final class GuestBuffers
{
    /**
     * Most bytes: a super-frame of 64 KiB with its headers and a net header fits with a KiB to spare. It keeps every
     * sum of lengths far from overflow.
     */
    public static final int MAX_BYTES = 64 * 1024 + 1024;

    private static final int LINE = 64;

    /** The only buffer of most lists lies here; the arrays are written, and valid, from the second one on. */
    private long firstHostAddress;
    private int count;
    private int total;
    private final long[] hostAddress;
    private final int[] length;

    /**
     * @param capacity most buffers; one that straddles regions counts once for each of them.
     */
    public GuestBuffers(final int capacity)
    {
        hostAddress = new long[capacity];
        length = new int[capacity];
    }

    public void clear()
    {
        count = 0;
        total = 0;
    }

    /** Buffers in the list. */
    public int count()
    {
        return count;
    }

    /** Bytes in the list. */
    public int length()
    {
        return total;
    }

    public boolean isFull()
    {
        return count == length.length;
    }

    /**
     * Adds a buffer, or nothing: when not every byte of it is the guest's, when the list is full, when the list would
     * hold more than {@link #MAX_BYTES}. An empty buffer adds nothing and is no fault.
     *
     * @param at into the memory that the buffer is in.
     */
    public boolean add(final GuestCursor at, final long guestAddress, final int bytes)
    {
        if (bytes > 0 && bytes <= MAX_BYTES - total)
        {
            final long address = at.translate(guestAddress, bytes);
            if (address != 0 && count < length.length)
            {
                append(address, bytes);
                return true;
            }
        }
        return addSplit(at, guestAddress, bytes);
    }

    /**
     * Looks at each cache line of the list's beginning, so that the lines of many lists are on their way from the
     * guest's processor at once before the first of them is copied; one copy after the other waits for each in turn.
     *
     * @param bytes how far; a part of the first buffer is enough.
     * @return what was seen, for nobody: the caller keeps it somewhere lest the compiler leaves the reads out.
     */
    public int touch(final int bytes)
    {
        int seen = 0;
        if (count == 1)
        {
            // inside the only buffer, which is total bytes long
            for (int at = 0, end = Math.min(bytes, total); at < end; at += LINE)
            {
                seen += GuestCopy.getByte(firstHostAddress + at);
            }
        }
        return seen;
    }

    /**
     * Copies out of the guest's buffers.
     *
     * @param from where in the run of bytes to begin.
     * @return bytes copied: fewer than {@code bytes} when the run ends before.
     */
    public int copyIn(final int from, final MutableDirectBuffer to, final int toOffset, final int bytes)
    {
        if (UnsafeBuffer.SHOULD_BOUNDS_CHECK)
        {
            to.boundsCheck(toOffset, bytes);
        }
        final long address = to.addressOffset() + toOffset;
        if (count == 1 && from >= 0 && bytes <= total - from && to.byteArray() == null)
        {
            GuestCopy.copy(firstHostAddress + from, address, bytes);
            return bytes;
        }
        return gather(from, to.byteArray(), address, bytes);
    }

    /**
     * Copies into the guest's buffers.
     *
     * @param at where in the run of bytes to begin.
     * @return bytes copied: fewer than {@code bytes} when the run ends before.
     */
    public int copyOut(final int at, final DirectBuffer from, final int fromOffset, final int bytes)
    {
        if (UnsafeBuffer.SHOULD_BOUNDS_CHECK)
        {
            from.boundsCheck(fromOffset, bytes);
        }
        final long address = from.addressOffset() + fromOffset;
        if (count == 1 && at >= 0 && bytes <= total - at && from.byteArray() == null)
        {
            GuestCopy.copy(address, firstHostAddress + at, bytes);
            return bytes;
        }
        return scatter(at, from.byteArray(), address, bytes);
    }

    /**
     * Copies a run of vectors into the guest's buffers.
     *
     * @return bytes copied: fewer than the vectors hold when the guest's run ends before.
     */
    public int copyOut(final int at, final IoVectors from, final int firstVector, final int vectors)
    {
        int copied = 0;
        for (int i = firstVector; i < firstVector + vectors; i++)
        {
            final int bytes = from.length(i);
            final int n = scatter(at + copied, null, from.base(i), bytes);
            copied += n;
            if (n < bytes)
            {
                break;
            }
        }
        return copied;
    }

    /**
     * Copies a part of one vector into the guest's buffers.
     *
     * @param skip  bytes of the vector to pass over.
     * @param bytes bytes to copy; the vector holds them.
     * @return bytes copied: fewer than {@code bytes} when the guest's run ends before.
     */
    public int copyOut(final int at, final IoVectors from, final int vector, final int skip, final int bytes)
    {
        if (skip < 0 || bytes < 0 || bytes > from.length(vector) - skip)
        {
            throw new IndexOutOfBoundsException(skip + " + " + bytes + " in a vector of " + from.length(vector));
        }
        return scatter(at, null, from.base(vector) + skip, bytes);
    }

    /**
     * Describes a part of the run by vectors, for system calls that read or write the guest's memory in place.
     *
     * @return vectors written from {@code firstVector} on, or -1 when they do not fit or the run ends before.
     */
    public int fill(final IoVectors to, final int firstVector, final int from, final int bytes)
    {
        if (from < 0 || bytes < 0 || bytes > total - from)
        {
            return -1;
        }
        spread();
        int skip = from;
        int left = bytes;
        int vector = firstVector;
        for (int i = 0; left > 0; i++)
        {
            if (skip >= length[i])
            {
                skip -= length[i];
                continue;
            }
            if (vector == to.capacity())
            {
                return -1;
            }
            final int chunk = Math.min(left, length[i] - skip);
            to.set(vector++, hostAddress[i] + skip, chunk);
            left -= chunk;
            skip = 0;
        }
        return vector - firstVector;
    }

    /** Writes two bytes, little endian; they may lie in different buffers. The run must be long enough. */
    public void putShort(final int at, final short value)
    {
        putByte(at, (byte)value);
        putByte(at + 1, (byte)(value >> 8));
    }

    /** Marks the pages of the run's first bytes. */
    boolean mark(final GuestCursor cursor, final DirtyLog log, final int bytes)
    {
        spread();
        boolean isComplete = true;
        int left = Math.min(bytes, total);
        for (int i = 0; left > 0; i++)
        {
            final int chunk = Math.min(left, length[i]);
            isComplete &= cursor.markHost(log, hostAddress[i], chunk);
            left -= chunk;
        }
        return isComplete;
    }

    private void putByte(final int at, final byte value)
    {
        if (at < 0 || at >= total)
        {
            throw new IndexOutOfBoundsException("byte " + at + " in buffers of " + total);
        }
        spread();
        int i = 0;
        int skip = at;
        while (skip >= length[i])
        {
            skip -= length[i++];
        }
        GuestCopy.putByte(hostAddress[i] + skip, value);
    }

    /** One in another region than the last one or in several, an empty one, or one at fault. */
    private boolean addSplit(final GuestCursor cursor, final long guestAddress, final int bytes)
    {
        final int countBefore = count;
        final int totalBefore = total;
        if (bytes < 0 || bytes > MAX_BYTES - total)
        {
            return false;
        }
        long at = guestAddress;
        int left = bytes;
        while (left > 0)
        {
            int chunk = left;
            long address = cursor.translate(at, left);
            if (address == 0 && cursor.find(at))
            {
                chunk = (int)Math.min(left, cursor.rest(at));
                address = cursor.translate(at, chunk);
            }
            if (address == 0 || isFull())
            {
                count = countBefore;
                total = totalBefore;
                return false;
            }
            append(address, chunk);
            at += chunk;
            left -= chunk;
        }
        return true;
    }

    private void append(final long address, final int bytes)
    {
        final int i = count;
        if (i == 0)
        {
            firstHostAddress = address;
        }
        else
        {
            if (i == 1)
            {
                spread();
            }
            hostAddress[i] = address;
            length[i] = bytes;
        }
        count = i + 1;
        total += bytes;
    }

    /** One way to look at any list, for what is not done for every frame. */
    private void spread()
    {
        if (count == 1)
        {
            hostAddress[0] = firstHostAddress;
            length[0] = total;
        }
    }

    private int gather(final int from, final byte[] array, final long address, final int bytes)
    {
        if (from < 0)
        {
            throw new IndexOutOfBoundsException("byte " + from + " of a run");
        }
        spread();
        int skip = from;
        int copied = 0;
        for (int i = 0; i < count && copied < bytes; i++)
        {
            if (skip >= length[i])
            {
                skip -= length[i];
                continue;
            }
            final int chunk = Math.min(bytes - copied, length[i] - skip);
            GuestCopy.copy(null, hostAddress[i] + skip, array, address + copied, chunk);
            copied += chunk;
            skip = 0;
        }
        return copied;
    }

    private int scatter(final int at, final byte[] array, final long address, final int bytes)
    {
        if (at < 0)
        {
            throw new IndexOutOfBoundsException("byte " + at + " of a run");
        }
        spread();
        int skip = at;
        int copied = 0;
        for (int i = 0; i < count && copied < bytes; i++)
        {
            if (skip >= length[i])
            {
                skip -= length[i];
                continue;
            }
            final int chunk = Math.min(bytes - copied, length[i] - skip);
            GuestCopy.copy(array, address + copied, null, hostAddress[i] + skip, chunk);
            copied += chunk;
            skip = 0;
        }
        return copied;
    }
}
