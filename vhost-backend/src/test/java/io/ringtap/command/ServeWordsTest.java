package io.ringtap.command;

import io.ringtap.BackendConfig;
import io.ringtap.ConfigException;
import io.ringtap.FragMode;
import io.ringtap.IoMode;
import io.ringtap.Isolation;
import io.ringtap.PortKind;
import io.ringtap.Switch;
import io.ringtap.flow.Offloads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** From words to a configuration, and each refusal. */
class ServeWordsTest
{
    private static BackendConfig config(final String line)
    {
        return ServeWords.conclude(ServeWords.parse(line.split(" ")));
    }

    @Test
    void shouldTakeTheDefaultsThatTheHelpPromises()
    {
        final BackendConfig config = config("--socket-path=/run/s --tap=tap0");
        assertEquals("/run/s", config.socketPath());
        assertEquals(BackendConfig.NONE, config.fd());
        assertFalse(config.client());
        assertEquals(PortKind.TAP, config.portKind());
        assertEquals("tap0", config.portName());
        assertEquals(1, config.queues());
        assertEquals(BackendConfig.NONE, config.mtu());
        assertEquals(BackendConfig.NONE, config.mac());
        assertEquals(Offloads.ALL, config.offloads());
        assertEquals(IoMode.AUTO, config.io());
        assertEquals(FragMode.SHARED, config.frag());
        assertTrue(config.flowSort());
        assertEquals(Switch.AUTO, config.coalesce());
        assertEquals(64, config.flushThreshold());
        assertEquals(50, config.busyPollUs());
        assertEquals(10, config.sessionRate());
        assertEquals(List.of(), config.cpus());
        assertEquals(List.of(), config.filters());
        assertEquals(Isolation.DEFAULT, config.isolation());
        assertFalse(config.verbose());
    }

    @Test
    void shouldTakeWhatTheProcessGivesUp()
    {
        final Isolation isolation = config("--socket-path=/run/s --null --sandbox=on --run-as=nobody").isolation();
        assertEquals(new Isolation(Switch.ON, "nobody"), isolation);
        assertEquals("--sandbox=maybe: no such choice; give one of auto, on, off", assertThrows(ConfigException.class,
            () -> config("--socket-path=/run/s --null --sandbox=maybe")).getMessage());
    }

