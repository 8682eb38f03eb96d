package io.ringtap.vhost.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;

import io.ringtap.vhost.virtio.NetFeatures;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which frames a guest gets after what it said. */
class ReceiveFilterTest
{
    private static final long OURS = 0x0605_0403_0202L;
    private static final long OTHER = 0x0605_0403_0302L;
    private static final long THIRD = 0x0605_0403_0402L;
    private static final long GROUP = 0x0100_005E_0001L;
    private static final long OTHER_GROUP = 0x0200_005E_0001L;
    private static final long BROADCAST = 0xFFFF_FFFF_FFFFL;

    private ReceiveRules rules;
    private final ControlQueue queue = new ControlQueue(1, 0, new ControlEffects()
    {
        @Override
        public void receive(final ReceiveRules replacement)
        {
            rules = replacement;
        }

        @Override
        public void offloads(final int offloads)
        {
            // Not asked for here.
        }

        @Override
        public void address(final long mac)
        {
            // As the rules say.
        }

        @Override
        public boolean announced()
        {
            return false;
        }
    });

    @BeforeEach
    void begin()
    {
        queue.negotiated(NetFeatures.CONTROL, OURS);
    }

    @Test
    @Tag("virtio.CTRL_RX")
    void shouldLetEverythingThroughUntilTheDriverKnowsBetter()
    {
        assertNull(rules.filter());
        say(ControlCommand.PROMISCUOUS, Commands.on(false));
        assertWanted(OURS, BROADCAST);
        assertUnwanted(OTHER, GROUP);
        say(ControlCommand.PROMISCUOUS, Commands.on(true));
        assertNull(rules.filter());
    }

    @Test
    @Tag("virtio.CTRL_RX")
    void shouldWantTheAddressesOfTheTablesAndNoOthers()
    {
        say(ControlCommand.PROMISCUOUS, Commands.on(false));
        say(ControlCommand.MAC_TABLE_SET, Commands.tables(new long[]{OTHER}, new long[]{GROUP}));
        assertWanted(OURS, OTHER, GROUP, BROADCAST);
        assertUnwanted(THIRD, OTHER_GROUP);
        say(ControlCommand.ALL_MULTICAST, Commands.on(true));
        assertWanted(OTHER_GROUP);
        assertUnwanted(THIRD);
        say(ControlCommand.MAC_TABLE_SET, Commands.tables(new long[0], new long[0]));
        assertUnwanted(OTHER);
    }

    @Test
    @Tag("virtio.CTRL_RX_EXTRA")
    void shouldKnowTheFurtherModes()
    {
        say(ControlCommand.PROMISCUOUS, Commands.on(false));
        say(ControlCommand.ALL_UNICAST, Commands.on(true));
        assertWanted(THIRD);
        say(ControlCommand.NO_UNICAST, Commands.on(true));
        assertUnwanted(THIRD, OURS);
        say(ControlCommand.ALL_MULTICAST, Commands.on(true));
        say(ControlCommand.NO_MULTICAST, Commands.on(true));
        assertUnwanted(GROUP);
        assertWanted(BROADCAST);
        say(ControlCommand.NO_BROADCAST, Commands.on(true));
        assertUnwanted(BROADCAST);
    }

    @Test
    @Tag("virtio.CTRL_MAC_ADDR")
    void shouldFollowTheDevicesAddress()
    {
        say(ControlCommand.PROMISCUOUS, Commands.on(false));
        say(ControlCommand.MAC_ADDRESS_SET, Commands.address(THIRD));
        assertWanted(THIRD);
        assertUnwanted(OURS);
    }

    /** Front-ends may keep the address to themselves. */
    @Test
    void shouldTakeEveryStationForTheGuestWhileNobodySaidWhichItIs()
    {
        queue.negotiated(NetFeatures.CONTROL, 0);
        say(ControlCommand.PROMISCUOUS, Commands.on(false));
        assertWanted(OURS, OTHER);
        assertUnwanted(GROUP);
        say(ControlCommand.MAC_ADDRESS_SET, Commands.address(OTHER));
        assertUnwanted(OURS);
    }

    @Test
    @Tag("virtio.CTRL_VLAN")
    void shouldWantTheVlansThatTheDriverNamed()
    {
        say(ControlCommand.PROMISCUOUS, Commands.on(false));
        assertTrue(isWanted(tagged(OURS, 100)), "all, as long as the driver speaks of none");
        say(ControlCommand.VLAN_ADD, Commands.number(100));
        say(ControlCommand.VLAN_ADD, Commands.number(4095));
        for (int vlan = 0; vlan < 4096; vlan++)
        {
            final boolean isIn = 0 == vlan || 100 == vlan || 4095 == vlan;
            assertEquals(isIn, isWanted(tagged(OURS, vlan)), "VLAN " + vlan);
            assertEquals(isIn, isWanted(tagged(OURS, vlan | 0xE000)), "VLAN " + vlan + " with a priority");
            assertFalse(isWanted(tagged(OTHER, vlan)));
        }
        assertWanted(OURS);
        say(ControlCommand.VLAN_DELETE, Commands.number(100));
        assertFalse(isWanted(tagged(OURS, 100)));
        assertTrue(isWanted(tagged(OURS, 4095)));
    }

    @Test
    void shouldWantEveryAddressOfAKindWithTooManyOfThem()
    {
        final long[] many = new Random(5).longs(65, 0, 1L << 40).map(each -> each << 8 | 2).toArray();
        say(ControlCommand.PROMISCUOUS, Commands.on(false));
        say(ControlCommand.MAC_TABLE_SET, Commands.tables(many, new long[0]));
        assertWanted(THIRD);
        assertUnwanted(GROUP);
        final long[] most = new Random(6).longs(64, 0, 1L << 40).map(each -> each << 8 | 2).toArray();
        say(ControlCommand.MAC_TABLE_SET, Commands.tables(most, new long[0]));
        assertUnwanted(THIRD);
        assertWanted(most);
    }

    private void say(final ControlCommand command, final byte[] payload)
    {
        final UnsafeBuffer bytes = Commands.of(command, payload);
        assertEquals(ControlQueue.OK, queue.handle(bytes, 0, bytes.capacity()));
    }

    private void assertWanted(final long... destinations)
    {
        for (final long each : destinations)
        {
            assertTrue(isWanted(frame(each)), Long.toHexString(each));
        }
    }

    private void assertUnwanted(final long... destinations)
    {
        for (final long each : destinations)
        {
            assertFalse(isWanted(frame(each)), Long.toHexString(each));
        }
    }

    private boolean isWanted(final UnsafeBuffer frame)
    {
        return rules.filter().accepts(frame, 0, frame.capacity());
    }

    private static UnsafeBuffer frame(final long destination)
    {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[60]);
        frame.putBytes(0, Commands.address(destination));
        frame.putByte(12, (byte)8);
        return frame;
    }

    private static UnsafeBuffer tagged(final long destination, final int tag)
    {
        final UnsafeBuffer frame = frame(destination);
        frame.putByte(12, (byte)0x81);
        frame.putByte(14, (byte)(tag >>> 8));
        frame.putByte(15, (byte)tag);
        return frame;
    }
}
