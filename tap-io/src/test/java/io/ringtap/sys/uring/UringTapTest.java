package io.ringtap.sys.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.If;
import io.ringtap.sys.Interfaces;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Sched;
import io.ringtap.sys.Syscalls;
import io.ringtap.sys.Tun;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A ring on a TAP in a network namespace of its own: the kernel itself answers what the ring sends. */
@Timeout(60)
class UringTapTest
{
    private static final int REQUESTS = 64;
    private static final int FRAME = 42;
    private static final int SLOT = 2048;

    private final ExecutorService inside = Executors.newSingleThreadExecutor();
    private final String namespace = "rt-sys-" + ProcessHandle.current().pid();
    private Fd tap;

    @BeforeEach
    void makeNamespace() throws Exception
    {
        assumeTrue(IoUring.probe() == null);
        assumeTrue(run("ip", "netns", "add", namespace) == 0, "no right to make a network namespace");
        tap = inside(() ->
        {
            try (Fd home = Syscalls.open("/run/netns/" + namespace, Fcntl.O_RDONLY))
            {
                Syscalls.setns(home.number(), Sched.CLONE_NEWNET);
            }
            // Neighbour discovery would send frames of its own when it likes.
            Files.writeString(Path.of("/proc/sys/net/ipv6/conf/default/disable_ipv6"), "1");
            return openTap();
        });
        assertEquals(0, run("ip", "-n", namespace, "addr", "add", "198.18.7.1/24", "dev", "tap0"));
    }

    @AfterEach
    void removeNamespace() throws Exception
    {
        if (tap != null)
        {
            tap.close();
        }
        inside.shutdown();
        inside.awaitTermination(10, TimeUnit.SECONDS);
        run("ip", "netns", "del", namespace);
    }

    @Test
    void shouldAskAndBeAnsweredInBatches() throws Exception
    {
        for (final int kind : new int[]{0, IoUring.SINGLE_ISSUER | IoUring.COOP_TASKRUN, IoUring.DEFER_TASKRUN})
        {
            assertEquals(REQUESTS, (int)inside(() -> resolve(kind)));
        }
    }

    @Test
    void shouldStayPostedUnlessToldNotToWait() throws Exception
    {
        inside(() ->
        {
            final UnsafeBuffer buffer = Memory.scratch(SLOT);
            try (IoUring uring = IoUring.open(4, IoUring.DEFER_TASKRUN))
            {
                drain(uring, buffer);
                uring.read(tap.number(), Memory.addressOf(buffer), SLOT, 2);
                uring.submitAndWait(1, 20_000_000L);
                assertEquals(0, uring.ready());
            }
            return null;
        });
    }

    /** Sends ARP requests from so many hosts, all in one submission, and reads the answers that were posted for. */
    private int resolve(final int kind)
    {
        final UnsafeBuffer arena = Memory.scratch(2 * REQUESTS * SLOT);
        final long address = Memory.addressOf(arena);
        try (IoUring uring = IoUring.open(2 * REQUESTS, kind))
        {
            uring.registerFiles(tap.number());
            drain(uring, arena);
            for (int i = 0; i < REQUESTS; i++)
            {
                uring.read(IoUring.registered(0), address + i * SLOT, SLOT, i);
            }
            uring.submit();
            for (int i = 0; i < REQUESTS; i++)
            {
                final int at = (REQUESTS + i) * SLOT;
                putRequest(arena, at, i);
                uring.write(IoUring.registered(0), address + at, FRAME, REQUESTS + i);
            }
            final long before = uring.enters();
            assertEquals(REQUESTS, uring.submit());
            assertEquals(before + 1, uring.enters());
            return takeAnswers(uring, arena);
        }
    }

    private static int takeAnswers(final IoUring uring, final UnsafeBuffer arena)
    {
        int answers = 0;
        final long deadline = System.nanoTime() + 10_000_000_000L;
        while (answers < REQUESTS && System.nanoTime() < deadline)
        {
            uring.submitAndWait(1, 100_000_000L);
            final int ready = uring.ready();
            for (int i = 0; i < ready; i++)
            {
                final int slot = (int)uring.userData(i);
                assertTrue(uring.result(i) >= FRAME, "result " + uring.result(i));
                if (slot >= REQUESTS)
                {
                    assertEquals(FRAME, uring.result(i));
                }
                else if (arena.getByte(slot * SLOT + 13) == 6 && arena.getByte(slot * SLOT + 21) == 2)
                {
                    answers++;
                }
                else
                {
                    uring.read(IoUring.registered(0), Memory.addressOf(arena) + slot * SLOT, SLOT, slot);
                }
            }
            uring.advance(ready);
        }
        return answers;
    }

    /** Takes whatever the kernel has sent of its own, until there is nothing. */
    private void drain(final IoUring uring, final UnsafeBuffer buffer)
    {
        int result;
        do
        {
            uring.read(tap.number(), Memory.addressOf(buffer), SLOT, 0, IoUring.NOWAIT, 1);
            uring.submitAndWait(1, 1_000_000_000L);
            assertEquals(1, uring.ready());
            result = uring.result(0);
            uring.advance(1);
        }
        while (result > 0);
        assertEquals(-Errno.EAGAIN, result);
    }

    /** An ARP request of 198.18.7.(100 + i) for 198.18.7.1, as it goes over the wire. */
    private static void putRequest(final UnsafeBuffer buffer, final int at, final int i)
    {
        final byte[] frame = {
            -1, -1, -1, -1, -1, -1, 2, 0, 0, 0, 1, (byte)i, 8, 6,
            0, 1, 8, 0, 6, 4, 0, 1,
            2, 0, 0, 0, 1, (byte)i, (byte)198, 18, 7, (byte)(100 + i), 0, 0, 0, 0, 0, 0, (byte)198, 18, 7, 1};
        buffer.putBytes(at, frame);
    }

    private static Fd openTap()
    {
        final Fd fd = Syscalls.open(Tun.DEVICE, Fcntl.O_RDWR | Fcntl.O_NONBLOCK);
        final UnsafeBuffer request = Memory.scratch(If.IFREQ_LENGTH);
        Interfaces.putName(request, 0, "tap0");
        request.putShort(If.IFREQ_VALUE, (short)(Tun.IFF_TAP | Tun.IFF_NO_PI));
        Syscalls.ioctl(fd.number(), Tun.TUNSETIFF, request, "TUNSETIFF tap0");
        try (Interfaces interfaces = Interfaces.open())
        {
            interfaces.mtu("tap0", 1400);
            assertEquals(1400, interfaces.mtu("tap0"));
            interfaces.mac("tap0", new byte[]{2, 0, 0, 0, 0, 1});
            assertEquals(1, interfaces.mac("tap0")[5]);
            interfaces.up("tap0");
            assertTrue(interfaces.isUp("tap0"));
        }
        return fd;
    }

    private <T> T inside(final Callable<T> work) throws InterruptedException, ExecutionException
    {
        return inside.submit(work).get();
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        // No pipe to the child: the JVM closes it some time later, while another test counts descriptors.
        return new ProcessBuilder(command).redirectErrorStream(true).redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    }
}