    @Test
    void shouldTakeAPacketPortWithItsDoorbell()
    {
        final BackendConfig plain = config("--socket-path=/run/s --packet=eth0");
        assertEquals(PortKind.PACKET, plain.portKind());
        assertEquals("eth0", plain.portName());
        assertFalse(plain.doorbell());
        assertEquals(BackendConfig.NONE, plain.doorbellLingerUs());
        final BackendConfig config =
            config("--socket-path=/run/s --packet=eth0 --doorbell --doorbell-linger-us=20 --flush-threshold=8");
        assertTrue(config.doorbell());
        assertEquals(20, config.doorbellLingerUs());
        assertEquals(8, config.flushThreshold());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--tap=tap0 --doorbell | --doorbell: only packet rings have one; use it with --packet=IFACE, or leave it out",
        "--packet=eth0 --doorbell-linger-us=5 | --doorbell-linger-us=5: there is no doorbell; use it with --doorbell",
        "--packet=eth0 --doorbell --doorbell-linger-us=10001 | " +
            "--doorbell-linger-us=10001: not a number from 0 to 10000; give for example 1",
        "--packet=eth0 --bridge=br0 | --bridge=br0: only a TAP can join it; use it with --tap=NAME or --tap-fd=N"})
    void shouldRefuseADoorbellThatLeadsNowhere(final String line, final String text)
    {
        final ConfigException refusal =
            assertThrows(ConfigException.class, () -> config("--socket-path=/run/s " + line));
        assertEquals(text, refusal.getMessage());
    }

    @Test
    void shouldCarryEveryOptionToItsPlace()
    {
        final BackendConfig config = config(
            "--socket-path=/run/s --socket-mode=660 --socket-owner=qemu --socket-group=kvm --tap=tap0 --bridge=br0 " +
            "--session-rate=3 --queues=4 --mtu=9000 --mac=52:54:00:12:34:56 --no-offload=uso,ufo " +
            "--no-feature=ring-packed --offer=ring-reset " +
            "--filter=a.B:1,2 --filter=c.D --xdp-guest=a.o:one --xdp-guest=b.o --xdp-host=a.o --xdp-oracle " +
            "--control=/run/c --control-mode=660 --io=syscall " +
            "--frag=per-queue --flow-sort=off --coalesce=on --flush-threshold=8 --busy-poll-us=0 --cpus=6,2-4 " +
            "--rate=host:1.5G,guest:100M --metrics=[::1]:9431 --verbose");
        assertEquals(100_000_000, config.rateFromGuest());
        assertEquals(1_500_000_000, config.rateToGuest());
        assertEquals("[::1]:9431", config.metrics());
        assertEquals(0660, config.socketMode());
        assertEquals("qemu", config.socketOwner());
        assertEquals("kvm", config.socketGroup());
        assertEquals(3, config.sessionRate());
        assertEquals("br0", config.bridge());
        assertEquals(4, config.queues());
        assertEquals(9000, config.mtu());
        assertEquals(0x563412005452L, config.mac());
        assertEquals(Offloads.CSUM | Offloads.TSO4 | Offloads.TSO6 | Offloads.ECN, config.offloads());
        assertEquals(1L << 34, config.refusedFeatures());
        assertEquals(1L << 40, config.extraFeatures());
        assertEquals(List.of("a.B:1,2", "c.D"), config.filters());
        assertEquals(List.of("a.o:one", "b.o"), config.xdpGuest());
        assertEquals(List.of("a.o"), config.xdpHost());
        assertTrue(config.xdpOracle());
        assertEquals("/run/c", config.controlPath());
        assertEquals(0660, config.controlMode());
        assertEquals(IoMode.SYSCALL, config.io());
        assertEquals(FragMode.PER_QUEUE, config.frag());
        assertFalse(config.flowSort());
        assertEquals(Switch.ON, config.coalesce());
        assertEquals(8, config.flushThreshold());
        assertEquals(0, config.busyPollUs());
        assertEquals(List.of(6, 2, 3, 4), config.cpus());
        assertTrue(config.verbose());
    }

    @Test
    void shouldTakeOneQueuePairForEachTapDescriptor()
    {
        final BackendConfig config = config("--fd=3 --tap-fd=5,4");
        assertEquals(3, config.fd());
        assertEquals(List.of(5, 4), config.tapFds());
        assertEquals(2, config.queues());
        assertNull(config.portName());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "--help", "demo", "--null --null", "--socket-path /run/s", "--tap", "--null=yes", "--nul", "-V"})
    void shouldLeaveToPicocliWhatIsNotPlain(final String line)
    {
        assertNull(ServeWords.parse(line.split(" ")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--null --fd=2 | --fd=2: not a number from 3 up; give for example 3",
        "--null --fd=3 --socket-path=/s | --socket-path=/s and --fd=3: they exclude each other; give one",
        "--null --fd=3 --client | --client and --fd=3: a descriptor is connected already; leave --client out",
        "--null --socket-path= | --socket-path=: 0 bytes, but a socket's path takes 1 to 107; use a shorter path, " +
            "such as one below /run",
        "--null --socket-path=/s --client --socket-mode=600 | --socket-mode, --socket-owner or --socket-group: they " +
            "are for a socket that this program makes; use them with --socket-path and without --client",
        "--null --socket-path=/s --control=/s | --control=/s: that is the front-end's socket; choose another path",
        "--null --socket-path=/s --control-mode=600 | --control-mode: there is no control socket; give " +
            "--control=PATH too",
        "--null --socket-path=/s --socket-mode=888 | --socket-mode=888: not permission bits in octal, 0 to 777; give " +
            "for example 660",
        "--socket-path=/s | no port: the NIC leads nowhere; give --tap=NAME, --macvtap=IFACE, " +
            "--packet=IFACE, --xsk=IFACE, --tap-fd=N[,N] or --null",
        "--socket-path=/s --macvtap=e0:fast | --macvtap=e0:fast: no such mode; give one of bridge, vepa, private, " +
            "passthru",
        "--socket-path=/s --xsk=e0:fast | --xsk=e0:fast: no such mode; give one of auto, zerocopy, native, generic",
        "--socket-path=/s --tap=t --bridge-acl=/a | --bridge-acl=/a: there is no bridge to judge; use it with " +
            "--bridge=NAME",
        "--socket-path=/s --null --tap=t | --tap and --null: a NIC leads to one port; give one of them",
        "--socket-path=/s --tap=a/b | --tap=a/b: an interface name is 1 to 15 bytes without space, / or :; choose " +
            "another name",
        "--socket-path=/s --tap=abcdefghijklmnop | --tap=abcdefghijklmnop: an interface name is 1 to 15 bytes " +
            "without space, / or :; choose another name",
        "--socket-path=/s --null --bridge=br0 | --bridge=br0: only a TAP can join it; use it with --tap=NAME or " +
            "--tap-fd=N",
        "--socket-path=/s --tap-fd=3,3 | --tap-fd=[3, 3]: a descriptor is there twice; give one descriptor a " +
            "queue pair",
        "--socket-path=/s --tap-fd=3,4 --queues=3 | --queues=3: 2 descriptors in --tap-fd; give one descriptor a " +
            "queue pair, or leave --queues out",
        "--socket-path=/s --null --rate=guest:1 | --rate=1: not 1M to 1000G bits a second; give for example 100M",
        "--socket-path=/s --null --rate=guest:2T | --rate=2T: not 1M to 1000G bits a second; give for example 100M",
        "--socket-path=/s --null --rate=100M | --rate=100M: not guest:BITS or host:BITS, each once; give for example " +
            "guest:100M,host:1G",
        "--socket-path=/s --null --rate=host:1G,host:2G | --rate=host:1G,host:2G: not guest:BITS or host:BITS, each " +
            "once; give for example guest:100M,host:1G",
        "--socket-path=/s --null --metrics=a:70000 | --metrics=a:70000: not HOST:PORT with a port from 0 to 65535; " +
            "give for example 127.0.0.1:9431",
        "--socket-path=/s --null --mtu=67 | --mtu=67: not a number from 68 to 65521; give for example 68",
        "--socket-path=/s --null --mac=01:00:5e:00:00:01 | --mac=01:00:5e:00:00:01: not six bytes in hexadecimal " +
            "that are a unicast address; give for example 52:54:00:12:34:56",
        "--socket-path=/s --null --mac=52:54 | --mac=52:54: not six bytes in hexadecimal that are a unicast address; " +
            "give for example 52:54:00:12:34:56",
        "--socket-path=/s --null --no-offload=gso | --no-offload=gso: no such offload; give some of csum, tso, ecn, " +
            "ufo, uso, or all",
        "--socket-path=/s --null --offer=mq | --offer=mq: nothing that is offered on demand; " +
            "give config, ctrl-vq, rss or ring-reset",
        "--socket-path=/s --null --no-feature=version-1 | --no-feature=version-1: no feature that can be left out; " +
            "give some of those that --print-capabilities lists",
        "--socket-path=/s --null --io=fast | --io=fast: no such choice; give one of auto, uring, syscall",
        "--socket-path=/s --null --flow-sort=1 | --flow-sort=1: no such choice; give on or off",
        "--socket-path=/s --null --cpus=4-2 | --cpus=4-2: 4-2 runs backwards; give the lower CPU first",
        "--socket-path=/s --null --cpus=1024 | --cpus=1024: not a number from 0 to 1023; give for example 1",
        "--socket-path=/s --null --busy-poll-us=-1 | --busy-poll-us=-1: not a number from 0 to 1000000; give for " +
            "example 1",
        "--socket-path=/s --null --queues=99999999999 | --queues=99999999999: not a number from 1 to 64; give for " +
            "example 1"})
    void shouldNameValueLimitAndRemedy(final String line, final String message)
    {
        final ConfigException refusal = assertThrows(ConfigException.class, () -> config(line));
        assertEquals(message, refusal.getMessage());
    }

    @Test
    void shouldTakeTheModeOfAMacvtapBehindAColon()
    {
        final BackendConfig config = config("--fd=3 --macvtap=eth0.7:vepa");
        assertEquals(PortKind.MACVTAP, config.portKind());
        assertEquals("eth0.7", config.portName());
        assertEquals("vepa", config.portMode());
        assertNull(config("--fd=3 --macvtap=eth0").portMode());
        assertEquals(PortKind.XSK, config("--fd=3 --xsk=eth0").portKind());
        assertEquals("generic", config("--fd=3 --xsk=eth0:generic").portMode());
    }

    @Test
    void shouldMeasureTheSocketPathInBytes()
    {
        assertEquals(107, config("--null --socket-path=" + "x".repeat(107)).socketPath().length());
        assertThrows(ConfigException.class, () -> config("--null --socket-path=" + "x".repeat(108)));
        assertThrows(ConfigException.class, () -> config("--null --socket-path=" + "\u00e9".repeat(54)));
    }
}
