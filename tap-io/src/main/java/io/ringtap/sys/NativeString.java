package io.ringtap.sys;

import java.nio.charset.StandardCharsets;

/** A zero-terminated string in native memory for the time of one call. */
final class NativeString implements AutoCloseable
{
    private final long hostAddress;

    NativeString(final String text)
    {
        if (text.indexOf('\0') >= 0)
        {
            throw new IllegalArgumentException("string has a zero byte inside");
        }
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        hostAddress = Memory.allocate(bytes.length + 1L);
        for (int i = 0; i < bytes.length; i++)
        {
            Memory.putByte(hostAddress + i, bytes[i]);
        }
    }

    long address()
    {
        return hostAddress;
    }

    @Override
    public void close()
    {
        Memory.free(hostAddress);
    }
}
