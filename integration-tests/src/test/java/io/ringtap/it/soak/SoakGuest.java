package io.ringtap.it.soak;

import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.FrontendException;
import io.ringtap.frontend.FrontendMemory;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.GuestCounter;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.PktgenConfig;
import io.ringtap.it.rig.Await;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.virtio.NetFeatures;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** A guest of the soak: its front-end, what it plugged in, and what it sent to the host, for the books. */
final class SoakGuest implements AutoCloseable
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Part of a burst. */
    private static final Duration LOGGED = Duration.ofMillis(20);
    private static final long PLUGGED_AT = 1L << 36;
    private static final int PLUGGED_BYTES = 1 << 20;
    /** With the six that memory is cut into at most, as many regions as a table has. */
    private static final int MOST_PLUGGED = 2;
    /** A bit for each page of 256 GiB, which is beyond all that is plugged in. */
    private static final int LOG_BYTES = 8 << 20;

    private final Path socket;
    private final boolean isPacked;
    private final String address;
    private final Deque<FrontendMemory> plugged = new ArrayDeque<>();
    private Guest guest;
    private long sent;
    private long generated;
    private long plugs;
    private long dirtyPages;

    SoakGuest(final Path socket, final boolean isPacked, final String address)
    {
        this.socket = socket;
        this.isPacked = isPacked;
        this.address = address;
    }

    /** A guest whose threads have to rest while its back-end comes back. */
    boolean isPacked()
    {
        return isPacked;
    }

    void start()
    {
        try
        {
            final long packed = isPacked ? NetFeatures.bit(NetFeatures.RING_PACKED) : 0;
            guest = new Guest(new FrontendConfig().socketPath(socket.toString()).timeoutMs(30_000)
                .features(FrontendConfig.DEFAULT_FEATURES | packed).protocolFeatures(
                    FrontendConfig.DEFAULT_PROTOCOL_FEATURES | ProtocolFeature.DEVICE_STATE.mask()),
                new GuestConfig().addresses(new GuestAddresses(mac(), InetAddress.getByName(address), null)));
            guest.start();
        }
        catch (final UnknownHostException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    Guest guest()
    {
        return guest;
    }

    /** Begins to send datagrams to the host. */
    void generate(final String nextHop, final String host, final int count, final double rate, final int segments)
        throws UnknownHostException
    {
        guest.generate(new PktgenConfig().spec(new FrameSpec(mac(), MacAddress.parse(nextHop),
            InetAddress.getByName(address), InetAddress.getByName(host), false, 10_000, 9,
            segments > 1 ? ChecksumMode.PARTIAL : ChecksumMode.FULL))
            .sizes(64, 200, 1400).flows(4).segments(segments).count(count).rate(rate));
    }

    void awaitRest()
    {
        Await.until(() -> "the end of sending, in flight " + guest.inFlight() + ", failure " + guest.failure(), LIMIT,
            () -> null != guest.failure() || !guest.isGenerating() && 0 == guest.inFlight());
        if (null != guest.failure())
        {
            throw new IllegalStateException("a guest failed", guest.failure());
        }
    }

    /** Datagrams that were generated, by this guest and those before it. */
    long generated()
    {
        return generated + guest.sum(GuestCounter.GENERATED_PACKETS);
    }

    /** Frames shown to the device, likewise. */
    long sent()
    {
        return sent + guest.sum(GuestCounter.SENT_FRAMES);
    }

    long plugs()
    {
        return plugs;
    }

    long faults()
    {
        return guest.sum(GuestCounter.RECEIVE_FAULTS);
    }

    void plug()
    {
        if (plugged.size() == MOST_PLUGGED)
        {
            guest.frontend().unplug(plugged.removeFirst());
        }
        final FrontendMemory more =
            FrontendMemory.create(PLUGGED_AT + plugs * 2L * PLUGGED_BYTES, PLUGGED_BYTES, 1, 0);
        plugged.addLast(more);
        guest.frontend().plug(more);
        plugs++;
    }

    /**
     * A migration under traffic: writes are logged, rings stop, the device's state goes into another session, where the
     * rings go on. Cancelled instead, nothing but the log comes and goes.
     */
    void migrate(final boolean isCarriedOut)
    {
        final Frontend frontend = guest.frontend();
        try (Fd log = MemFd.create("dirty-log", LOG_BYTES))
        {
            frontend.logWrites(log, LOG_BYTES);
            final long before = guest.sum(GuestCounter.RETURNED_FRAMES);
            Await.pause(LOGGED);
            final boolean hasWritten = before < guest.sum(GuestCounter.RETURNED_FRAMES);
            if (isCarriedOut)
            {
                frontend.stop();
                final byte[] state = frontend.saveState();
                frontend.disconnect();
                // Sent away as the second one while the first is still to be disconnected.
                Await.until("another session", LIMIT, () -> isConnected(frontend));
                frontend.loadState(state);
                frontend.start();
            }
            else
            {
                frontend.endLogging();
            }
            final int marked = marks(log);
            if (hasWritten && 0 == marked)
            {
                throw new IllegalStateException("chains were given back, and no page was logged as written");
            }
            dirtyPages += marked;
        }
    }

    private static boolean isConnected(final Frontend frontend)
    {
        try
        {
            frontend.connect();
            return true;
        }
        catch (final FrontendException ex)
        {
            return false;
        }
    }

    private static int marks(final Fd log)
    {
        int marks = 0;
        try (Mapping mapping = Mapping.shared(log.number(), 0, LOG_BYTES, "dirty log"))
        {
            for (int i = 0; i < LOG_BYTES; i += Long.BYTES)
            {
                marks += Long.bitCount(mapping.buffer().getLong(i));
            }
        }
        return marks;
    }

    /** Pages that were logged as written, of all migrations. */
    long dirtyPages()
    {
        return dirtyPages;
    }

    /** Another guest in the same place. */
    void renew()
    {
        close();
        start();
    }

    @Override
    public void close()
    {
        if (null != guest)
        {
            generated = generated();
            sent = sent();
            plugged.clear();
            guest.close();
            guest = null;
        }
    }

    private MacAddress mac()
    {
        return MacAddress.parse("52:54:00:12:34:" + (isPacked ? "57" : "56"));
    }
}
