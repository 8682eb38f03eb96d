package io.ringtap.vhost.session;

import static io.ringtap.vhost.protocol.Request.GET_FEATURES;
import static io.ringtap.vhost.protocol.Request.GET_PROTOCOL_FEATURES;
import static io.ringtap.vhost.protocol.Request.GET_QUEUE_NUM;
import static io.ringtap.vhost.protocol.Request.SET_BACKEND_REQ_FD;
import static io.ringtap.vhost.protocol.Request.SET_FEATURES;
import static io.ringtap.vhost.protocol.Request.SET_LOG_BASE;
import static io.ringtap.vhost.protocol.Request.SET_MEM_TABLE;
import static io.ringtap.vhost.protocol.Request.SET_OWNER;
import static io.ringtap.vhost.protocol.Request.SET_PROTOCOL_FEATURES;
import static io.ringtap.vhost.protocol.Request.SET_VRING_ADDR;
import static io.ringtap.vhost.protocol.Request.SET_VRING_BASE;
import static io.ringtap.vhost.protocol.Request.SET_VRING_CALL;
import static io.ringtap.vhost.protocol.Request.SET_VRING_ENABLE;
import static io.ringtap.vhost.protocol.Request.SET_VRING_ERR;
import static io.ringtap.vhost.protocol.Request.SET_VRING_KICK;
import static io.ringtap.vhost.protocol.Request.SET_VRING_NUM;
import static io.ringtap.vhost.session.SessionFixture.OFFERED_WITHOUT_LOG;
import static io.ringtap.vhost.session.SessionFixture.QEMU_FEATURES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.sys.Fd;
import io.ringtap.sys.MemFd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Front-ends that do it in another order, or with less. */
class FrontendDialectsTest
{
    private SessionFixture fixture;
    private FrontendScript script;

    @AfterEach
    void tearDown()
    {
        script.close();
        fixture.close();
    }

    @Test
    void shouldServeAFrontendThatIsOfferedNoStatus()
    {
        fixture = new SessionFixture(2, new SessionContext().protocolFeatures(0xd));
        script = fixture.connect();
        assertEquals(OFFERED_WITHOUT_LOG, script.askU64(GET_FEATURES));
        assertEquals(0xd, script.askU64(GET_PROTOCOL_FEATURES));
        script.send(SET_PROTOCOL_FEATURES, Payloads.u64(0xd));
        assertEquals(2, script.askU64(GET_QUEUE_NUM));
        script.send(SET_OWNER, Payloads.NONE);
        interrupts();
        enableBoth();
        script.send(SET_FEATURES, Payloads.u64(QEMU_FEATURES));
        memTable();
        fixture.guest.setUpRing(script, 0, 0);
        fixture.guest.setUpRing(script, 1, 0);

        assertEquals(0, script.askBase(0));
        assertEquals(0, script.askBase(1));
        assertEquals(0, fixture.count(SessionCounter.REFUSED_MESSAGES));
    }

    @Test
    void shouldServeAFrontendThatTakesNoProtocolFeatureAtAll()
    {
        fixture = new SessionFixture(2, new SessionContext().protocolFeatures(0));
        script = fixture.connect();
        script.askU64(GET_FEATURES);
        assertEquals(0, script.askU64(GET_PROTOCOL_FEATURES));
        script.send(SET_PROTOCOL_FEATURES, Payloads.u64(0)).send(SET_OWNER, Payloads.NONE);
        interrupts();
        script.send(SET_VRING_ENABLE, Payloads.state(0, 1)).send(SET_VRING_ENABLE, Payloads.state(1, 1));
        script.send(SET_FEATURES, Payloads.u64(0x140000000L));
        script.send(SET_MEM_TABLE, fixture.guest.table(), fixture.guest.memory.number()).silence();
        fixture.guest.setUpRing(script, 0, 0);
        fixture.guest.setUpRing(script, 1, 0);

        assertEquals(256, fixture.dataPlane.running[1].size());
        assertTrue(fixture.dataPlane.isEnabled(1));
    }

    /** DPDK virtio-user: call before anything, kick last, no status, enable after the rings. */
    @Test
    void shouldServeDpdkVirtioUser()
    {
        fixture = new SessionFixture(2);
        script = fixture.connect();
        script.send(SET_OWNER, Payloads.NONE);
        script.askU64(GET_FEATURES);
        script.askU64(GET_PROTOCOL_FEATURES);
        script.send(SET_PROTOCOL_FEATURES, Payloads.u64(0x9));
        assertEquals(2, script.askU64(GET_QUEUE_NUM));
        for (int ring = 0; ring < 2; ring++)
        {
            script.send(SET_VRING_CALL, Payloads.withDescriptor(ring), fixture.guest.event.number());
        }

        script.send(SET_FEATURES, Payloads.u64(0x140008000L));
        memTable();
        for (int ring = 0; ring < 2; ring++)
        {
            script.send(SET_VRING_NUM, Payloads.state(ring, 1024))
                .send(SET_VRING_BASE, Payloads.state(ring, 0))
                .send(SET_VRING_ADDR, Payloads.address(ring, 0, TestGuest.FRONTEND_ADDRESS + 0x20000 * ring,
                    TestGuest.FRONTEND_ADDRESS + 0x20000 * ring + 0x8000,
                    TestGuest.FRONTEND_ADDRESS + 0x20000 * ring + 0x4000, 0))
                .send(SET_VRING_KICK, Payloads.withDescriptor(ring), fixture.guest.event.number());
        }

        script.send(SET_VRING_ENABLE, Payloads.state(0, 1)).send(SET_VRING_ENABLE, Payloads.state(1, 1));

        assertEquals(1024, fixture.dataPlane.running[0].size());
        assertTrue(fixture.dataPlane.isEnabled(0) && fixture.dataPlane.isEnabled(1));
        assertEquals(0, script.askBase(0));
        assertNull(fixture.dataPlane.running[0]);
        assertEquals(0, fixture.count(SessionCounter.REFUSED_MESSAGES));
    }

