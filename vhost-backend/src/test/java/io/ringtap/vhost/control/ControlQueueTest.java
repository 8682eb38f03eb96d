package io.ringtap.vhost.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.ringtap.flow.Offloads;
import io.ringtap.flow.ToeplitzHash;
import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the device says to each command, and what it does then. */
class ControlQueueTest
{
    private static final long ALL = NetFeatures.CONTROL | NetFeatures.GUEST_OFFLOADS |
        NetFeatures.bit(NetFeatures.MQ) | NetFeatures.bit(NetFeatures.RSS) | NetFeatures.bit(NetFeatures.HASH_REPORT) |
        NetFeatures.bit(NetFeatures.GUEST_ANNOUNCE);
    private static final long MAC = 0x0605_0403_0202L;
    private static final int PAIRS = 4;

    private final Effects effects = new Effects();
    private final ControlQueue queue = queue(ALL, 0);

    /** A well-formed payload of each command. */
    private static byte[] wellFormed(final ControlCommand command)
    {
        return switch (command)
        {
            case PROMISCUOUS, ALL_MULTICAST, ALL_UNICAST, NO_MULTICAST, NO_UNICAST, NO_BROADCAST -> Commands.on(true);
            case MAC_TABLE_SET -> Commands.tables(new long[]{MAC}, new long[]{0x0100_5E00_0001L});
            case MAC_ADDRESS_SET -> Commands.address(MAC);
            case VLAN_ADD, VLAN_DELETE -> Commands.number(100);
            case ANNOUNCE_ACK -> new byte[0];
            case PAIRS_SET -> Commands.number(2);
            case RSS_SET -> Commands.rss(ToeplitzHash.ALL_TYPES, 0, new int[]{0, 1, 2, 3}, 4);
            case HASH_SET -> Commands.hash(ToeplitzHash.ALL_TYPES);
            case OFFLOADS_SET -> Commands.offloads(NetFeatures.bit(NetFeatures.GUEST_CSUM));
        };
    }

    @Test
    @Tag("virtio.CTRL_VQ")
    void shouldTakeEachCommandWholeAndNeitherShortNorLong()
    {
        int cases = 0;
        for (final ControlCommand command : ControlCommand.values())
        {
            final byte[] whole = wellFormed(command);
            assertEquals(ControlQueue.OK, send(command, whole), command + " whole");
            for (int length = 0; length < whole.length; length++)
            {
                assertRefused(command, Arrays.copyOf(whole, length));
                cases++;
            }
            for (final int more : new int[]{1, 2, 6, 40, 300, ControlQueue.MAX_PAYLOAD - whole.length,
                ControlQueue.MAX_PAYLOAD - whole.length + 1})
            {
                assertRefused(command, Arrays.copyOf(whole, whole.length + more));
                cases++;
            }
        }
        System.out.println("control commands: " + cases + " of a wrong length refused");
    }

    @Test
    @Tag("virtio.CTRL_VQ")
    void shouldRefuseEachCommandWithoutItsFeature()
    {
        for (final ControlCommand command : ControlCommand.values())
        {
            final ControlQueue without = queue(ALL & ~NetFeatures.bit(command.feature()), 0);
            assertEquals(ControlQueue.ERROR, send(without, command, wellFormed(command)), command.name());
            final ControlQueue none = queue(ALL & ~NetFeatures.bit(NetFeatures.CTRL_VQ), 0);
            assertEquals(ControlQueue.ERROR, send(none, command, wellFormed(command)), command.name());
        }
    }

