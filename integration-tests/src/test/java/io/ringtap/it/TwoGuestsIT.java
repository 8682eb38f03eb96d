package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.QemuGuest;
import io.ringtap.it.rig.RigException;
import io.ringtap.it.rig.TwoNics;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Two guests on one process from a file: from one to the other through its memory, and over two TAPs and a bridge. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TwoGuestsIT
{
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final String[] ADDRESSES = {"198.18.7.2", "198.18.7.3"};
    private static final Pattern RECEIVED = Pattern.compile("([\\d.]+) Mbits/sec.*receiver");
    private static final int PORT = 5001;

    private final QemuGuest[] guests = new QemuGuest[2];
    private Lab lab;
    private TwoNics nics;
    private double direct;

    @BeforeAll
    void boot()
    {
        Provision.kit();
        lab = Lab.open(TwoGuestsIT.class);
        nics = TwoNics.serve(lab);
        for (int i = 0; i < 2; i++)
        {
            guests[i] = QemuGuest.plan().mac("52:54:00:12:34:0" + (2 + i)).vhostUser(nics.socket(i))
                .boot(lab, "guest-" + TwoNics.NAMES.get(i));
            guests[i].check("up " + ADDRESSES[i] + "/24 1500");
        }
    }

    @AfterAll
    void takeDown()
    {
        if (null != lab)
        {
            lab.close();
        }
    }

    @Test
    @Order(1)
    void shouldCarryEverythingInMemory()
    {
        nics.join();
        final long before = nics.sentToKernel();
        for (int i = 0; i < 2; i++)
        {
            guests[i].check("ping -q -c 5 -i 0.2 -W 10 " + ADDRESSES[1 - i]);
            guests[i].check("ping -q -c 3 -i 0.2 -W 10 -M do -s 1472 " + ADDRESSES[1 - i]);
            assertTrue(isStreamWhole(i), "stream from " + TwoNics.NAMES.get(i));
        }
        guests[1].check("iperf3 -s -D --forceflush");
        guests[1].awaitListener(Wire.IPERF_PORT);
        direct = mbits();
        assertTrue(direct > 0);
        assertEquals(before, nics.sentToKernel(), "frames went to the kernel");
    }

    @Test
    @Order(2)
    void shouldCarryEverythingOverTheBridgeOnceTheProgramsAreGone()
    {
        nics.part();
        guests[0].check("ping -q -c 5 -i 0.2 -W 10 " + ADDRESSES[1]);
        assertTrue(isStreamWhole(0));
        final double bridged = mbits();
        Progress.say(String.format("VM to VM: TCP %.0f Mbit/s in memory, %.0f over TAP, bridge and TAP: %.2f times",
            direct, bridged, direct / bridged));
        assertTrue(bridged > 0);
    }

    @Test
    @Order(3)
    void shouldTakeUpAFileThatChangesAndLeaveGuestsAlone()
    {
        final String ping = "ping -q -c 100 -i 0.05 -W 10 " + ADDRESSES[1];
        guests[0].check("(" + ping + " >/tmp/ping.txt; echo $? >/tmp/ping.code) >/dev/null 2>&1 </dev/null &");
        nics.reload(nics.port("c"), Pattern.compile("new \\[c\\]"));
        nics.reload("  d: {socket-path: relative, tpa: tap-d}\n",
            Pattern.compile("ports.yaml:\\d+:\\d+: .*tpa(.|\\n)*is not taken: everything goes on as it was"));
        assertTrue(lab.netns().hasInterface("tap-c"), "a file that was refused ended a port");
        nics.reload("", Pattern.compile("gone \\[c\\]"));
        Await.until("the end of tap-c", LIMIT, () -> !lab.netns().hasInterface("tap-c"));
        final String text = guests[0].check("until [ -e /tmp/ping.code ]; do sleep 0.2; done; cat /tmp/ping.txt");
        assertTrue(text.contains("100 received"), text);
    }

    /** Random bytes over TCP; the digests of both ends agree. */
    private boolean isStreamWhole(final int from)
    {
        // A receiver whose input ends closes its half, and busybox's sender takes that for the end of everything.
        guests[1 - from].check("tail -f /dev/null | nc -l -p " + PORT + " >/tmp/stream 2>/tmp/receive.log & " +
            "echo $! >/tmp/receiver.pid; until grep -q '" + String.format(":%04X ", PORT) +
            "' /proc/net/tcp /proc/net/tcp6; do sleep 0.1; done");
        final String sent = guests[from].check("dd if=/dev/urandom of=/tmp/stream bs=1M count=8 2>/dev/null; nc " +
            ADDRESSES[1 - from] + " " + PORT + " </tmp/stream; sha256sum </tmp/stream");
        return guests[1 - from].check("received").strip().equals(sent.strip());
    }

    private double mbits()
    {
        final String text = guests[0].check("iperf3 -c " + ADDRESSES[1] + " -f m -t 5", LIMIT);
        final Matcher matcher = RECEIVED.matcher(text);
        if (!matcher.find())
        {
            throw new RigException("no result of the receiver in:\n" + text);
        }
        return Double.parseDouble(matcher.group(1));
    }
}
