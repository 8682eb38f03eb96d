package io.ringtap;

import io.ringtap.sandbox.Door;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Who to become, what NICs need, and each refusal. */
class ConfinementTest
{
    private static BackendConfigBuilder nic()
    {
        return BackendConfig.builder().socketPath("/run/s");
    }

    @Test
    void shouldLookUsersAndGroupsUp()
    {
        assertEquals(RunAs.of("nobody").uid(), RunAs.of("65534").uid());
        assertEquals(new RunAs("12345:54321", 12345, 54321), RunAs.of("12345:54321"));
        assertEquals(0, RunAs.of("nobody:root").gid());
    }

    @ParameterizedTest
    @CsvSource({
        "nobody-of-that-name, no such user on this host", "'', no such user on this host",
        "12345, no such user on this host", "nobody:no-such-group, no such group on this host",
        "nobody:, no such group on this host", "root, 'that is root, who has every right'",
        "0:5, 'that is root, who has every right'", "99999999999, no such user on this host"})
    void shouldRefuseWhoIsNotThere(final String text, final String why)
    {
        final ConfigException refused = assertThrows(ConfigException.class, () -> RunAs.of(text));
        assertTrue(refused.getMessage().startsWith("--run-as=" + text + ": " + why + "; "), refused.getMessage());
    }

    @Test
    void shouldRefusePacketSocketsWithoutRights()
    {
        final BackendConfig nic = nic().port(PortKind.PACKET, "eth0").runAs("nobody").conclude();
        final FleetConfig config = new FleetConfig(ProcessConfig.of(nic), Map.of(FleetConfig.LONE, nic));
        final ConfigException refused = assertThrows(ConfigException.class, () -> new Confinement(config));
        assertTrue(refused.getMessage().startsWith("--run-as=nobody with --packet: "), refused.getMessage());
    }

    @Test
    void shouldKnowWhatEachPortNeeds()
    {
        assertEquals(Set.of(), Confinement.doors(nic().port(PortKind.NULL, null).conclude()));
        assertEquals(Set.of(Door.IO_URING), Confinement.doors(nic().tap("tap0").conclude()));
        assertEquals(Set.of(), Confinement.doors(nic().tap("tap0").io(IoMode.SYSCALL).conclude()));
        assertEquals(Set.of(Door.XDP_ORACLE),
            Confinement.doors(nic().port(PortKind.NULL, null).xdpOracle(true).conclude()));
        assertEquals(Set.of(Door.PACKET_SOCKETS), Confinement.doors(nic().port(PortKind.PACKET, "eth0").conclude()));
        assertEquals(Set.of(Door.XDP_SOCKETS, Door.XDP_ATTACH),
            Confinement.doors(nic().port(PortKind.XSK, "eth0").conclude()));
        assertEquals(Set.of(Door.DEVICE_FILES, Door.IO_URING),
            Confinement.doors(nic().port(PortKind.MACVTAP, "eth0").conclude()));
    }

    @Test
    void shouldRefuseLaterNicsWhatIsShut()
    {
        final BackendConfig nic = nic().port(PortKind.XSK, "eth0").conclude();
        final FleetException refused = assertThrows(FleetException.class, () -> FleetChange.checkNew(
            "x", nic, EnumSet.complementOf(EnumSet.of(Door.XDP_ATTACH)), Map.of()));
        assertEquals(1, refused.lines().size());
        assertTrue(refused.lines().get(0).contains("which the sandbox has shut"), refused.lines().get(0));
        FleetChange.checkNew("x", nic, EnumSet.allOf(Door.class), Map.of());
    }
}
