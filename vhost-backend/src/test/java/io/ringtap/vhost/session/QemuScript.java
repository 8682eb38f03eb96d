package io.ringtap.vhost.session;

import static io.ringtap.vhost.protocol.Request.GET_FEATURES;
import static io.ringtap.vhost.protocol.Request.GET_PROTOCOL_FEATURES;
import static io.ringtap.vhost.protocol.Request.GET_QUEUE_NUM;
import static io.ringtap.vhost.protocol.Request.GET_STATUS;
import static io.ringtap.vhost.protocol.Request.SET_BACKEND_REQ_FD;
import static io.ringtap.vhost.protocol.Request.SET_FEATURES;
import static io.ringtap.vhost.protocol.Request.SET_MEM_TABLE;
import static io.ringtap.vhost.protocol.Request.SET_OWNER;
import static io.ringtap.vhost.protocol.Request.SET_PROTOCOL_FEATURES;
import static io.ringtap.vhost.protocol.Request.SET_STATUS;
import static io.ringtap.vhost.protocol.Request.SET_VRING_CALL;
import static io.ringtap.vhost.protocol.Request.SET_VRING_ENABLE;
import static io.ringtap.vhost.protocol.Request.SET_VRING_ERR;
import static io.ringtap.vhost.session.SessionFixture.OFFERED;
import static io.ringtap.vhost.session.SessionFixture.QEMU_FEATURES;
import static io.ringtap.vhost.session.SessionFixture.QEMU_MQ_FEATURES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.sys.Fd;

/** QEMU's half of a session, in the order that was recorded. */
final class QemuScript
{
    /** Where the front-ends differ. */
    enum Version
    {
        /** SET_STATUS 0 before GET_VRING_BASE; SET_VRING_ENABLE without need_reply. */
        V7_2,
        /** The other way round; SET_VRING_ENABLE with need_reply. */
        V10_0
    }

    private final SessionFixture fixture;
    private final Version qemu;
    private FrontendScript script;

    QemuScript(final SessionFixture fixture, final Version version)
    {
        this.fixture = fixture;
        this.qemu = version;
        script = fixture.connect();
    }

    FrontendScript script()
    {
        return script;
    }

    /** A new process in the place of the one that went. */
    void reconnect()
    {
        script = fixture.connect();
    }

    int event()
    {
        return fixture.guest.event.number();
    }

    void processStart()
    {
        greet(true);
        vrings(0);
        enable(1, 1);
    }

    void greet(final boolean isFirstPair)
    {
        assertEquals(OFFERED, script.askU64(GET_FEATURES));
        final long offered = script.askU64(GET_PROTOCOL_FEATURES);
        script.send(SET_PROTOCOL_FEATURES, Payloads.u64(offered)).silence();
        if (isFirstPair)
        {
            assertEquals(fixture.dataPlane.ringCount(), script.askU64(GET_QUEUE_NUM));
            backendRequests();
            script.send(SET_OWNER, Payloads.NONE);
        }

        assertEquals(OFFERED, script.askU64(GET_FEATURES));
    }

    void backendRequests()
    {
        final Fd[] ends = SessionFixture.socketPair();
        try (Fd ours = ends[0]; Fd theirs = ends[1])
        {
            assertEquals(0, script.acked(SET_BACKEND_REQ_FD, Payloads.NONE, theirs.number()));
            assertTrue(ours.isOpen());
        }
    }

    void vrings(final int first)
    {
        for (int ring = first; ring < first + 2; ring++)
        {
            script.send(SET_VRING_CALL, Payloads.withDescriptor(ring), event())
                .send(SET_VRING_ERR, Payloads.withDescriptor(ring), event());
        }
    }

    void enable(final int... values)
    {
        for (int ring = 0; ring < values.length; ring++)
        {
            if (Version.V10_0 == qemu)
            {
                assertEquals(0, script.acked(SET_VRING_ENABLE, Payloads.state(ring, values[ring])));
            }
            else
            {
                script.send(SET_VRING_ENABLE, Payloads.state(ring, values[ring])).silence();
            }
        }
    }

    void memTable()
    {
        assertEquals(0, script.acked(SET_MEM_TABLE, fixture.guest.table(), fixture.guest.memory.number()));
    }

    private void status(final int value)
    {
        script.askU64(GET_STATUS);
        script.send(SET_STATUS, Payloads.u64(value)).silence();
    }

    void probe(final int base0, final int base1)
    {
        enable(1, 1);
        enable(1, 1);
        script.send(SET_FEATURES, Payloads.u64(QEMU_FEATURES));
        status(0x8);
        memTable();
        fixture.guest.setUpRing(script, 0, base0);
        fixture.guest.setUpRing(script, 1, base1);
        status(0xf);
        assertEquals(0xf, script.askU64(GET_STATUS));
    }

    void stop(final int base0, final int base1)
    {
        if (Version.V7_2 == qemu)
        {
            script.send(SET_STATUS, Payloads.u64(0));
        }

        assertEquals(base0, script.askBase(0));
        assertEquals(base1, script.askBase(1));
        if (Version.V10_0 == qemu)
        {
            script.send(SET_STATUS, Payloads.u64(0));
        }
    }

    void startTwoPairs()
    {
        greet(true);
        vrings(0);
        greet(false);
        vrings(2);
        enable(1, 1, 0, 0);
        fixture.dataPlane.takeCalls();
        script.send(SET_FEATURES, Payloads.u64(QEMU_MQ_FEATURES));
        status(0x8);
        memTable();
        fixture.guest.setUpRing(script, 0, 0);
        fixture.guest.setUpRing(script, 1, 0);
        script.send(SET_FEATURES, Payloads.u64(QEMU_MQ_FEATURES));
        script.askU64(GET_STATUS);
        fixture.guest.setUpRing(script, 2, 0);
        fixture.guest.setUpRing(script, 3, 0);
        status(0xf);
        enable(1, 1, 1, 1);
    }

    void stopTwoPairs()
    {
        assertEquals(0, script.askBase(0));
        assertEquals(0, script.askBase(1));
        if (Version.V7_2 == qemu)
        {
            script.send(SET_STATUS, Payloads.u64(0));
        }

        assertEquals(0, script.askBase(2));
        assertEquals(0, script.askBase(3));
        if (Version.V10_0 == qemu)
        {
            script.send(SET_STATUS, Payloads.u64(0));
        }
    }
}
