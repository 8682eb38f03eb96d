package io.ringtap.vhost.guest;

import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A range of guest memory that a ring is read and written through; offsets, never addresses, are its language. Values
 * are little endian (virtio 1.x, 1.4), which is the byte order of the machines we run on.
 * <p>
 * Whoever uses a window keeps its offsets inside {@link #length()}: indexes are masked or compared first. Tests run
 * with the check here on; production trusts that judgement ({@code agrona.disable.bounds.checks}, as Agrona's buffers).
 * Accesses have no base object, so that the compiler knows that a store here changes no field of ours; through an
 * UnsafeBuffer every store made it load all fields again.
 * <p>
 * Order is made by fences around plain accesses. Its owner may take the memory away, and HotSpot outlives the fault of
 * a plain access only: the interpreter's volatile store is an instruction that its handler does not know.
 */
public final class GuestWindow
{
    private long hostAddress;
    private int length;

    void wrap(final long address, final int bytes)
    {
        hostAddress = address;
        length = bytes;
    }

    long hostAddress()
    {
        return hostAddress;
    }

    public int length()
    {
        return length;
    }

    public int getInt(final int offset)
    {
        check(offset, 4);
        return UnsafeApi.getInt(hostAddress + offset);
    }

    public long getLong(final int offset)
    {
        check(offset, 8);
        return UnsafeApi.getLong(hostAddress + offset);
    }

    public short getShort(final int offset)
    {
        check(offset, 2);
        return UnsafeApi.getShort(hostAddress + offset);
    }

    public void putInt(final int offset, final int value)
    {
        check(offset, 4);
        UnsafeApi.putInt(hostAddress + offset, value);
    }

    public void putLong(final int offset, final long value)
    {
        check(offset, 8);
        UnsafeApi.putLong(hostAddress + offset, value);
    }

    public void putShort(final int offset, final short value)
    {
        check(offset, 2);
        UnsafeApi.putShort(hostAddress + offset, value);
    }

    /** Pairs with the driver's release: what it wrote before is seen by every read after this one. */
    public short getShortAcquire(final int offset)
    {
        check(offset, 2);
        final short value = UnsafeApi.getShort(hostAddress + offset);
        UnsafeApi.loadFence();
        return value;
    }

    /** Pairs with the driver's acquire: what was written before is seen by who sees this value. */
    public void putShortRelease(final int offset, final short value)
    {
        check(offset, 2);
        UnsafeApi.storeFence();
        UnsafeApi.putShort(hostAddress + offset, value);
    }

    /** As {@link #getShortAcquire}, for eight bytes that must be read as one. */
    public long getLongAcquire(final int offset)
    {
        check(offset, 8);
        final long value = UnsafeApi.getLong(hostAddress + offset);
        UnsafeApi.loadFence();
        return value;
    }

    /** As {@link #putShortRelease}, for eight bytes that must be seen as one. */
    public void putLongRelease(final int offset, final long value)
    {
        check(offset, 8);
        UnsafeApi.storeFence();
        UnsafeApi.putLong(hostAddress + offset, value);
    }

    private void check(final int offset, final int bytes)
    {
        if (UnsafeBuffer.SHOULD_BOUNDS_CHECK && (offset < 0 || offset > length - bytes))
        {
            throw new IndexOutOfBoundsException("offset " + offset + " + " + bytes + " in a window of " + length);
        }
    }
}
