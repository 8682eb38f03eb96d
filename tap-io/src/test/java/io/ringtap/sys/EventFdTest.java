package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Signals are counted, and no descriptor of a peer makes them wait or throw. */
class EventFdTest
{
    @Test
    void shouldCountSignalsUntilDrained()
    {
        try (EventFd event = EventFd.create())
        {
            assertEquals(0, event.drain());
            event.signal();
            event.signal();
            event.signal();
            assertEquals(3, event.drain());
            assertEquals(0, event.drain());
        }
    }

    @Test
    void shouldAdoptABlockingDescriptorWithoutEverWaiting()
    {
        try (EventFd event = EventFd.create())
        {
            Syscalls.fcntl(event.number(), Fcntl.F_SETFL, 0);
            try (EventFd adopted = EventFd.of(Syscalls.dup(event.number())))
            {
                assertEquals(0, adopted.drain());
                adopted.signal();
                assertEquals(1, event.drain());
            }
        }
    }

    @Test
    void shouldIgnoreAFullCounter()
    {
        try (EventFd event = EventFd.create())
        {
            final UnsafeBuffer most = Memory.scratch(8);
            most.putLong(0, -2L);
            assertEquals(8, Syscalls.write(event.number(), most, 0, 8));
            event.signal();
            assertEquals(-2L, event.drain());
        }
    }

    @Test
    void shouldNotThrowWhenThePeerSentSomethingElse()
    {
        final Fd[] pipe = new Fd[2];
        Syscalls.pipe(pipe, 0);
        pipe[0].close();
        try (EventFd event = EventFd.of(pipe[1]))
        {
            event.signal();
            assertEquals(0, event.drain());
        }
    }

    @Test
    void shouldCloseTheDescriptorOnce()
    {
        final int before = OpenDescriptors.count();
        final EventFd event = EventFd.create();
        event.close();
        event.close();
        assertFalse(event.isOpen());
        assertThrows(IllegalStateException.class, event::signal);
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void shouldTellAnEventFromAnythingElse()
    {
        final Fd[] pipe = new Fd[2];
        Syscalls.pipe(pipe, 0);
        try (EventFd event = EventFd.create(); Fd reader = pipe[0]; Fd writer = pipe[1];
            Fd memory = MemFd.create("memory", 4096))
        {
            assertTrue(EventFd.isEvent(event.number()));
            assertFalse(EventFd.isEvent(reader.number()));
            assertFalse(EventFd.isEvent(writer.number()));
            assertFalse(EventFd.isEvent(memory.number()));
        }
    }

    @Test
    void shouldFreeAThreadThatThePeerMadeWait() throws InterruptedException
    {
        try (EventFd event = EventFd.create())
        {
            event.signal();
            event.drain();
            Syscalls.fcntl(event.number(), Fcntl.F_SETFL,
                Syscalls.fcntl(event.number(), Fcntl.F_GETFL, 0) & ~Fcntl.O_NONBLOCK);
            final Thread waiting = new Thread(event::drain);
            waiting.start();
            while (waiting.isAlive())
            {
                event.unblock();
                waiting.join(1);
            }
            assertFalse(waiting.isAlive());
        }
    }
}
