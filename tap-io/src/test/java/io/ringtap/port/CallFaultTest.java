package io.ringtap.port;

import io.ringtap.sys.Errno;
import io.ringtap.sys.SyscallNumber;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/**
 * Every system call of the data path made to fail, one kind at a time, with every errno that it may have: a port
 * counts, keeps or drops frames, throws nothing, and gives back every fragment.
 */
@ExtendWith(NetNamespace.class)
class CallFaultTest
{
    private static final int NOTHING = -1;
    private static final int FRAMES = 8;
    private static final int TRIES = 20;
    private static final int MTU = 1500;
    private static final int[] CALLS = {SyscallNumber.WRITE, SyscallNumber.WRITEV, SyscallNumber.READ,
        SyscallNumber.READV, SyscallNumber.SENDTO, SyscallNumber.RECVFROM, SyscallNumber.IO_URING_ENTER,
        SyscallNumber.PPOLL, SyscallNumber.IOCTL};
    private static final int[] ERRNOS = {Errno.EAGAIN, Errno.EIO, Errno.EBADFD, Errno.ENOBUFS, Errno.ENOMEM,
        Errno.EINVAL, Errno.ENXIO, Errno.ENETDOWN, Errno.EBUSY};

    @Test
    void shouldOutliveWithACallAFrame() throws Exception
    {
        failEach(() -> new TapBed(PortIo.SYSCALL), "TAP");
    }

    @Test
    void shouldOutliveWithASubmissionABatch() throws Exception
    {
        failEach(() -> new TapBed(PortIo.URING), "TAP by io_uring");
    }

    @Test
    void shouldOutliveWithPacketSockets() throws Exception
    {
        failEach(() -> new VethBed((mtu) -> PortRig.packet(new PacketOptions().name(VethBed.NEAR))), "packet");
    }

    @Test
    void shouldOutliveWithXdpSockets() throws Exception
    {
        failEach(() -> new XskBed(XskMode.GENERIC), "AF_XDP");
    }

    /** A filter that comes while frames flow, or a ring that somebody closed: not one frame is lost or sent twice. */
    @ParameterizedTest
    @ValueSource(ints = {Errno.EPERM, Errno.EBADF, Errno.EINVAL, Errno.ENXIO})
    void shouldGoOnWithACallAFrameWhenTheRingIsRefused(final int errno) throws InterruptedException
    {
        onThread(new TapBed(PortIo.URING), (bed) ->
        {
            try (PortRig rig = bed.open(MTU);
                PacketSocket host = new PacketSocket(bed.host(), false))
            {
                exchange(rig, host, 0);
                FailingCall.install(SyscallNumber.IO_URING_ENTER, errno);
                exchange(rig, host, FRAMES);
                exchange(rig, host, 2 * FRAMES);
                assertEquals(3 * FRAMES, rig.count(PortCounter.TX_FRAMES));
                assertEquals(1, rig.count(PortCounter.IO_REFUSED));
            }
        });
    }

    /** Frames numbered from {@code first} on, out and in. */
    private static void exchange(final PortRig rig, final PacketSocket host, final int first)
    {
        for (int i = first; i < first + FRAMES; i++)
        {
            TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 60));
            host.send(TestFrames.numbered(i, 60));
        }
        rig.transmitAll();
        for (int i = first; i < first + FRAMES;)
        {
            final int received = rig.receive();
            for (int k = 0; k < received; k++)
            {
                assertArrayEquals(TestFrames.numbered(i++, 60), TestFrames.bytes(rig.batch, k));
            }
            rig.queue.release(rig.batch);
        }
    }

    private static void failEach(final Supplier<PortBed> beds, final String way) throws InterruptedException
    {
        int cases = 0;
        // First without a fault, so that no class is left to be loaded by a thread that cannot read.
        run(beds.get(), NOTHING, 0);
        for (final int call : CALLS)
        {
            for (final int errno : ERRNOS)
            {
                run(beds.get(), call, errno);
                cases++;
            }
        }
        System.out.println("failing calls, " + way + ": " + cases + " cases");
    }

    private static void run(final PortBed bed, final int call, final int errno) throws InterruptedException
    {
        onThread(bed, (each) -> use(each, call, errno));
    }

    /** On a thread that has its own calls fail and cannot be cured. */
    private static void onThread(final PortBed bed, final Consumer<PortBed> action) throws InterruptedException
    {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        bed.raise(MTU);
        try
        {
            final Thread worker = new Thread(() -> action.accept(bed), "failing");
            worker.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
            worker.start();
            worker.join();
        }
        finally
        {
            bed.close();
        }
        assertNull(failure.get(), () -> failure.get() + trace(failure.get()));
    }

    private static String trace(final Throwable thrown)
    {
        final StringBuilder text = new StringBuilder();
        for (final StackTraceElement each : thrown.getStackTrace())
        {
            text.append("\n  ").append(each);
        }
        return text.toString();
    }

    /** All of it on one thread, which owns the port's rings and cannot be cured. */
    private static void use(final PortBed bed, final int call, final int errno)
    {
        try (PortRig rig = bed.open(MTU))
        {
            use(rig, call, errno);
        }
    }

    private static void use(final PortRig rig, final int call, final int errno)
    {
        if (NOTHING != call)
        {
            FailingCall.install(call, errno);
        }
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < FRAMES; i++)
            {
                TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 60));
            }
            for (int i = 0; i < TRIES && !rig.batch.isDrained(); i++)
            {
                rig.queue.transmit(rig.batch);
                rig.queue.flush();
            }
            rig.batch.sent(rig.batch.readyCount());
            TestFrames.finish(rig.batch, rig.allocator);
            rig.queue.receive(rig.batch, PortRig.BATCH);
            rig.queue.release(rig.batch);
            rig.queue.armReceive();
        }
    }
}