    @Test
    void shouldRefuseEveryOtherClassAndNumber()
    {
        int others = 0;
        for (int group = 0; group < 256; group++)
        {
            for (int number = 0; number < 256; number++)
            {
                if (null == ControlCommand.of(group, number))
                {
                    final UnsafeBuffer bytes = new UnsafeBuffer(new byte[]{(byte)group, (byte)number, 1, 0});
                    assertEquals(ControlQueue.ERROR, queue.handle(bytes, 0, 3));
                    others++;
                }
            }
        }
        assertEquals(256 * 256 - ControlCommand.values().length, others);
        assertEquals(ControlQueue.ERROR, queue.handle(new UnsafeBuffer(new byte[2]), 0, 0));
        assertEquals(ControlQueue.ERROR, queue.handle(new UnsafeBuffer(new byte[2]), 0, 1));
    }

    @Test
    void shouldRefuseNumbersBeyondTheirLimits()
    {
        for (final byte[] wrong : List.of(Commands.number(4096), Commands.number(0xFFFF)))
        {
            assertRefused(ControlCommand.VLAN_ADD, wrong);
            assertRefused(ControlCommand.VLAN_DELETE, wrong);
        }
        for (final int wrong : new int[]{0, PAIRS + 1, 0x8000, 0xFFFF})
        {
            assertRefused(ControlCommand.PAIRS_SET, Commands.number(wrong));
        }
        for (final int wrong : new int[]{2, 255})
        {
            assertRefused(ControlCommand.PROMISCUOUS, new byte[]{(byte)wrong});
        }
        for (final long wrong : new long[]{0, 0x01, 0xFFFF_FFFF_FFFFL, MAC | 1})
        {
            assertRefused(ControlCommand.MAC_ADDRESS_SET, Commands.address(wrong));
        }
        for (final long wrong : new long[]{-1, 1, NetFeatures.bit(NetFeatures.CSUM), 1L << 63})
        {
            assertRefused(ControlCommand.OFFLOADS_SET, Commands.offloads(wrong));
        }
    }

    @Test
    void shouldRefuseTablesWhoseCountsAreNotWhatCame()
    {
        final byte[] whole = Commands.tables(new long[]{MAC, MAC + 256}, new long[]{0x0101_0101_0101L});
        for (final int wrong : new int[]{0, 1, 3, 4, 1000, 0x2AAA_AAAA, 0x2AAA_AAAB, Integer.MAX_VALUE, -1, -2})
        {
            final byte[] first = whole.clone();
            new UnsafeBuffer(first).putInt(0, wrong);
            assertRefused(ControlCommand.MAC_TABLE_SET, first);
            if (1 != wrong)
            {
                final byte[] second = whole.clone();
                new UnsafeBuffer(second).putInt(16, wrong);
                assertRefused(ControlCommand.MAC_TABLE_SET, second);
            }
        }
    }

    @Test
    @Tag("virtio.RSS")
    void shouldRefuseTablesOfQueuesThatAreNotThereOrNoPowerOfTwo()
    {
        final int all = ToeplitzHash.ALL_TYPES;
        final int[] table = {0, 1, 2, 3};
        for (final byte[] wrong : List.of(
            Commands.rss(all, PAIRS, table, 1), Commands.rss(all, 0xFFFF, table, 1),
            Commands.rss(all, 0, new int[]{0, 1, 2, PAIRS}, 1), Commands.rss(all, 0, new int[]{0x8000}, 1),
            Commands.rss(all, 0, new int[]{0, 1, 2}, 1), Commands.rss(all, 0, new int[256], 1),
            Commands.rss(all, 0, table, 0), Commands.rss(all, 0, table, PAIRS + 1),
            Commands.rss(all | 1 << 6, 0, table, 1), Commands.rss(-1, 0, table, 1)))
        {
            assertRefused(ControlCommand.RSS_SET, wrong);
        }
        for (int mask = 0; mask < 0x10000; mask++)
        {
            final byte[] wrong = Commands.rss(all, 0, table, 1);
            new UnsafeBuffer(wrong).putShort(4, (short)mask);
            if (3 != mask)
            {
                assertEquals(ControlQueue.ERROR, send(ControlCommand.RSS_SET, wrong), "mask " + mask);
            }
        }
        final byte[] keyless = Arrays.copyOf(Commands.rss(all, 0, table, 1), 8 + 8 + 3);
        keyless[18] = 0;
        assertRefused(ControlCommand.RSS_SET, keyless);
        keyless[0] = 0;
        assertEquals(ControlQueue.OK, send(ControlCommand.RSS_SET, keyless), "no kinds need no key");
    }