    /** Cloud Hypervisor: ADDR before BASE, need_reply on everything, SET_BACKEND_REQ_FD last. */
    @Test
    void shouldServeCloudHypervisor()
    {
        fixture = new SessionFixture(2);
        script = fixture.connect();
        script.send(SET_OWNER, Payloads.NONE);
        script.askU64(GET_FEATURES);
        script.askU64(GET_PROTOCOL_FEATURES);
        script.send(SET_PROTOCOL_FEATURES, Payloads.u64(0x2d));
        assertEquals(0, script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES)));
        memTable();
        for (int ring = 0; ring < 2; ring++)
        {
            assertEquals(0, script.acked(SET_VRING_NUM, Payloads.state(ring, 256)));
            assertEquals(0, script.acked(SET_VRING_ADDR, TestGuest.address(ring)));
            assertEquals(0, script.acked(SET_VRING_BASE, Payloads.state(ring, 9)));
            assertEquals(0, script.acked(SET_VRING_CALL, Payloads.withDescriptor(ring), fixture.guest.event.number()));
            assertEquals(0, script.acked(SET_VRING_KICK, Payloads.withDescriptor(ring), fixture.guest.event.number()));
            assertEquals(0, script.acked(SET_VRING_ENABLE, Payloads.state(ring, 1)));
        }

        backendRequests();

        assertEquals(9, fixture.dataPlane.running[0].base());
        assertEquals(9, fixture.dataPlane.running[1].base());
        assertEquals(0, fixture.count(SessionCounter.REFUSED_MESSAGES));
    }

    /** Cloud Hypervisor in a migration: it wants an acknowledgement of SET_LOG_BASE, and gets no second answer. */
    @Test
    void shouldLogForCloudHypervisor()
    {
        fixture = new SessionFixture(2);
        script = fixture.running();
        try (Fd log = MemFd.create("log", 0x8_0000))
        {
            assertEquals(0, script.acked(SET_LOG_BASE, Payloads.log(0x8_0000, 0), log.number()));
            script.silence();
        }

        assertEquals(0, script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES | SessionFixture.LOG_ALL)));
        for (int ring = 0; ring < 2; ring++)
        {
            assertEquals(0, script.acked(SET_VRING_ADDR,
                TestGuest.address(ring, TestGuest.ringAddress(ring), 1)));
        }

        assertNotNull(fixture.dataPlane.log);
        assertNotNull(fixture.dataPlane.running[1]);
        assertEquals(0, fixture.count(SessionCounter.REFUSED_MESSAGES));
    }

    /** crosvm asks for features before it owns, sends no status, and enables each ring behind its kick. */
    @Test
    void shouldServeCrosvm()
    {
        fixture = new SessionFixture(2);
        script = fixture.connect();
        script.askU64(GET_FEATURES);
        script.send(SET_OWNER, Payloads.NONE);
        final long protocol = script.askU64(GET_PROTOCOL_FEATURES) & 0x2d;
        script.send(SET_PROTOCOL_FEATURES, Payloads.u64(protocol));
        script.askU64(GET_QUEUE_NUM);
        assertEquals(0, script.acked(SET_FEATURES, Payloads.u64(QEMU_FEATURES)));
        memTable();
        for (int ring = 0; ring < 2; ring++)
        {
            assertEquals(0, script.acked(SET_VRING_NUM, Payloads.state(ring, 256)));
            assertEquals(0, script.acked(SET_VRING_ADDR, TestGuest.address(ring)));
            assertEquals(0, script.acked(SET_VRING_BASE, Payloads.state(ring, 0)));
            assertEquals(0, script.acked(SET_VRING_CALL, Payloads.withDescriptor(ring), fixture.guest.event.number()));
            assertEquals(0, script.acked(SET_VRING_KICK, Payloads.withDescriptor(ring), fixture.guest.event.number()));
            assertEquals(0, script.acked(SET_VRING_ENABLE, Payloads.state(ring, 1)));
        }

        assertTrue(fixture.dataPlane.isEnabled(0) && fixture.dataPlane.isEnabled(1));
        assertEquals(0, script.askBase(1));
        assertEquals(0, fixture.count(SessionCounter.REFUSED_MESSAGES));
    }

    private void interrupts()
    {
        for (int ring = 0; ring < 2; ring++)
        {
            script.send(SET_VRING_CALL, Payloads.withDescriptor(ring), fixture.guest.event.number())
                .send(SET_VRING_ERR, Payloads.withDescriptor(ring), fixture.guest.event.number());
        }
    }

    private void enableBoth()
    {
        script.send(SET_VRING_ENABLE, Payloads.state(0, 1)).send(SET_VRING_ENABLE, Payloads.state(1, 1));
    }

    private void memTable()
    {
        assertEquals(0, script.acked(SET_MEM_TABLE, fixture.guest.table(), fixture.guest.memory.number()));
    }

    private void backendRequests()
    {
        final Fd[] ends = SessionFixture.socketPair();
        try (Fd ours = ends[0]; Fd theirs = ends[1])
        {
            assertEquals(0, script.acked(SET_BACKEND_REQ_FD, Payloads.NONE, theirs.number()));
            assertTrue(ours.isOpen());
        }
    }
}
