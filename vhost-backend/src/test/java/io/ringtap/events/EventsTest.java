package io.ringtap.events;

import io.ringtap.Backend;
import io.ringtap.BackendConfig;
import io.ringtap.PortKind;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.MacAddress;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A recording of Flight Recorder, read back. */
class EventsTest
{
    private static final long PATIENCE_NS = 60_000_000_000L;

    @TempDir
    private Path folder;

    @Test
    void shouldTellSessionsRingsAndStalls() throws Exception
    {
        final Path file = folder.resolve("events.jfr");
        try (Recording recording = new Recording())
        {
            recording.enable(SessionEvent.class);
            recording.enable(RingEvent.class);
            recording.enable(StallEvent.class);
            recording.start();
            talk();
            StallEvent.tell("tap9", 3, StallEvent.Reason.NO_GUEST_BUFFER, 5_000_000);
            RingEvent.tell("tap9", 1, RingEvent.Change.FAULT, "a head is not in the descriptor table");
            recording.stop();
            recording.dump(file);
        }
        final List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
            .filter((event) -> event.getEventType().getName().startsWith("io.ringtap.")).toList();
        final List<String> sessions = changes(events, "io.ringtap.Session");
        assertTrue(sessions.containsAll(List.of("CONNECTED", "FEATURES", "REFUSED", "DISCONNECTED")),
            () -> "sessions " + sessions);
        final List<String> rings = changes(events, "io.ringtap.Ring");
        assertEquals(2, rings.stream().filter("STARTED"::equals).count(), () -> "rings " + rings);
        assertTrue(rings.contains("FAULT"), () -> "rings " + rings);
        final RecordedEvent stall = events.stream()
            .filter((event) -> "io.ringtap.Stall".equals(event.getEventType().getName())).findFirst().orElseThrow();
        assertEquals(5_000_000, stall.getDuration("waited").toNanos());
        assertEquals("NO_GUEST_BUFFER", stall.getString("reason"));
        assertEquals(3, stall.getInt("queue"));
        assertEquals("tap9", stall.getString("port"));
        System.out.println(events.size() + " events");
    }

    private void talk() throws Exception
    {
        final Path socket = folder.resolve("vhost");
        try (Backend backend = Backend.launch(BackendConfig.builder().socketPath(socket.toString())
            .port(PortKind.NULL, null).conclude()))
        {
            try (Guest guest = new Guest(new FrontendConfig().socketPath(socket.toString()),
                new GuestConfig().addresses(new GuestAddresses(
                    MacAddress.parse("52:54:00:00:00:02"), InetAddress.getByName("198.18.7.2"), null))))
            {
                guest.start();
                await(() -> backend.session().isConnected());
            }
            await(() -> !backend.session().isConnected());
            try (SocketChannel frontEnd = SocketChannel.open(UnixDomainSocketAddress.of(socket)))
            {
                // SET_FEATURES with bits that were not offered.
                final ByteBuffer message = ByteBuffer.allocate(20).order(ByteOrder.nativeOrder());
                message.putInt(2).putInt(1).putInt(8).putLong(-1L);
                frontEnd.write(message.flip());
                await(() -> backend.session().isConnected());
            }
            await(() -> !backend.session().isConnected());
        }
    }

    private static List<String> changes(final List<RecordedEvent> events, final String type)
    {
        return events.stream().filter((event) -> type.equals(event.getEventType().getName()))
            .map((event) -> event.getString("change")).toList();
    }

    private static void await(final BooleanSupplier condition)
    {
        final long end = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean())
        {
            assertTrue(System.nanoTime() < end, "waited in vain");
            LockSupport.parkNanos(1_000_000);
        }
    }
}
