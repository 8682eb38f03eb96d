package io.ringtap.vhost.session;

import static io.ringtap.vhost.protocol.Request.ADD_MEM_REG;
import static io.ringtap.vhost.protocol.Request.GET_MAX_MEM_SLOTS;
import static io.ringtap.vhost.protocol.Request.GET_STATUS;
import static io.ringtap.vhost.protocol.Request.NET_SET_MTU;
import static io.ringtap.vhost.protocol.Request.REM_MEM_REG;
import static io.ringtap.vhost.protocol.Request.RESET_DEVICE;
import static io.ringtap.vhost.protocol.Request.RESET_OWNER;
import static io.ringtap.vhost.protocol.Request.SEND_RARP;
import static io.ringtap.vhost.protocol.Request.SET_BACKEND_REQ_FD;
import static io.ringtap.vhost.protocol.Request.SET_FEATURES;
import static io.ringtap.vhost.protocol.Request.SET_MEM_TABLE;
import static io.ringtap.vhost.protocol.Request.SET_PROTOCOL_FEATURES;
import static io.ringtap.vhost.protocol.Request.SET_STATUS;
import static io.ringtap.vhost.protocol.Request.SET_VRING_ENABLE;
import static io.ringtap.vhost.session.SessionFixture.QEMU_FEATURES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.sys.SyscallException;
import io.ringtap.vhost.protocol.ProtocolFeature;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a session negotiates and remembers beside its rings. */
class SessionTest
{
    private static final long BIT_30 = 1L << 30;
    private static final long VERSION_1 = 1L << 32;

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
    @Tag("message.SET_FEATURES")
    @Tag("virtio.PROTOCOL_FEATURES")
    void shouldEnableEveryRingWhenBit30IsNotTaken()
    {
        script = fixture.connect();
        dataPlane.takeCalls();

        script.send(SET_FEATURES, Payloads.u64(VERSION_1));

        assertEquals("features 0x100000000, enable 0, enable 1", dataPlane.takeCalls());
    }

    @Test
    void shouldLeaveRingsDisabledWhenBit30IsTaken()
    {
        script = fixture.connect();

        script.send(SET_FEATURES, Payloads.u64(BIT_30 | VERSION_1));

        assertFalse(dataPlane.isEnabled(0) || dataPlane.isEnabled(1));
    }

