package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.protocol.BackendRequest;
import io.ringtap.vhost.protocol.MessageHeaderFlyweight;
import io.ringtap.vhost.protocol.ProtocolFeature;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an administrator sets on the host's side reaches a front-end that leaves the config space to us, at once. */
class ConfigChangeIT
{
    private static final String CABLE = "rtv0";
    private static final int LIMIT_MS = 60_000;

    private Lab lab;
    private Path socket;

    @BeforeEach
    void open()
    {
        Provision.root();
        lab = Lab.open(ConfigChangeIT.class);
        socket = lab.socket("vhost.sock");
        lab.netns().addTap(Wire.TAP, false);
        lab.netns().check("ip", "link", "add", CABLE, "type", "veth", "peer", "name", "rtv1");
        lab.netns().up(CABLE, null);
    }

    @AfterEach
    void takeDown()
    {
        lab.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--tap=" + Wire.TAP, "--packet=" + CABLE, "--xsk=" + CABLE})
    @Tag("backend.CONFIG_CHANGE_MSG")
    void shouldTellOfANewMtuAtOnce(final String port)
    {
        final Ringtap backend = Ringtap.serve(lab, "ringtap", socket, port, "--offer=config");
        final FrontendConfig config = new FrontendConfig().socketPath(socket.toString()).protocolFeatures(
            FrontendConfig.DEFAULT_PROTOCOL_FEATURES | ProtocolFeature.CONFIG.mask());
        try (Frontend frontend = new Frontend(config))
        {
            frontend.connect();
            frontend.start();
            for (int mtu = 1400; mtu < 1403; mtu++)
            {
                lab.netns().check("ip", "link", "set", port.replaceFirst(".*=", ""), "mtu", Integer.toString(mtu));
                assertEquals(BackendRequest.CONFIG_CHANGE_MSG.code(), next(frontend));
            }
        }
        assertEquals(0, backend.terminate());
    }

    /** Number of the next message of the back-end's own. */
    private static int next(final Frontend frontend)
    {
        final int channel = frontend.backendRequests().number();
        assertNotEquals(0, Syscalls.poll(channel, Poll.IN, LIMIT_MS), "no message");
        final UnsafeBuffer header = Memory.scratch(MessageHeaderFlyweight.LENGTH);
        assertEquals(MessageHeaderFlyweight.LENGTH, Syscalls.read(channel, header, 0, MessageHeaderFlyweight.LENGTH));
        return header.getInt(0, ByteOrder.nativeOrder());
    }
}
