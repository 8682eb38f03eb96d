package io.ringtap.vhost.session;

import static io.ringtap.vhost.protocol.Request.SET_FEATURES;
import static io.ringtap.vhost.protocol.Request.SET_MEM_TABLE;
import static io.ringtap.vhost.protocol.Request.SET_PROTOCOL_FEATURES;
import static io.ringtap.vhost.protocol.Request.SET_VRING_ADDR;
import static io.ringtap.vhost.protocol.Request.SET_VRING_BASE;
import static io.ringtap.vhost.protocol.Request.SET_VRING_CALL;
import static io.ringtap.vhost.protocol.Request.SET_VRING_ENABLE;
import static io.ringtap.vhost.protocol.Request.SET_VRING_ERR;
import static io.ringtap.vhost.protocol.Request.SET_VRING_KICK;
import static io.ringtap.vhost.protocol.Request.SET_VRING_NUM;
import static io.ringtap.vhost.session.SessionFixture.QEMU_FEATURES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.virtio.NetFeatures;
import io.ringtap.vhost.virtio.RingSetup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The life of one ring: set up in any order, started by its kick, stopped by the question for its base. */
class VringTest
{
    private final SessionFixture fixture = new SessionFixture(2);
    private final FakeDataPlane dataPlane = fixture.dataPlane;
    private FrontendScript script;

    @AfterEach
    void tearDown()
    {
        script.close();
        fixture.close();
    }

    @Test
    @Tag("message.SET_VRING_NUM")
    @Tag("message.SET_VRING_BASE")
    @Tag("message.SET_VRING_ADDR")
    void shouldLatchTheSetupInWhateverOrderItCame()
    {
        withMemory(QEMU_FEATURES);

        script.send(SET_VRING_ADDR, TestGuest.address(1))
            .send(SET_VRING_BASE, Payloads.state(1, 0xFFFE))
            .send(SET_VRING_NUM, Payloads.state(1, 64));
        assertEquals("", dataPlane.takeCalls());
        assertEquals(0, kick(1));

        final long at = TestGuest.ringAddress(1);
        assertEquals(new RingSetup(1, 64, 0xFFFE, at, at + 0x1000, at + 0x2000, QEMU_FEATURES), dataPlane.running[1]);
        assertTrue(dataPlane.hasKick(1));
    }

    @Test
    void shouldRefuseAKickForARingThatIsNotSetUp()
    {
        withMemory(QEMU_FEATURES);

        assertNotEquals(0, kick(0));
        script.send(SET_VRING_NUM, Payloads.state(0, 64));
        assertNotEquals(0, kick(0));
        script.send(SET_VRING_ADDR, TestGuest.address(0));
        assertEquals(0, kick(0));
    }

    @Test
    void shouldRefuseToStartWithoutMemory()
    {
        script = fixture.negotiated();
        script.send(SET_VRING_NUM, Payloads.state(0, 64)).send(SET_VRING_ADDR, TestGuest.address(0));

        assertNotEquals(0, kick(0));

        script.send(SET_MEM_TABLE, fixture.guest.table(), fixture.guest.memory.number());
        assertEquals(0, kick(0));
    }

    @Test
    void shouldRefuseARingOutsideTheGuestsMemoryAndKeepNoKick()
    {
        withMemory(QEMU_FEATURES);
        final int open = OpenDescriptors.count();
        script.send(SET_VRING_NUM, Payloads.state(0, 64))
            .send(SET_VRING_ADDR, TestGuest.address(0, TestGuest.FRONTEND_ADDRESS + TestGuest.SIZE - 0x1000, 0));

        assertNotEquals(0, kick(0));

        assertFalse(dataPlane.hasKick(0));
        assertEquals(open, OpenDescriptors.count());
        script.send(SET_VRING_ADDR, TestGuest.address(0));
        assertEquals(0, kick(0));
    }

    @Test
    void shouldRefuseSizesThatNoRingHas()
    {
        withMemory(QEMU_FEATURES);
        for (final int size : new int[]{0, 32769, -1, Integer.MIN_VALUE})
        {
            assertNotEquals(0, script.acked(SET_VRING_NUM, Payloads.state(0, size)), "size " + size);
        }

        assertEquals(0, script.acked(SET_VRING_NUM, Payloads.state(0, 48)));
        script.send(SET_VRING_ADDR, TestGuest.address(0));
        assertNotEquals(0, kick(0));
    }