    @Test
    @Tag("virtio.CTRL_MAC_ADDR")
    void shouldLetTheGuestHaveNoOtherAddressThanTheOperatorsOne()
    {
        final ControlQueue pinned = queue(ALL, MAC);
        assertEquals(ControlQueue.ERROR, send(pinned, ControlCommand.MAC_ADDRESS_SET, Commands.address(MAC + 256)));
        assertEquals(ControlQueue.OK, send(pinned, ControlCommand.MAC_ADDRESS_SET, Commands.address(MAC)));
        assertEquals(MAC, effects.mac);
    }

    @Test
    @Tag("virtio.CTRL_GUEST_OFFLOADS")
    void shouldTurnOffloadsOffAndOnThatWereNegotiated()
    {
        final long csum = NetFeatures.bit(NetFeatures.GUEST_CSUM);
        final long tso = NetFeatures.bit(NetFeatures.GUEST_TSO4);
        final ControlQueue few = queue(NetFeatures.CONTROL | csum | tso, 0);
        assertEquals(ControlQueue.OK, send(few, ControlCommand.OFFLOADS_SET, Commands.offloads(0)));
        assertEquals(Offloads.NONE, effects.offloads);
        assertEquals(ControlQueue.OK, send(few, ControlCommand.OFFLOADS_SET, Commands.offloads(csum | tso)));
        assertEquals(Offloads.CSUM | Offloads.TSO4, effects.offloads);
        assertEquals(ControlQueue.OK, send(few, ControlCommand.OFFLOADS_SET, Commands.offloads(tso)));
        assertEquals(Offloads.NONE, effects.offloads, "nothing without begun checksums");
        assertEquals(ControlQueue.ERROR, send(few, ControlCommand.OFFLOADS_SET,
            Commands.offloads(NetFeatures.bit(NetFeatures.GUEST_TSO6))));
    }

    @Test
    @Tag("virtio.MQ")
    void shouldUseOnePairUntilTheGuestAsksForMore()
    {
        assertUsed(1);
        send(ControlCommand.PAIRS_SET, Commands.number(3));
        assertUsed(3);
        send(ControlCommand.RSS_SET, Commands.rss(ToeplitzHash.ALL_TYPES, 0, new int[]{3, 3}, 2));
        assertTrue(effects.rules.uses(0) && effects.rules.uses(1) && effects.rules.uses(3));
        assertFalse(effects.rules.uses(2));
        send(ControlCommand.PAIRS_SET, Commands.number(2));
        assertNull(effects.rules.rss(), "the port spreads flows again");
        assertUsed(2);
    }

    @Test
    void shouldForgetWhatAnotherDriverAskedFor()
    {
        for (final ControlCommand command : ControlCommand.values())
        {
            send(command, wellFormed(command));
        }
        assertNotNull(effects.rules.rss());
        send(ControlCommand.PROMISCUOUS, Commands.on(false));
        assertNotNull(effects.rules.filter());
        queue.negotiated(ALL, 0);
        assertNull(effects.rules.filter());
        assertNull(effects.rules.rss());
        assertUsed(1);
        queue.negotiated(ALL & ~NetFeatures.bit(NetFeatures.CTRL_VQ), 0);
        assertSame(ReceiveRules.ALL, effects.rules);
    }

