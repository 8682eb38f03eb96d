package io.ringtap.vhost.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What QEMU says, message by message, as it was recorded. */
class QemuTranscriptTest
{
    private SessionFixture fixture;
    private QemuScript qemu;

    @AfterEach
    void tearDown()
    {
        qemu.script().close();
        fixture.close();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("message.GET_FEATURES")
    @Tag("message.GET_PROTOCOL_FEATURES")
    @Tag("message.SET_OWNER")
    @Tag("message.GET_QUEUE_NUM")
    void shouldStartOnePair(final QemuScript.Version version)
    {
        given(version, 2);
        qemu.processStart();
        assertEquals("link up, call 0, error 0, call 1, error 1, enable 0, enable 1", fixture.dataPlane.takeCalls());

        qemu.probe(0, 0);

        assertEquals("features 0x17020ff83, memory 1, " +
            "kick 0, start 0 size 256 base 0, call 0, kick 1, start 1 size 256 base 0, call 1",
            fixture.dataPlane.takeCalls());
        assertTrue(fixture.dataPlane.isEnabled(0) && fixture.dataPlane.isEnabled(1));
        assertEquals(0, fixture.count(SessionCounter.REFUSED_MESSAGES));
    }

    @ParameterizedTest
    @EnumSource
    void shouldGoOnWhereItStopped(final QemuScript.Version version)
    {
        given(version, 2);
        qemu.processStart();
        qemu.probe(0, 0);
        fixture.dataPlane.bases[0] = 1298;
        fixture.dataPlane.bases[1] = 64990;
        fixture.dataPlane.takeCalls();

        qemu.stop(1298, 64990);
        assertEquals("stop 0, stop 1", fixture.dataPlane.takeCalls());

        qemu.probe(1298, 64990);
        assertEquals("memory 1, kick 0, start 0 size 256 base 512, call 0, kick 1, start 1 size 256 base fdde, call 1",
            fixture.dataPlane.takeCalls());
        assertEquals(0, fixture.count(SessionCounter.REFUSED_MESSAGES));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRebootWithoutLosingTheConnection(final QemuScript.Version version)
    {
        given(version, 2);
        qemu.processStart();
        qemu.probe(0, 0);
        qemu.stop(0, 0);
        for (int i = 0; i < 4; i++)
        {
            qemu.enable(1, 1);
        }

        fixture.dataPlane.takeCalls();
        qemu.probe(0, 0);

        assertEquals("memory 1, kick 0, start 0 size 256 base 0, call 0, kick 1, start 1 size 256 base 0, call 1",
            fixture.dataPlane.takeCalls());
        assertEquals(1, fixture.count(SessionCounter.SESSIONS));
        assertEquals(1, fixture.dataPlane.regionCount());
    }

    @ParameterizedTest
    @EnumSource
    void shouldUnbindAndBindTheDriver(final QemuScript.Version version)
    {
        given(version, 2);
        qemu.processStart();
        qemu.probe(0, 0);
        fixture.dataPlane.bases[0] = 77;
        qemu.stop(77, 0);
        qemu.enable(1, 1);
        qemu.enable(1, 1);
        qemu.enable(1, 1);

        qemu.probe(0, 0);

        assertEquals(0, fixture.dataPlane.running[0].base());
        assertEquals(0, fixture.count(SessionCounter.REFUSED_MESSAGES));
    }

    @ParameterizedTest
    @EnumSource
    void shouldPowerOffAndQuit(final QemuScript.Version version)
    {
        given(version, 2);
        qemu.processStart();
        qemu.probe(0, 0);
        qemu.stop(0, 0);
        qemu.enable(1, 1);
        fixture.dataPlane.takeCalls();

        qemu.script().hangUp();

        assertEquals("reset, link down", fixture.dataPlane.takeCalls());
        assertFalse(fixture.agent.isConnected());
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeTheNextFrontendAfterAKill(final QemuScript.Version version)
    {
        given(version, 2);
        qemu.processStart();
        qemu.probe(0, 0);
        qemu.script().hangUp();
        fixture.dataPlane.takeCalls();

        qemu.reconnect();
        qemu.greet(true);
        qemu.vrings(0);
        qemu.enable(1, 1);
        qemu.probe(4, 4);

        assertEquals(4, fixture.dataPlane.running[0].base());
        assertTrue(fixture.dataPlane.isEnabled(0) && fixture.dataPlane.isEnabled(1));
        assertEquals(2, fixture.count(SessionCounter.SESSIONS));
        assertEquals(0, fixture.count(SessionCounter.REFUSED_MESSAGES));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("message.SET_VRING_ENABLE")
    @Tag("protocol.MQ")
    @Tag("virtio.MQ")
    void shouldStartAndStopTwoPairs(final QemuScript.Version version)
    {
        given(version, 4);
        qemu.startTwoPairs();
        assertEquals("features 0x17060ff83, memory 1, " +
            "kick 0, start 0 size 256 base 0, call 0, kick 1, start 1 size 256 base 0, call 1, " +
            "kick 2, start 2 size 256 base 0, call 2, kick 3, start 3 size 256 base 0, call 3, enable 2, enable 3",
            fixture.dataPlane.takeCalls());

        // ethtool -L combined 1
        qemu.enable(1, 1, 0, 0);
        assertEquals("disable 2, disable 3", fixture.dataPlane.takeCalls());
        assertTrue(fixture.agent.isConnected());

        qemu.stopTwoPairs();
        assertEquals("stop 0, stop 1, stop 2, stop 3", fixture.dataPlane.takeCalls());
        assertEquals(0, fixture.count(SessionCounter.REFUSED_MESSAGES));
    }

    private void given(final QemuScript.Version version, final int ringCount)
    {
        fixture = new SessionFixture(ringCount);
        qemu = new QemuScript(fixture, version);
    }
}
