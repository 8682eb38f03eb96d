package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.Ringtap;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Long TCP streams between a guest and the host, merged and cut on the way, come out as they went in: with every
 * offload, and shorter ones with the offloads of one end switched off.
 */
class LongStreamIT
{
    /** A GiB with -Dringtap.it.stream-mib=1024; a guest under emulation on busy cores takes minutes for that. */
    private static final int LONG_MIB = Integer.getInteger("ringtap.it.stream-mib", 128);
    private static final int BLOCK_MIB = 16;
    private static final int PORT = 5010;
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private static Lab lab;
    private static QemuGuest guest;

    @BeforeAll
    static void boot()
    {
        Provision.kit();
        lab = Lab.open(LongStreamIT.class);
        final Path socket = lab.socket("vhost.sock");
        Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP);
        Wire.raise(lab.netns());
        guest = QemuGuest.plan().vhostUser(socket).boot(lab, "guest");
        guest.check("up " + Wire.GUEST_ADDRESS + " 1500");
        guest.check("dd if=/dev/urandom of=/tmp/block bs=1M count=" + BLOCK_MIB + " 2>/dev/null", LIMIT);
        lab.netns().check("dd", "if=/dev/urandom", "of=" + block(), "bs=1M", "count=" + BLOCK_MIB);
    }

    @AfterAll
    static void takeDown()
    {
        lab.close();
    }

    @Test
    void shouldCarryLongStreamsToHostAndToGuest()
    {
        both("every offload", LONG_MIB);
    }

    @ParameterizedTest
    @CsvSource({ "off, on", "on, off", "off, off" })
    void shouldCarryStreamsWithOffloadsOfOneEndOff(final String ofGuest, final String ofHost)
    {
        guest.check("ethtool -K eth0 tso " + ofGuest + " gso " + ofGuest + " gro " + ofGuest + " tx " + ofGuest);
        lab.netns().check("ethtool", "-K", Wire.TAP, "tso", ofHost, "gso", ofHost, "gro", ofHost, "tx", ofHost);
        try
        {
            both("offloads of the guest " + ofGuest + ", of the host " + ofHost, 2 * BLOCK_MIB);
        }
        finally
        {
            guest.check("ethtool -K eth0 tx on gso on tso on gro on");
            lab.netns().check("ethtool", "-K", Wire.TAP, "tx", "on", "gso", "on", "tso", "on", "gro", "on");
        }
    }

    private static void both(final String how, final int mib)
    {
        final int blocks = mib / BLOCK_MIB;
        final String out = toHost(blocks);
        final String sent = guest.check(repeat("/tmp/block", blocks) + " | md5sum", LIMIT).strip();
        assertEquals(sent, out, how + ", to the host");
        final String in = toGuest(blocks);
        assertEquals(lab.netns().check(LIMIT, "sh", "-c", repeat(block(), blocks) + " | md5sum").strip(), in,
            how + ", to the guest");
        Progress.say(how + ": " + mib + " MiB each way, digests equal");
    }

    private static String toHost(final int blocks)
    {
        try (HostProcess receiver = lab.start("to-host", "sh", "-c",
            "socat -u TCP4-LISTEN:" + PORT + ",reuseaddr STDOUT | md5sum"))
        {
            lab.netns().awaitListener(PORT);
            guest.check(repeat("/tmp/block", blocks) + " | nc " + Wire.HOST + " " + PORT, LIMIT);
            receiver.exitCode(LIMIT);
            return receiver.output().lines().reduce((first, last) -> last).orElse("").strip();
        }
    }

    private static String toGuest(final int blocks)
    {
        guest.check("rm -f /tmp/sum /tmp/done; (nc -l -p " + PORT + " | md5sum >/tmp/sum; touch /tmp/done) " +
            "</dev/null >/dev/null 2>&1 &");
        guest.awaitListener(PORT);
        lab.netns().check(LIMIT, "sh", "-c",
            repeat(block(), blocks) + " | socat -u STDIN TCP4:" + Wire.GUEST + ":" + PORT);
        Await.until("the guest's digest", LIMIT, () -> guest.run("test -e /tmp/done").isSuccess());
        return guest.check("cat /tmp/sum").strip();
    }

    private static String repeat(final String file, final int times)
    {
        return "for i in $(seq " + times + "); do cat " + file + "; done";
    }

    private static String block()
    {
        return lab.file("block").toString();
    }
}
