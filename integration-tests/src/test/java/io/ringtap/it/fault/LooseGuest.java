package io.ringtap.it.fault;

import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.FrontendException;
import io.ringtap.frontend.GuestQueue;
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.RigException;
import io.ringtap.sys.Fd;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/** A guest whose memory is about to go. After that only its kicks are used: its memory is ours too. */
final class LooseGuest implements AutoCloseable
{
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int[] LENGTHS = {60, 60, 60, 300, 1500, 1792, 1793, 4000, 30_000, 60_000};
    private static final int RING = 256;
    private static final int TRANSMIT = 2 << 20;
    private static final int MOST = 64;

    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[LENGTHS[LENGTHS.length - 1]]);
    private final Random random;
    private Frontend frontend;
    private GuestQueue queue;

    LooseGuest(
        final Path socket, final long features, final Fd file, final byte[] mac, final byte[] to, final Random random)
    {
        this.random = random;
        frame.putBytes(0, ByteBuffer.allocate(14).put(to).put(mac).putShort((short)Peer.ETHER_TYPE).array());
        final FrontendConfig config = new FrontendConfig().socketPath(socket.toString()).features(features)
            .ringSize(RING).transmitBytes(TRANSMIT).memoryFile(file).timeoutMs(30_000)
            .descriptorsPerFrame(1 + random.nextInt(3), random.nextBoolean());
        Await.until("a session after the one before", LIMIT, () -> connect(config));
        queue = frontend.nic().queue(0);
        frontend.start();
    }

    /** The one before is perhaps still to be disconnected; then we are sent away as the second. */
    private boolean connect(final FrontendConfig config)
    {
        frontend = new Frontend(config);
        try
        {
            frontend.connect();
            return true;
        }
        catch (final FrontendException ex)
        {
            if (null != frontend.memory())
            {
                throw new RigException("a session ended that had done nothing yet: " + ex, ex);
            }
            frontend.close();
            return false;
        }
    }

    /** Some frames out, and some in. */
    void pump()
    {
        offer(1 + random.nextInt(16));
        queue.poll((buffer, header, offset, length) -> {}, MOST);
    }

    /** As many frames out as the rings take. */
    void fill()
    {
        offer(RING);
    }

    /** Without a look at its memory. */
    void kick()
    {
        frontend.ring(0).kick().signal();
        frontend.ring(1).kick().signal();
    }

    @Override
    public void close()
    {
        frontend.close();
    }

    private void offer(final int count)
    {
        boolean hasRoom = true;
        for (int i = 0; i < count && hasRoom; i++)
        {
            hasRoom = queue.offer(frame, 0, LENGTHS[random.nextInt(LENGTHS.length)]);
        }
        queue.flush();
    }
}
