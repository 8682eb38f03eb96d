package io.ringtap.vhost.control;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

import io.ringtap.flow.ToeplitzHash;
import org.agrona.concurrent.UnsafeBuffer;

/** Commands of a driver, byte by byte as the specification has them (virtio 1.x, 5.1.6.5). */
public final class Commands
{
    /** Microsoft's, which the published hashes belong to. */
    private static final byte[] KEY = HexFormat.of().parseHex(
        "6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c6a42b73bbeac01fa");

    private Commands()
    {
    }

    static UnsafeBuffer of(final ControlCommand command, final byte[] payload)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[2 + payload.length]);
        bytes.putByte(0, (byte)command.group());
        bytes.putByte(1, (byte)command.number());
        bytes.putBytes(2, payload);
        return bytes;
    }

    public static byte[] on(final boolean isOn)
    {
        return new byte[]{(byte)(isOn ? 1 : 0)};
    }

    public static byte[] number(final int value)
    {
        return buffer(2).putShort((short)value).array();
    }

    /** @param address first byte in the low bits. */
    public static byte[] address(final long address)
    {
        return buffer(6).putInt((int)address).putShort((short)(address >>> 32)).array();
    }

    public static byte[] tables(final long[] stations, final long[] groups)
    {
        final ByteBuffer bytes = buffer(8 + 6 * (stations.length + groups.length));
        for (final long[] table : new long[][]{stations, groups})
        {
            bytes.putInt(table.length);
            for (final long each : table)
            {
                bytes.putInt((int)each).putShort((short)(each >>> 32));
            }
        }
        return bytes.array();
    }

    public static byte[] rss(final int types, final int unclassified, final int[] table, final int sending)
    {
        final ByteBuffer bytes = buffer(8 + 2 * table.length + 3 + KEY.length);
        bytes.putInt(types).putShort((short)(table.length - 1)).putShort((short)unclassified);
        for (final int each : table)
        {
            bytes.putShort((short)each);
        }
        return bytes.putShort((short)sending).put((byte)KEY.length).put(KEY).array();
    }

    public static byte[] hash(final int types)
    {
        return buffer(13 + KEY.length).putInt(types).putLong(0).put((byte)KEY.length).put(KEY).array();
    }

    public static byte[] offloads(final long bits)
    {
        return buffer(8).putLong(bits).array();
    }

    /** Commands that a device takes. */
    static List<UnsafeBuffer> random(final Random random, final int count)
    {
        final List<UnsafeBuffer> commands = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            final ControlCommand[] all = ControlCommand.values();
            final ControlCommand command = all[random.nextInt(all.length)];
            commands.add(of(command, payload(random, command)));
        }
        return commands;
    }

    /** Commands of which most have something wrong. */
    static UnsafeBuffer spoiled(final Random random)
    {
        final UnsafeBuffer command = random(random, 1).get(0);
        for (int i = random.nextInt(4); i > 0; i--)
        {
            command.putByte(random.nextInt(Math.min(16, command.capacity())), (byte)random.nextInt());
        }
        final int length = random.nextInt(4) == 0 ? random.nextInt(command.capacity()) : command.capacity();
        return new UnsafeBuffer(command, 0, length);
    }

    private static byte[] payload(final Random random, final ControlCommand command)
    {
        final int types = random.nextInt(ToeplitzHash.ALL_TYPES + 1);
        return switch (command)
        {
            case PROMISCUOUS, ALL_MULTICAST, ALL_UNICAST, NO_MULTICAST, NO_UNICAST, NO_BROADCAST ->
                on(random.nextBoolean());
            case MAC_TABLE_SET -> tables(addresses(random), addresses(random));
            case MAC_ADDRESS_SET -> address(random.nextLong() & 0xFFFF_FFFF_FFFEL | 2);
            case VLAN_ADD, VLAN_DELETE -> number(random.nextInt(4096));
            case ANNOUNCE_ACK -> new byte[0];
            case PAIRS_SET -> number(1 + random.nextInt(4));
            case RSS_SET -> rss(types, random.nextInt(4),
                random.ints(1 << random.nextInt(8), 0, 4).toArray(), 1 + random.nextInt(4));
            case HASH_SET -> hash(types);
            case OFFLOADS_SET -> offloads(random.nextBoolean() ? 0 : 2);
        };
    }

    private static long[] addresses(final Random random)
    {
        return random.longs(random.nextInt(80), 0, 1L << 48).toArray();
    }

    private static ByteBuffer buffer(final int length)
    {
        return ByteBuffer.allocate(length).order(LITTLE_ENDIAN);
    }
}
