package io.ringtap.sys;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

import org.agrona.concurrent.UnsafeBuffer;

/** What a network device does by itself, by the names that {@code ethtool -k} shows (linux/ethtool.h). */
public final class Ethtool
{
    private static final int GET_STRINGS = 0x1b;
    private static final int GET_SET_INFO = 0x37;
    private static final int GET_FEATURES = 0x3a;
    private static final int SET_OF_FEATURES = 4;
    private static final int NAME_LENGTH = 32;

    /** More than any kernel has; the kernel writes as many as it says, so this bounds our memory. */
    private static final int MAX_FEATURES = 1024;

    /** struct ethtool_sset_info: command, reserved, mask, then the counts. */
    private static final int INFO_MASK = 8;
    private static final int INFO_COUNT = 16;

    /** struct ethtool_gstrings: command, set, count, then the names. */
    private static final int STRINGS_SET = 4;
    private static final int STRINGS_COUNT = 8;
    private static final int STRINGS_NAMES = 12;

    /** struct ethtool_gfeatures: command, count, then blocks of available, requested, active, never changed. */
    private static final int FEATURES_COUNT = 4;
    private static final int FEATURES_BLOCKS = 8;
    private static final int BLOCK_LENGTH = 16;
    private static final int BLOCK_ACTIVE = 8;

    private Ethtool()
    {
    }

    /** @return names of the features that are on; empty when the device cannot say. */
    public static Set<String> activeFeatures(final String name)
    {
        try (Fd socket = Sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM, 0))
        {
            final UnsafeBuffer info = Memory.scratch(INFO_COUNT + Integer.BYTES);
            info.putInt(0, GET_SET_INFO);
            info.putLong(INFO_MASK, 1L << SET_OF_FEATURES);
            final int result = ask(socket, name, info);
            final int count = info.getInt(INFO_COUNT);
            return result < 0 || 0 == info.getLong(INFO_MASK) || count < 1 || count > MAX_FEATURES ?
                Set.of() : active(socket, name, count);
        }
    }

    private static Set<String> active(final Fd socket, final String name, final int count)
    {
        final UnsafeBuffer strings = Memory.scratch(STRINGS_NAMES + MAX_FEATURES * NAME_LENGTH);
        strings.putInt(0, GET_STRINGS);
        strings.putInt(STRINGS_SET, SET_OF_FEATURES);
        strings.putInt(STRINGS_COUNT, count);
        final int blocks = (count + Integer.SIZE - 1) / Integer.SIZE;
        final UnsafeBuffer features = Memory.scratch(FEATURES_BLOCKS + blocks * BLOCK_LENGTH);
        features.putInt(0, GET_FEATURES);
        features.putInt(FEATURES_COUNT, blocks);
        final Set<String> active = new HashSet<>();
        if (ask(socket, name, strings) >= 0 && ask(socket, name, features) >= 0)
        {
            for (int i = 0; i < count; i++)
            {
                final int block = FEATURES_BLOCKS + i / Integer.SIZE * BLOCK_LENGTH;
                if (0 != (features.getInt(block + BLOCK_ACTIVE) & 1 << i % Integer.SIZE))
                {
                    active.add(text(strings, STRINGS_NAMES + i * NAME_LENGTH));
                }
            }
        }
        return active;
    }

    private static int ask(final Fd socket, final String name, final UnsafeBuffer question)
    {
        final UnsafeBuffer request = Memory.scratch(If.IFREQ_LENGTH);
        Interfaces.putName(request, 0, name);
        request.putLong(If.IFREQ_VALUE, Memory.addressOf(question));
        return Syscalls.ioctlResult(socket.number(), If.SIOCETHTOOL, request);
    }

    private static String text(final UnsafeBuffer strings, final int offset)
    {
        int length = 0;
        while (length < NAME_LENGTH && strings.getByte(offset + length) != 0)
        {
            length++;
        }
        final byte[] bytes = new byte[length];
        strings.getBytes(offset, bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
