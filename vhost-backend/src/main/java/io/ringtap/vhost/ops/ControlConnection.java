package io.ringtap.vhost.ops;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.FdMessage;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One client: bytes in until a line is whole, bytes out until they are gone. While it does not read its answer, nothing
 * more of it is read.
 */
final class ControlConnection implements AutoCloseable
{
    private static final byte[] NOTHING = {};
    private static final int[] NO_DESCRIPTORS = {};

    private final Fd socket;
    private byte[] in = NOTHING;
    private int inLength;
    private byte[] out = NOTHING;
    private int outStart;
    private boolean isEnding;
    private Parcel parcel;

    ControlConnection(final Fd socket)
    {
        this.socket = socket;
    }

    int number()
    {
        return socket.number();
    }

    /** Whether an answer, or what is left of it, waits for the client. */
    boolean isAnswering()
    {
        return outStart < out.length;
    }

    /** The client goes as soon as it has its last answer. */
    void end()
    {
        isEnding = true;
    }

    boolean isEnding()
    {
        return isEnding;
    }

    /** Whether the line at hand can never end within the limit. */
    boolean isLineTooLong()
    {
        return inLength > ControlServer.MAX_LINE;
    }

    /**
     * Reads what is there, once.
     *
     * @param scratch native memory.
     * @return false when the client is gone.
     */
    boolean read(final UnsafeBuffer scratch)
    {
        // One byte more than a line may have shows that it is too long.
        final int room = Math.min(scratch.capacity(), ControlServer.MAX_LINE + 1 - inLength);
        if (room <= 0)
        {
            return true;
        }
        final int got = Syscalls.read(socket.number(), scratch, 0, room);
        if (got > 0)
        {
            if (in.length < inLength + got)
            {
                in = Arrays.copyOf(in, inLength + got);
            }
            scratch.getBytes(0, in, inLength, got);
            inLength += got;
        }
        return got > 0 || -Errno.EAGAIN == got;
    }

    /** The next whole line without its end, or null. */
    String nextLine()
    {
        for (int i = 0; i < inLength; i++)
        {
            if ('\n' == in[i])
            {
                final String line = new String(in, 0, i, StandardCharsets.UTF_8);
                in = Arrays.copyOfRange(in, i + 1, inLength);
                inLength = in.length;
                return line;
            }
        }
        return null;
    }

    void answer(final String text)
    {
        out = (text + '\n').getBytes(StandardCharsets.UTF_8);
        outStart = 0;
    }

    /** As the other, with descriptors. */
    void answer(final String text, final Parcel descriptors)
    {
        answer(text);
        parcel = descriptors;
    }

    /** @return false when the client is gone. */
    boolean write(final FdMessage messages, final UnsafeBuffer scratch)
    {
        while (isAnswering())
        {
            final int length = Math.min(scratch.capacity(), out.length - outStart);
            scratch.putBytes(0, out, outStart, length);
            final int[] fds = 0 == outStart ? attached() : NO_DESCRIPTORS;
            final int sent = messages.send(socket.number(), scratch, 0, length, fds, fds.length);
            if (-Errno.EAGAIN == sent)
            {
                return true;
            }
            if (sent < 0)
            {
                return false;
            }
            outStart += sent;
        }
        out = NOTHING;
        outStart = 0;
        deliver();
        return true;
    }

    @Override
    public void close()
    {
        deliver();
        socket.close();
    }

    private int[] attached()
    {
        return null == parcel ? NO_DESCRIPTORS : parcel.descriptors().stream().mapToInt(Fd::number).toArray();
    }

    /** The descriptors are the client's now, or nobody's. */
    private void deliver()
    {
        if (null != parcel)
        {
            parcel.descriptors().forEach(Fd::close);
            parcel.afterwards().run();
            parcel = null;
        }
    }
}
