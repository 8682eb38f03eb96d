package io.ringtap.it;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.Netns;
import io.ringtap.it.rig.NetnsThread;
import io.ringtap.it.rig.RigException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

/**
 * One TCP connection to a server that sends everything back, kept busy for as long as a test goes on. Every byte that
 * comes back is compared with what was sent, since a guest that trusts the device's checksums would not notice if its
 * memory were wrong.
 */
final class EchoStream implements AutoCloseable
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int CHUNK = 32 * 1024;
    /** Bytes on their way: more than the buffers of both ends would make each wait for the other. */
    private static final long WINDOW = 256 * 1024;
    private static final Duration PACE = Duration.ofMillis(5);

    private final Socket socket;
    private final long seed;
    private final Thread sender;
    private final Thread receiver;
    private volatile long sent;
    private volatile long received;
    private volatile boolean isEnding;
    private volatile String fault;

    private EchoStream(final Socket socket, final long seed)
    {
        this.socket = socket;
        this.seed = seed;
        sender = new Thread(() -> guarded(this::send), "echo-sender");
        receiver = new Thread(() -> guarded(this::receive), "echo-receiver");
    }

    static EchoStream connect(final Netns netns, final String address, final int port, final long seed)
    {
        final Socket socket = NetnsThread.call(netns, () ->
        {
            final Socket made = new Socket();
            made.connect(new InetSocketAddress(address, port), (int)LIMIT.toMillis());
            made.setTcpNoDelay(true);
            return made;
        });
        final EchoStream stream = new EchoStream(socket, seed);
        stream.sender.start();
        stream.receiver.start();
        return stream;
    }

    /** Waits until this many more bytes have made their way there and back. */
    void awaitMore(final long bytes)
    {
        final long goal = received + bytes;
        Await.until(() -> "bytes of the stream: " + this, LIMIT, () ->
        {
            check();
            return received >= goal;
        });
    }

    /** Ends the stream and waits for the rest of it. @return bytes that went there and back unchanged. */
    long finish()
    {
        isEnding = true;
        Await.until(() -> "the end of the stream: " + this, LIMIT, () ->
        {
            check();
            return !sender.isAlive() && received == sent;
        });
        return received;
    }

    @Override
    public void close()
    {
        isEnding = true;
        try
        {
            socket.close();
            sender.join();
            receiver.join();
        }
        catch (final IOException ex)
        {
            throw new RigException("the stream's socket", ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString()
    {
        return "seed " + seed + ", " + sent + " bytes sent, " + received + " received";
    }

    private void check()
    {
        if (null != fault)
        {
            throw new RigException("the stream broke: " + fault + "; " + this);
        }
    }

    private void send() throws IOException
    {
        final Random random = new Random(seed);
        final byte[] chunk = new byte[CHUNK];
        while (!isEnding)
        {
            if (sent - received < WINDOW)
            {
                random.nextBytes(chunk);
                socket.getOutputStream().write(chunk);
                sent += CHUNK;
            }
            Await.pause(PACE);
        }
        // Not shut down here: the server would take that for the end of both directions.
    }

    private void receive() throws IOException
    {
        final Random random = new Random(seed);
        final byte[] chunk = new byte[CHUNK];
        final byte[] expected = new byte[CHUNK];
        while (socket.getInputStream().readNBytes(chunk, 0, CHUNK) == CHUNK)
        {
            random.nextBytes(expected);
            final int at = Arrays.mismatch(expected, chunk);
            if (at >= 0)
            {
                fault = "byte " + (received + at) + " came back changed";
                return;
            }
            received += CHUNK;
        }
        if (!isEnding)
        {
            fault = "the guest closed it";
        }
    }

    /** A step that may fail. */
    private interface Step
    {
        void run() throws IOException;
    }

    private void guarded(final Step step)
    {
        try
        {
            step.run();
        }
        catch (final IOException ex)
        {
            if (!isEnding)
            {
                fault = ex.toString();
            }
        }
    }
}
