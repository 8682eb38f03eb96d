package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits of the poll family are never restarted by the kernel itself, so a signal shows who does. */
@Timeout(30)
class InterruptedCallTest
{
    private static final int SIGWINCH = 28;

    private final AtomicInteger signals = new AtomicInteger();
    private Object previous;

    @BeforeEach
    void handleSignal() throws ReflectiveOperationException
    {
        // By reflection: the compiler warns of sun.misc, and our warnings are errors.
        final Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
        previous = install(Proxy.newProxyInstance(handlerType.getClassLoader(), new Class<?>[]{handlerType},
            (proxy, method, arguments) ->
            {
                signals.incrementAndGet();
                return null;
            }));
    }

    @AfterEach
    void restoreHandler() throws ReflectiveOperationException
    {
        install(previous);
    }

    @Test
    void shouldCallAgainWhenASignalInterrupts() throws Exception
    {
        try (EventFd event = EventFd.create())
        {
            final long entry = Memory.allocate(8);
            Memory.putInt(entry, event.number());
            Memory.putInt(entry + 4, Poll.IN);
            final CompletableFuture<Long> result = inThread(
                () -> Kernel.call(SyscallNumber.PPOLL, entry, 1, 0, 0, 0));
            interrupt(3);
            event.signal();
            assertEquals(1, result.get(10, TimeUnit.SECONDS));
            Memory.free(entry);
        }
    }

    @Test
    void shouldEndAWaitEarlyWithNothingReady() throws Exception
    {
        try (EventFd event = EventFd.create(); Epoll epoll = Epoll.create(1))
        {
            epoll.add(event.number(), Poll.IN, 1);
            final CompletableFuture<Long> wait = inThread(() -> epoll.await(-1));
            interrupt(1);
            assertEquals(0, wait.get(10, TimeUnit.SECONDS));
            final CompletableFuture<Long> poll = inThread(() -> Syscalls.poll(event.number(), Poll.IN, -1));
            interrupt(1);
            assertEquals(0, poll.get(10, TimeUnit.SECONDS));
        }
    }

    private volatile int thread;

    private CompletableFuture<Long> inThread(final LongSupplier call)
    {
        final CompletableFuture<Long> result = new CompletableFuture<>();
        thread = 0;
        final Thread runner = new Thread(() ->
        {
            thread = Syscalls.gettid();
            result.complete(call.getAsLong());
        });
        runner.setDaemon(true);
        runner.start();
        return result;
    }

    private void interrupt(final int times) throws Exception
    {
        while (thread == 0 || !isWaiting(thread))
        {
            Thread.onSpinWait();
        }
        for (int i = 0; i < times; i++)
        {
            final int before = signals.get();
            Kernel.call(SyscallNumber.TGKILL, Syscalls.getpid(), thread, SIGWINCH, 0, 0);
            while (signals.get() == before)
            {
                Thread.onSpinWait();
            }
        }
    }

    /** In the kernel's poll or epoll wait, as /proc tells it. */
    private static boolean isWaiting(final int thread) throws Exception
    {
        final String call = Files.readString(
            Path.of("/proc/self/task/" + thread + "/syscall"));
        return call.startsWith(SyscallNumber.PPOLL + " ") || call.startsWith(SyscallNumber.EPOLL_PWAIT + " ");
    }

    private static Object install(final Object handler) throws ReflectiveOperationException
    {
        final Class<?> signalType = Class.forName("sun.misc.Signal");
        final Object signal = signalType.getConstructor(String.class).newInstance("WINCH");
        return signalType.getMethod("handle", signalType, Class.forName("sun.misc.SignalHandler"))
            .invoke(null, signal, handler);
    }
}
