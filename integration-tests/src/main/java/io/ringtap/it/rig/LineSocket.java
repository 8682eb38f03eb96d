package io.ringtap.it.rig;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** Lines over a UNIX socket with a time limit for each: what the guest's agent and QEMU's monitor both speak. */
final class LineSocket implements AutoCloseable
{
    private static final int BUFFER_LENGTH = 1 << 16;

    private final String peer;
    private final SocketChannel channel;
    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_LENGTH).flip();
    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();

    private LineSocket(final String peer, final SocketChannel channel) throws IOException
    {
        this.peer = peer;
        this.channel = channel;
        this.selector = Selector.open();
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
    }

    /** Connects as soon as somebody listens; {@code owner} is watched meanwhile, for its early death. */
    static LineSocket connect(final String peer, final Path path, final HostProcess owner, final Duration limit)
    {
        final SocketChannel[] connected = new SocketChannel[1];
        Await.until(() -> "a listener at " + path + "\n" + owner.output(), limit, () ->
        {
            if (!owner.isAlive())
            {
                throw new RigException(owner + " ended before it listened at " + path + "\n" + owner.output());
            }
            connected[0] = tryConnect(path);
            return null != connected[0];
        });
        try
        {
            return new LineSocket(peer, connected[0]);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static SocketChannel tryConnect(final Path path)
    {
        SocketChannel channel = null;
        try
        {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.connect(UnixDomainSocketAddress.of(path));
            return channel;
        }
        catch (final IOException ex)
        {
            if (null != channel)
            {
                closeQuietly(channel);
            }
            return null;
        }
    }

    void send(final String line)
    {
        try
        {
            final ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining())
            {
                if (0 == channel.write(bytes))
                {
                    Thread.onSpinWait();
                }
            }
        }
        catch (final IOException ex)
        {
            throw new RigException(peer + " takes no more commands", ex);
        }
    }

    String receive(final long deadlineNs)
    {
        try
        {
            while (true)
            {
                while (buffer.hasRemaining())
                {
                    final byte next = buffer.get();
                    if ('\n' == next)
                    {
                        final String line = partial.toString(StandardCharsets.UTF_8);
                        partial.reset();
                        return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
                    }
                    partial.write(next);
                }
                final long leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
                if (leftMs <= 0)
                {
                    throw new RigException(peer + " gave no answer in time; begun: " + partial);
                }
                selector.select(leftMs);
                selector.selectedKeys().clear();
                buffer.clear();
                final int length = channel.read(buffer);
                buffer.flip();
                if (length < 0)
                {
                    throw new RigException(peer + " closed the channel");
                }
            }
        }
        catch (final IOException ex)
        {
            throw new RigException(peer + " is lost", ex);
        }
    }

    @Override
    public void close()
    {
        closeQuietly(selector);
        closeQuietly(channel);
    }

    private static void closeQuietly(final AutoCloseable resource)
    {
        try
        {
            resource.close();
        }
        catch (final Exception ex)
        {
            Progress.say("close failed: " + ex);
        }
    }
}
