package io.ringtap.hostile;

import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.GuestQueue;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A guest that does nobody any harm, moved by the test's own thread. */
final class Peer implements AutoCloseable
{
    private static final int LIMIT = 64;

    private final Frontend frontend;
    private final GuestQueue queue;
    private byte[] received;

    Peer(final String socketPath)
    {
        frontend = new Frontend(new FrontendConfig().socketPath(socketPath).ringSize(64).timeoutMs(30_000));
        frontend.connect();
        queue = frontend.nic().queue(0);
        frontend.start();
    }

    void send(final byte[] frame)
    {
        assertTrue(trySend(frame), "a peer has no room to send");
    }

    boolean trySend(final byte[] frame)
    {
        queue.reclaim();
        return queue.send(new UnsafeBuffer(frame), 0, frame.length);
    }

    /** As the other, behind a net header. */
    void send(final byte[] header, final byte[] frame)
    {
        queue.reclaim();
        assertTrue(queue.offer(new UnsafeBuffer(header), 0, new UnsafeBuffer(frame), 0, frame.length));
        queue.flush();
    }

    /** Frames that came since the last time; the last of them is kept. */
    int poll()
    {
        return queue.poll((buffer, header, offset, length) ->
        {
            received = new byte[length];
            buffer.getBytes(offset, received);
        }, LIMIT);
    }

    boolean hasReceived(final byte[] frame)
    {
        poll();
        return Arrays.equals(frame, received);
    }

    Frontend frontend()
    {
        return frontend;
    }

    @Override
    public void close()
    {
        frontend.close();
    }
}
