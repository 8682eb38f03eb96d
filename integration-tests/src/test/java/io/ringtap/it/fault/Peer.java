package io.ringtap.it.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.GuestQueue;
import io.ringtap.it.rig.Await;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import org.agrona.concurrent.UnsafeBuffer;

/** A guest that does nobody any harm: sends numbered frames to another one, and expects all of its, in order. */
final class Peer implements AutoCloseable
{
    static final int ETHER_TYPE = 0x88b5;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int LENGTH = 300;
    private static final int MAC = 6;
    private static final int NUMBER = 14;
    private static final int MOST = 64;

    private final Frontend frontend;
    private final GuestQueue queue;
    private final ByteBuffer frame = ByteBuffer.allocate(LENGTH);
    private long sent;
    private long received;

    Peer(final Path socket, final byte[] mac, final byte[] other)
    {
        frame.put(other).put(mac).putShort((short)ETHER_TYPE);
        frontend = new Frontend(new FrontendConfig().socketPath(socket.toString()).timeoutMs(30_000));
        frontend.connect();
        queue = frontend.nic().queue(0);
        frontend.start();
    }

    void send(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            frame.putLong(NUMBER, ++sent);
            Await.until("room to send", LIMIT, () -> queue.send(new UnsafeBuffer(frame.array()), 0, LENGTH));
        }
    }

    /** Waits until all that the other one sent is there. */
    void expectAllOf(final Peer other)
    {
        Await.until(() -> "frame " + (received + 1) + " of " + other.sent, LIMIT, () ->
        {
            poll();
            return received == other.sent;
        });
    }

    void poll()
    {
        queue.poll((buffer, header, offset, length) ->
        {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            final ByteBuffer got = ByteBuffer.wrap(bytes);
            if (LENGTH == length && (short)ETHER_TYPE == got.getShort(2 * MAC))
            {
                assertEquals(++received, got.getLong(NUMBER), "a frame was lost or came twice");
            }
        }, MOST);
    }

    void checkConnected()
    {
        assertTrue(!frontend.isPeerGone(), "a session ended that had done nothing");
    }

    @Override
    public void close()
    {
        frontend.close();
    }
}