    @Test
    void shouldRefuseFeaturesThatWereNotOffered()
    {
        script = fixture.negotiated();
        dataPlane.takeCalls();

        assertNotEquals(0, script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES | 1L << 57)));

        assertEquals("", dataPlane.takeCalls());
    }

    @Test
    @Tag("message.SET_FEATURES")
    void shouldRefuseOtherFeaturesWhileRingsRun()
    {
        script = fixture.running();

        assertNotEquals(0, script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES & ~1L)));
        assertEquals(0, script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES)));
        assertEquals("", dataPlane.takeCalls());

        script.askBase(0);
        script.askBase(1);
        assertEquals(0, script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES & ~1L)));
    }

    @Test
    @Tag("message.SET_PROTOCOL_FEATURES")
    void shouldTakeProtocolFeaturesFromAFrontendThatNeverAskedForThem()
    {
        script = fixture.connect();

        script.send(SET_PROTOCOL_FEATURES, Payloads.u64(ProtocolFeature.REPLY_ACK.mask()));

        assertEquals(0, script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES)));
    }

    @Test
    @Tag("protocol.REPLY_ACK")
    void shouldAckTheMessageThatTurnsAcksOn()
    {
        script = fixture.connect();

        assertEquals(0, script.acked(SET_PROTOCOL_FEATURES, Payloads.u64(ProtocolFeature.REPLY_ACK.mask())));
    }

    @Test
    @Tag("protocol.REPLY_ACK")
    void shouldNotAckBeforeAcksWereNegotiated()
    {
        script = fixture.connect();

        script.sendRaw(SET_FEATURES.code(), 0x9, Payloads.u64(QEMU_FEATURES)).silence();
    }

    @Test
    void shouldCloseWhenProtocolFeaturesAreAlienAndNobodyCanBeTold()
    {
        script = fixture.connect();

        script.send(SET_PROTOCOL_FEATURES, Payloads.u64(ProtocolFeature.XEN_MMAP.mask()));

        assertTrue(script.isClosedByPeer());
        assertEquals(1, fixture.count(SessionCounter.PROTOCOL_VIOLATIONS));
    }

    @Test
    void shouldRefuseAlienProtocolFeaturesWhenItCanTell()
    {
        script = fixture.negotiated();

        assertNotEquals(0, script.acked(SET_PROTOCOL_FEATURES, Payloads.u64(ProtocolFeature.XEN_MMAP.mask())));
        assertEquals(509, script.askU64(GET_MAX_MEM_SLOTS));
    }

    @Test
    @Tag("message.SET_MEM_TABLE")
    void shouldReplaceMemoryUnderRunningRings()
    {
        script = fixture.running();

        assertEquals(0, script.acked(SET_MEM_TABLE, fixture.guest.table(), fixture.guest.memory.number()));

        assertEquals("memory 1", dataPlane.takeCalls());
        assertEquals(0x100, dataPlane.running[1].size());
    }

    @Test
    void shouldTakeATableOfAllEightSlots()
    {
        script = fixture.negotiated();
        final byte[] slots = java.util.Arrays.copyOf(fixture.guest.table(), 264);

        assertEquals(0, script.acked(SET_MEM_TABLE, slots, fixture.guest.memory.number()));

        assertEquals(1, dataPlane.regionCount());
    }

    @Test
    void shouldKeepTheOldMemoryWhenTheNewOneIsRefused()
    {
        script = fixture.running();
        final long[] region = fixture.guest.region();
        final int memory = fixture.guest.memory.number();
        final int open = OpenDescriptors.count();

        region[1] = 2 * TestGuest.SIZE;
        assertNotEquals(0, script.acked(SET_MEM_TABLE, Payloads.table(region), memory));
        assertNotEquals(0, script.acked(SET_MEM_TABLE, fixture.guest.table()));
        assertNotEquals(0, script.acked(SET_MEM_TABLE, fixture.guest.table(), memory, memory));
        assertNotEquals(0, script.acked(SET_MEM_TABLE,
            Payloads.table(fixture.guest.region(), fixture.guest.region()), memory, memory));
        assertNotEquals(0, script.acked(SET_MEM_TABLE, Payloads.u64(9), memory));
        assertNotEquals(0, script.acked(SET_MEM_TABLE, fixture.guest.table(), fixture.guest.event.number()));

        assertEquals("", dataPlane.takeCalls());
        assertEquals(1, dataPlane.regionCount());
        assertEquals(open, OpenDescriptors.count());
    }

    @Test
    @Tag("message.GET_MAX_MEM_SLOTS")
    @Tag("message.ADD_MEM_REG")
    @Tag("message.REM_MEM_REG")
    @Tag("protocol.CONFIGURE_MEM_SLOTS")
    void shouldAddAndRemoveRegions()
    {
        script = fixture.running();
        final byte[] extra = Payloads.region(0x1_0000_0000L, 0x10000, 0x7e00_0000_0000L, 0);

        assertEquals(0, script.acked(ADD_MEM_REG, extra, fixture.guest.memory.number()));
        assertEquals("memory 2", dataPlane.takeCalls());
        assertNotEquals(0, script.acked(ADD_MEM_REG, extra, fixture.guest.memory.number()));

        assertEquals(0, script.acked(REM_MEM_REG, extra));
        assertEquals("memory 1", dataPlane.takeCalls());
        assertNotEquals(0, script.acked(REM_MEM_REG, extra, fixture.guest.memory.number()));
        assertEquals("", dataPlane.takeCalls());
    }

    @Test
    void shouldRefuseToRemoveTheRegionOfARunningRing()
    {
        script = fixture.running();

        final int open = OpenDescriptors.count();
        final int memory = fixture.guest.memory.number();

        assertNotEquals(0, script.acked(REM_MEM_REG, Payloads.region(fixture.guest.region()), memory));
        assertEquals("", dataPlane.takeCalls());
        assertEquals(open, OpenDescriptors.count());

        script.askBase(0);
        script.askBase(1);
        assertEquals(0, script.acked(REM_MEM_REG, Payloads.region(fixture.guest.region())));
        assertEquals(0, dataPlane.regionCount());
    }

    @Test
    @Tag("message.SET_STATUS")
    @Tag("message.GET_STATUS")
    @Tag("protocol.STATUS")
    void shouldStopRingsAtStatusZeroAndKeepTheirBases()
    {
        script = fixture.running();
        dataPlane.bases[0] = 7;
        script.send(SET_STATUS, Payloads.u64(0xf));
        assertEquals(0xf, script.askU64(GET_STATUS));

        script.send(SET_STATUS, Payloads.u64(0));

        assertEquals("stop 0, stop 1", dataPlane.takeCalls());
        assertEquals(7, script.askBase(0));
        assertEquals("", dataPlane.takeCalls());
        assertTrue(dataPlane.isEnabled(0));
        assertEquals(0, script.askU64(GET_STATUS));
        assertNotEquals(0, script.acked(SET_STATUS, Payloads.u64(0x100)));
    }

    @Test
    @Tag("message.RESET_DEVICE")
    @Tag("protocol.RESET_DEVICE")
    void shouldForgetTheDeviceButNotTheSessionAtReset()
    {
        script = fixture.running();
        script.send(SET_STATUS, Payloads.u64(0xf));

        assertEquals(0, script.acked(RESET_DEVICE, Payloads.NONE));

        assertEquals("stop 0, stop 1, disable 0, disable 1, features 0x0", dataPlane.takeCalls());
        assertEquals(1, dataPlane.regionCount());
        assertEquals(0, script.askU64(GET_STATUS));
        assertEquals(0, script.askBase(0));
        // and it can start again
        assertEquals(0, script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES)));
        fixture.guest.setUpRing(script, 0, 3);
        script.send(SET_VRING_ENABLE, Payloads.state(0, 1));
        assertEquals(3, dataPlane.running[0].base());
    }

    @Test
    @Tag("message.RESET_OWNER")
    void shouldIgnoreResetOwner()
    {
        script = fixture.running();

        assertEquals(0, script.acked(RESET_OWNER, Payloads.NONE));

        assertEquals("", dataPlane.takeCalls());
    }

    @Test
    @Tag("message.NET_SET_MTU")
    @Tag("protocol.NET_MTU")
    @Tag("virtio.MTU")
    void shouldSetAnMtuThatThePortCanHave()
    {
        script = fixture.negotiated();
        dataPlane.takeCalls();

        assertEquals(0, script.acked(NET_SET_MTU, Payloads.u64(9000)));
        assertNotEquals(0, script.acked(NET_SET_MTU, Payloads.u64(9001)));
        assertEquals("mtu 9000, mtu 9001", dataPlane.takeCalls());

        assertNotEquals(0, script.acked(NET_SET_MTU, Payloads.u64(67)));
        assertNotEquals(0, script.acked(NET_SET_MTU, Payloads.u64(65536)));
        assertNotEquals(0, script.acked(NET_SET_MTU, Payloads.u64(-1)));
        assertNotEquals(0, script.acked(NET_SET_MTU, Payloads.u64(0x1_0000_05DCL)));
        assertEquals("", dataPlane.takeCalls());
    }

    @Test
    @Tag("message.SEND_RARP")
    @Tag("protocol.RARP")
    void shouldAnnounceTheMac()
    {
        script = fixture.negotiated();
        dataPlane.takeCalls();

        assertEquals(0, script.acked(SEND_RARP, Payloads.u64(0xFFFF_5634_1200_5452L)));

        assertEquals("announce 563412005452", dataPlane.takeCalls());
    }

    @Test
    @Tag("message.SET_BACKEND_REQ_FD")
    @Tag("protocol.BACKEND_REQ")
    void shouldKeepOneBackendChannel()
    {
        script = fixture.negotiated();
        final int open = OpenDescriptors.count();

        for (int i = 0; i < 10; i++)
        {
            assertEquals(0, script.acked(SET_BACKEND_REQ_FD, Payloads.NONE, fixture.guest.event.number()));
        }

        assertEquals(open + 1, OpenDescriptors.count());
        script.hangUp();
        assertEquals(open - 2, OpenDescriptors.count());
    }

    @Test
    void shouldAnswerWhatTheHostRefuses()
    {
        script = fixture.negotiated();
        dataPlane.failure = new SyscallException("mmap", 12, "memory");

        assertNotEquals(0, script.acked(SET_VRING_ENABLE, Payloads.state(0, 1)));

        dataPlane.failure = null;
        assertEquals(0, script.acked(SET_VRING_ENABLE, Payloads.state(0, 1)));
        assertTrue(fixture.agent.isConnected());
    }

    @Test
    void shouldAnswerUnknownRequestsOnlyWhenAsked()
    {
        script = fixture.negotiated();
        final int open = OpenDescriptors.count();

        script.sendRaw(46, 0x9, Payloads.zeros(100), fixture.guest.event.number());
        assertNotEquals(0, script.u64(46));
        script.sendRaw(0x7FFF_FFFF, 0x1, Payloads.zeros(4096), fixture.guest.event.number()).silence();
        script.sendRaw(0, 0x9, Payloads.NONE);
        assertNotEquals(0, script.u64(0));

        assertEquals(3, fixture.count(SessionCounter.UNKNOWN_MESSAGES));
        assertEquals(2, fixture.count(SessionCounter.CLOSED_DESCRIPTORS));
        assertEquals(open, OpenDescriptors.count());
        assertEquals(509, script.askU64(GET_MAX_MEM_SLOTS));
    }
}