    @Test
    @Tag("virtio.RING_PACKED")
    void shouldTakeAnySizeAndAWideBaseForAPackedRing()
    {
        final long packed = QEMU_FEATURES | NetFeatures.bit(NetFeatures.RING_PACKED);
        script = fixture.connect();
        script.send(SET_PROTOCOL_FEATURES, Payloads.u64(SessionFixture.NEGOTIATED));
        assertEquals(0, script.acked(SET_FEATURES, Payloads.u64(packed)));
        script.send(SET_MEM_TABLE, fixture.guest.table(), fixture.guest.memory.number());

        script.send(SET_VRING_NUM, Payloads.state(0, 48))
            .send(SET_VRING_BASE, Payloads.state(0, 0x80008000))
            .send(SET_VRING_ADDR, TestGuest.address(0));
        assertEquals(0, kick(0));

        assertEquals(0x80008000, dataPlane.running[0].base());
        assertEquals(0x80008000, script.askBase(0));
    }

    @Test
    void shouldRefuseAWideBaseForASplitRing()
    {
        withMemory(QEMU_FEATURES);
        script.send(SET_VRING_NUM, Payloads.state(0, 64))
            .send(SET_VRING_BASE, Payloads.state(0, 0x10000))
            .send(SET_VRING_ADDR, TestGuest.address(0));

        assertNotEquals(0, kick(0));
    }

    @Test
    void shouldRefuseAddressesThatAreNotAligned()
    {
        withMemory(QEMU_FEATURES);
        final long at = TestGuest.FRONTEND_ADDRESS;

        assertNotEquals(0, script.acked(SET_VRING_ADDR, Payloads.address(0, 0, at + 8, at + 0x2000, at + 0x1000, 0)));
        assertNotEquals(0, script.acked(SET_VRING_ADDR, Payloads.address(0, 0, at, at + 0x2002, at + 0x1000, 0)));
        assertNotEquals(0, script.acked(SET_VRING_ADDR, Payloads.address(0, 0, at, at + 0x2000, at + 0x1001, 0)));
        assertEquals(0, script.acked(SET_VRING_ADDR, Payloads.address(0, 0, at, at + 0x2004, at + 0x1002, 0)));
    }

    @Test
    void shouldNotChangeSizeOrBaseOfARunningRing()
    {
        script = fixture.running();

        assertNotEquals(0, script.acked(SET_VRING_NUM, Payloads.state(0, 128)));
        assertNotEquals(0, script.acked(SET_VRING_BASE, Payloads.state(0, 1)));

        script.askBase(0);
        assertEquals(0, script.acked(SET_VRING_NUM, Payloads.state(0, 128)));
        assertEquals(0, script.acked(SET_VRING_BASE, Payloads.state(0, 1)));
    }

    @Test
    void shouldNotTouchARunningRingWhenOnlyTheLogFlagChanges()
    {
        script = fixture.running();

        assertEquals(0, script.acked(SET_VRING_ADDR, TestGuest.address(0, TestGuest.ringAddress(0), 1)));
        assertEquals(0, script.acked(SET_VRING_ADDR, TestGuest.address(0)));

        assertEquals("log ring 0 at 40000000, log ring 0 at ffffffffffffffff", dataPlane.takeCalls());
    }

    @Test
    @Tag("message.SET_VRING_ADDR")
    void shouldMoveARunningRingAndGoOnWhereItIs()
    {
        script = fixture.running();
        dataPlane.bases[0] = 5;

        assertEquals(0, script.acked(SET_VRING_ADDR, TestGuest.address(0, TestGuest.ringAddress(4), 0)));

        assertEquals("stop 0, start 0 size 256 base 5", dataPlane.takeCalls());
        assertEquals(TestGuest.ringAddress(4), dataPlane.running[0].descriptorAddress());
    }

