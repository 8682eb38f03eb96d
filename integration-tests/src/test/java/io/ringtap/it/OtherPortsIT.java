package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.Ringtap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports other than TAPs as a user runs them: on one end of a virtual cable, with the host's stack at the other. */
class OtherPortsIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String NEAR = "rtv0";
    private static final String FAR = "rtv1";
    private static final String MAC = "52:54:00:12:34:56";

    private Lab lab;
    private Path socket;

    @BeforeEach
    void lay()
    {
        Provision.kit();
        lab = Lab.open(OtherPortsIT.class);
        socket = lab.socket("vhost.sock");
        lab.netns().check("ip", "link", "add", NEAR, "type", "veth", "peer", "name", FAR);
        lab.netns().up(NEAR, null);
        lab.netns().up(FAR, Wire.HOST + "/24");
    }

    @AfterEach
    void takeDown()
    {
        if (null != lab)
        {
            lab.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "--xsk=rtv0", "--xsk=rtv0:generic", "--macvtap=rtv0", "--macvtap=rtv0:passthru", "--packet=rtv0"})
    void shouldServeAGuestAndGiveTheDeviceBack(final String port)
    {
        final Ringtap backend = serve(port);
        final HostProcess guest = guest("guest");
        ping();
        // The host's stack leaves the checksum of a datagram begun.
        lab.netns().check("bash", "-c", "echo something > /dev/udp/" + Wire.GUEST + "/9");
        ping();
        assertEquals(0, guest.terminate());
        assertTrue(guest.output().contains("0 bad checksums, 0 faulty frames"), guest.output());
        assertEquals(0, backend.terminate());
        assertDeviceIsBack();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--xsk=rtv0", "--macvtap=rtv0"})
    void shouldServeAgainAfterItWasKilled(final String port)
    {
        final Ringtap killed = serve(port);
        final HostProcess first = guest("first");
        ping();
        killed.kill();
        first.kill();
        if (port.startsWith("--xsk"))
        {
            Await.until("the program to go with its process", LIMIT, () -> !isTakenOver());
        }
        final Ringtap next = serve(port);
        guest("second");
        ping();
        assertEquals(0, next.terminate());
        assertDeviceIsBack();
    }

    @Test
    void shouldSayInOneLineWhyAPortCannotBeHad()
    {
        final String said = Ringtap.run(lab, "--socket-path=" + socket, "--xsk=rtv0:zerocopy").output();
        assertTrue(said.contains("ringtap: --xsk=rtv0: queue 0 takes no AF_XDP socket (EOPNOTSUPP); its driver must" +
            " copy: use --xsk=rtv0:native"), said);
        assertFalse(isTakenOver());
    }

    private Ringtap serve(final String port)
    {
        return Ringtap.serve(lab, "ringtap", socket, port, "--mac=" + MAC);
    }

    private HostProcess guest(final String name)
    {
        final List<String> command = new ArrayList<>(Ringtap.command(Jdks.current()));
        command.addAll(List.of("guest", "--socket-path=" + socket, "--ip=" + Wire.GUEST, "--mac=" + MAC));
        final HostProcess guest = lab.own(HostProcess.start(name, lab.log(name), command));
        guest.await(Pattern.compile("(?m)^connected 1 queue pairs"), 0, LIMIT);
        return guest;
    }

    private void ping()
    {
        lab.netns().check("ping", "-q", "-c", "3", "-i", "0.2", "-W", "20", Wire.GUEST);
    }

    private void assertDeviceIsBack()
    {
        assertFalse(isTakenOver());
        assertFalse(lab.netns().hasInterface("macvtap0"));
    }

    private boolean isTakenOver()
    {
        return lab.netns().check("ip", "link", "show", NEAR).contains("xdp");
    }
}
