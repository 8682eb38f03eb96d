package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.Container;
import io.ringtap.it.rig.DebianPackage;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Shell;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The package on a fresh Debian that systemd runs: installed, serving a real guest through the units as they ship,
 * started again under traffic, upgraded, removed and purged.
 */
class DebianPackageIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String UNIT = "ringtap@vm1.service";
    /** systemd's measure: 10 is a service that nothing holds back. */
    private static final double MAX_EXPOSURE = 3.0;
    private static final String CONFIG = """
        control: /run/ringtap/vm1.control
        ports:
          lan:
            socket-path: /run/ringtap/vm1.sock
            tap: tap0
            bridge: br0
        """;

    private static Path deb;

    @BeforeAll
    static void build()
    {
        Provision.kit();
        Provision.files(Map.of(Path.of("/usr/bin/lintian"), "lintian", Path.of("/usr/bin/virt-xml-validate"),
            "libvirt-clients", Path.of("/usr/bin/xmllint"), "libxml2-utils", Path.of("/sbin/apparmor_parser"),
            "apparmor", Path.of("/usr/bin/mandoc"), "mandoc", Path.of("/usr/bin/bash"), "bash"));
        deb = DebianPackage.build();
    }

    @Test
    void shouldPleaseThoseWhoReadItsFiles() throws Exception
    {
        try (Lab lab = Lab.open(DebianPackageIT.class))
        {
            final Path tree = lab.file("tree");
            Shell.check("dpkg-deb", "--extract", deb.toString(), tree.toString());
            final String examples = tree + "/usr/share/doc/ringtap/examples";

            assertEquals(List.of(), Shell.run(Duration.ofMinutes(2), Map.of(), List.of("lintian", "--no-cfg",
                deb.toString())).output().lines().filter(line -> line.matches("[EW]: .*")).toList());
            Shell.check("virt-xml-validate", examples + "/domain.xml", "domain");
            Shell.check("apparmor_parser", "--skip-kernel-load", "--skip-cache", "--preprocess",
                tree + "/etc/apparmor.d/ringtap");
            final String pages = Shell.run("sh", "-c", "cd " + tree + "/usr/share/man/man1 && for f in *.gz; do " +
                "zcat $f | mandoc -T lint -W warning | sed \"s/^/$f /\"; done").output();
            assertEquals("", pages.lines().filter(line -> !line.contains("missing date")).reduce("", (a, b) -> a + b +
                "\n"), "mandoc");
            Shell.check("bash", "-n", tree + "/usr/share/bash-completion/completions/ringtap");
            final String exposure = Shell.check("systemd-analyze", "security", "--offline=true", "--no-pager",
                tree + "/usr/lib/systemd/system/ringtap@.service");
            final Matcher score = Pattern.compile("exposure level for \\S+: ([\\d.]+)").matcher(exposure);
            assertTrue(score.find(), exposure);
            assertTrue(Double.parseDouble(score.group(1)) <= MAX_EXPOSURE, exposure);
            Progress.say("systemd-analyze security: exposure " + score.group(1));
            Shell.check("rm", "-rf", tree.toString());
        }
    }

    @Test
    void shouldServeAGuestOnAFreshDebianFromInstallToPurge()
    {
        try (Lab lab = Lab.open(DebianPackageIT.class))
        {
            lab.netns().check("ip", "link", "add", "br0", "type", "bridge");
            lab.netns().up("br0", Wire.HOST_ADDRESS);
            final Container host = Container.boot(lab, "rt-host");
            final String before = files(host);

            install(host, deb);
            final QemuGuest guest = start(lab, host);
            final Wire wire = new Wire(lab, guest);
            wire.ping();
            assertTrue(wire.streamToHost() && wire.streamToGuest());
            restartUnderTraffic(lab, host, guest);
            surviveItsEnd(host, wire);
            upgrade(lab, host, wire);
            guest.close();
            remove(host, before);
        }
    }

    private static void install(final Container host, final Path file)
    {
        assertFalse(host.run("command -v java").isSuccess(), "a host without Java");
        host.copy(file, "/tmp/ringtap.deb");
        host.check("dpkg -i /tmp/ringtap.deb");
        assertTrue(host.check("ringtap --version").startsWith("ringtap "));
        assertTrue(host.check("ls /usr/lib/ringtap/cache").contains(".jsa"), "class-data archive");
        assertTrue(host.check("id ringtap").contains("(kvm)"));
        final String verified = host.check("systemd-analyze verify --man=no /usr/lib/systemd/system/ringtap@.service " +
            "/usr/lib/systemd/system/ringtap@.socket 2>&1");
        assertEquals("", verified);
    }

    /** The guest connects to a socket behind which nothing runs yet. */
    private static QemuGuest start(final Lab lab, final Container host)
    {
        host.write("/etc/ringtap/vm1.yaml", CONFIG);
        host.check("ringtap --config=/etc/ringtap/vm1.yaml --check");
        host.check("systemctl enable --now ringtap@vm1.socket");
        assertEquals("inactive", host.run("systemctl is-active " + UNIT).output().strip());
        final QemuGuest guest = QemuGuest.plan().vhostUser(host.path("/run/ringtap/vm1.sock")).boot(lab, "guest");
        assertEquals("active", host.run("systemctl is-active " + UNIT).output().strip());
        assertEquals("ringtap 660 kvm", host.check("stat -c '%U %a %G' /run/ringtap/vm1.sock").strip());
        assertEquals("lan serving", host.check("systemctl show -P StatusText " + UNIT).strip());
        assertTrue(host.check("ringtap port show --control=/run/ringtap/vm1.control").contains("lan"));
        guest.check("up " + Wire.GUEST_ADDRESS);
        return guest;
    }

    private static void restartUnderTraffic(final Lab lab, final Container host, final QemuGuest guest)
    {
        final String before = pid(host);
        final HostProcess server = lab.start("iperf3", "iperf3", "-s", "-1", "--forceflush");
        server.await(Pattern.compile("listening on"), 0, LIMIT);
        guest.check("(iperf3 -c " + Wire.HOST + " -t 3 -f m >/tmp/iperf 2>&1; echo ended $? >>/tmp/iperf) &");
        Await.until("the stream", LIMIT, () -> server.output().contains("sec"));

        host.check("systemctl restart " + UNIT);

        assertNotEquals(before, pid(host));
        server.exitCode(LIMIT);
        final String client = guest.check("cat /tmp/iperf");
        assertTrue(client.contains("receiver") && client.contains("ended 0"), client);
        Progress.say("one TCP session over systemctl restart: " +
            client.lines().filter(line -> line.contains("receiver")).findFirst().orElse("").strip());
        host.check("systemctl reload " + UNIT);
        assertEquals("lan serving", host.check("systemctl show -P StatusText " + UNIT).strip());
    }

    /** Killed, and then hanging: systemd notices both. */
    private static void surviveItsEnd(final Container host, final Wire wire)
    {
        String before = pid(host);
        host.check("kill -KILL " + before);
        awaitAnother(host, before);
        wire.ping();

        host.check("mkdir -p /etc/systemd/system/ringtap@vm1.service.d");
        host.write("/etc/systemd/system/ringtap@vm1.service.d/watchdog.conf", "[Service]\nWatchdogSec=1s\n");
        host.check("systemctl daemon-reload; systemctl restart " + UNIT);
        Await.pause(Duration.ofSeconds(3));
        before = pid(host);
        assertEquals("0", host.check("systemctl show -P NRestarts " + UNIT).strip(), "signs of life arrive");
        host.check("kill -STOP " + before);
        awaitAnother(host, before);
        wire.ping();
    }

    private static void upgrade(final Lab lab, final Container host, final Wire wire)
    {
        final String before = pid(host);
        final Path next = DebianPackage.withVersion(deb, "99.0", lab.file("next").getParent());
        host.copy(next, "/tmp/next.deb");
        final String told = host.check("dpkg -i /tmp/next.deb");
        assertTrue(told.contains("over"), told);
        awaitAnother(host, before);
        assertTrue(host.check("ls /usr/lib/ringtap/cache").contains(".jsa"), "class-data archive");
        wire.ping();
        Shell.check("rm", next.toString());
    }

    private static void remove(final Container host, final String before)
    {
        host.check("dpkg -r ringtap");
        assertEquals("inactive", host.run("systemctl is-active " + UNIT).output().strip());
        assertFalse(host.run("test -e /usr/lib/ringtap").isSuccess());
        assertTrue(host.run("test -e /etc/ringtap/vm1.yaml").isSuccess(), "configuration stays until purge");
        host.check("dpkg -P ringtap");
        host.check("rm /tmp/ringtap.deb /tmp/next.deb");
        assertEquals(before, files(host));
    }

    /** Every file with our name or in our places. */
    private static String files(final Container host)
    {
        return host.check("find /etc /usr /var /run /tmp -xdev -name '*ringtap*' -not -path '/var/lib/dpkg/*' " +
            "-not -path '/run/systemd/*' | sort");
    }

    private static void awaitAnother(final Container host, final String before)
    {
        Await.until(() -> "another process than " + before + "\n" + host.run("systemctl status " + UNIT +
            "; journalctl -n 50 --no-pager").output(), LIMIT, () ->
        {
            final String now = pid(host);
            return !"0".equals(now) && !before.equals(now) &&
                "active".equals(host.run("systemctl is-active " + UNIT).output().strip());
        });
    }

    private static String pid(final Container host)
    {
        return host.check("systemctl show -P MainPID " + UNIT).strip();
    }
}