    @Test
    void shouldLeaveARunningRingWhereItWasWhenTheNewPlaceIsNoMemory()
    {
        script = fixture.running();
        dataPlane.bases[0] = 5;

        assertNotEquals(0, script.acked(SET_VRING_ADDR, TestGuest.address(0, 0x1000, 0)));

        assertEquals("stop 0, start 0 size 256 base 5", dataPlane.takeCalls());
        assertEquals(TestGuest.ringAddress(0), dataPlane.running[0].descriptorAddress());
        assertEquals(5, script.askBase(0));
    }

    @Test
    @Tag("message.SET_VRING_KICK")
    void shouldSwapTheKickOfARunningRing()
    {
        script = fixture.running();
        final int open = OpenDescriptors.count();

        assertEquals(0, kick(0));

        assertEquals("kick 0", dataPlane.takeCalls());
        assertEquals(open, OpenDescriptors.count());
    }

    @Test
    @Tag("message.SET_VRING_KICK")
    @Tag("message.SET_VRING_CALL")
    @Tag("message.SET_VRING_ERR")
    void shouldTakeRingsWithoutDescriptors()
    {
        withMemory(QEMU_FEATURES);
        script.send(SET_VRING_NUM, Payloads.state(0, 64)).send(SET_VRING_ADDR, TestGuest.address(0));

        assertEquals(0, script.acked(SET_VRING_KICK, Payloads.withoutDescriptor(0)));
        assertEquals(0, script.acked(SET_VRING_CALL, Payloads.withoutDescriptor(0)));
        assertEquals(0, script.acked(SET_VRING_ERR, Payloads.withoutDescriptor(0)));

        assertEquals("kick 0 none, start 0 size 64 base 0, call 0 none, error 0 none", dataPlane.takeCalls());
    }

    @Test
    void shouldRefuseADescriptorThatIsSaidNotToBeThere()
    {
        withMemory(QEMU_FEATURES);
        final int open = OpenDescriptors.count();

        for (final Request request : new Request[]{SET_VRING_KICK, SET_VRING_CALL, SET_VRING_ERR})
        {
            assertNotEquals(0, script.acked(
                request, Payloads.withoutDescriptor(0), fixture.guest.event.number()));
            assertNotEquals(0, script.acked(request, Payloads.withDescriptor(0)));
        }

        assertEquals("", dataPlane.takeCalls());
        assertEquals(open, OpenDescriptors.count());
    }

    @Test
    @Tag("message.SET_VRING_ENABLE")
    void shouldKeepEnabledThroughKickAndStop()
    {
        script = fixture.running();
        dataPlane.takeCalls();

        script.askBase(0);
        fixture.guest.setUpRing(script, 0, 0);

        assertTrue(dataPlane.isEnabled(0));
        assertEquals("stop 0, kick 0, start 0 size 256 base 0, call 0", dataPlane.takeCalls());
    }

    @Test
    @Tag("message.GET_VRING_BASE")
    void shouldAnswerTheSameBaseTwiceAndBeforeAnything()
    {
        script = fixture.negotiated();
        assertEquals(0, script.askBase(1));
        script.send(SET_VRING_BASE, Payloads.state(1, 77));
        assertEquals(77, script.askBase(1));

        script.close();
        script = fixture.running();
        dataPlane.bases[1] = 88;
        assertEquals(88, script.askBase(1));
        assertEquals(88, script.askBase(1));
        assertNull(dataPlane.running[1]);
    }

    @Test
    void shouldRefuseToEnableByHalves()
    {
        script = fixture.negotiated();

        assertNotEquals(0, script.acked(SET_VRING_ENABLE, Payloads.state(0, 2)));
        assertNotEquals(0, script.acked(SET_VRING_ENABLE, Payloads.state(0, -1)));
        assertFalse(dataPlane.isEnabled(0));
    }

    private void withMemory(final long features)
    {
        script = fixture.connect();
        script.send(SET_PROTOCOL_FEATURES, Payloads.u64(SessionFixture.NEGOTIATED));
        script.send(SET_FEATURES, Payloads.u64(features));
        script.send(SET_MEM_TABLE, fixture.guest.table(), fixture.guest.memory.number());
        dataPlane.takeCalls();
    }

    private long kick(final int ring)
    {
        return script.acked(SET_VRING_KICK, Payloads.withDescriptor(ring), fixture.guest.event.number());
    }
}