    /** Two devices that were told the same pick the same frames, pairs and hashes. */
    @Test
    void shouldGoOnElsewhereWithAllThatWasAskedFor()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        for (int turn = 0; turn < 50; turn++)
        {
            queue.negotiated(ALL, 0);
            Commands.random(random, 40).forEach(each -> queue.handle(each, 0, each.capacity()));
            final UnsafeBuffer saved = new UnsafeBuffer(new byte[ReceiveState.MAX_SAVED]);
            final int length = queue.state().save(saved, 0);
            assertTrue(ControlQueue.isSaved(saved, 0, length), "seed " + seed);
            assertFalse(ControlQueue.isSaved(saved, 0, length - 1), "seed " + seed);
            final ControlQueue other = queue(ALL, 0);
            other.restore(saved, 0, length);
            final UnsafeBuffer again = new UnsafeBuffer(new byte[ReceiveState.MAX_SAVED]);
            assertEquals(length, other.state().save(again, 0), "seed " + seed);
            assertEquals(saved, again, "seed " + seed);
        }
    }

    @Test
    void shouldFindRoomForTheLongestStateThereIs()
    {
        for (int vlan = 0; vlan < 4096; vlan++)
        {
            send(ControlCommand.VLAN_ADD, Commands.number(vlan));
        }
        send(ControlCommand.MAC_TABLE_SET, Commands.tables(new long[500], new long[65]));
        send(ControlCommand.MAC_ADDRESS_SET, Commands.address(MAC));
        send(ControlCommand.RSS_SET, Commands.rss(ToeplitzHash.ALL_TYPES, 0, new int[RssTable.MAX_ENTRIES], 1));
        send(ControlCommand.OFFLOADS_SET, Commands.offloads(0));
        final int length = queue.state().save(new UnsafeBuffer(new byte[ReceiveState.MAX_SAVED]), 0);
        System.out.println("the longest state of a control queue: " + length + " bytes");
    }

    @Test
    void shouldSurviveAnyBytesAndDoNothingWithoutSayingSo()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        int done = 0;
        for (int turn = 0; turn < 20_000; turn++)
        {
            final UnsafeBuffer bytes = Commands.spoiled(random);
            final int before = effects.calls;
            final int result = queue.handle(bytes, 0, bytes.capacity());
            assertEquals(ControlQueue.OK == result, effects.calls > before, "seed " + seed);
            done += ControlQueue.OK == result ? 1 : 0;
        }
        System.out.println("control queue, seed " + seed + ": " + done + " of 20000 random commands were ones");
    }

    private void assertUsed(final int pairs)
    {
        for (int pair = 0; pair < PAIRS; pair++)
        {
            assertEquals(pair < pairs, effects.rules.uses(pair), "pair " + pair);
        }
    }

    private void assertRefused(final ControlCommand command, final byte[] payload)
    {
        final int before = effects.calls;
        assertEquals(ControlQueue.ERROR, send(command, payload), command + " of " + payload.length + " bytes");
        assertEquals(before, effects.calls, "a refused command has no effect");
    }

    private int send(final ControlCommand command, final byte[] payload)
    {
        return send(queue, command, payload);
    }

    private static int send(final ControlQueue to, final ControlCommand command, final byte[] payload)
    {
        final UnsafeBuffer bytes = Commands.of(command, payload);
        return to.handle(bytes, 0, bytes.capacity());
    }

    private ControlQueue queue(final long features, final long pinned)
    {
        final ControlQueue made = new ControlQueue(PAIRS, pinned, effects);
        made.negotiated(features, pinned);
        return made;
    }

    /** Writes down what is asked of it. */
    private static final class Effects implements ControlEffects
    {
        private ReceiveRules rules;
        private int offloads = -1;
        private long mac;
        private int calls;

        @Override
        public void receive(final ReceiveRules replacement)
        {
            rules = replacement;
            calls++;
        }

        @Override
        public void offloads(final int wanted)
        {
            offloads = wanted;
            calls++;
        }

        @Override
        public void address(final long address)
        {
            mac = address;
            calls++;
        }

        @Override
        public boolean announced()
        {
            calls++;
            return true;
        }
    }
}
