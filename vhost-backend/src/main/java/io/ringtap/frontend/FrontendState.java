package io.ringtap.frontend;

import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.protocol.DeviceStateFlyweight;
import io.ringtap.vhost.protocol.Request;
import org.agrona.concurrent.UnsafeBuffer;

/** The device's state through a pipe, out of one session and into another. */
final class FrontendState
{
    /** What a pipe holds, and more than any state has. */
    private static final int CAPACITY = 64 * 1024;
    /** In the answer's low byte: 0 for none. */
    private static final int FAULT = 0xff;

    private FrontendState()
    {
    }

    static byte[] save(final FrontendConnection connection)
    {
        final Fd[] ends = pipe();
        try (Fd mine = ends[0])
        {
            begin(connection, DeviceStateFlyweight.DIRECTION_SAVE, ends[1]);
            final UnsafeBuffer bytes = Memory.scratch(CAPACITY);
            int length = 0;
            int read = Syscalls.read(mine.number(), bytes, 0, CAPACITY);
            while (read > 0)
            {
                length += read;
                read = length == CAPACITY ? 0 : Syscalls.read(mine.number(), bytes, length, CAPACITY - length);
            }
            check(connection);
            final byte[] state = new byte[length];
            bytes.getBytes(0, state);
            return state;
        }
    }

    static void load(final FrontendConnection connection, final byte[] state)
    {
        final Fd[] ends = pipe();
        try (Fd mine = ends[1])
        {
            begin(connection, DeviceStateFlyweight.DIRECTION_LOAD, ends[0]);
            final UnsafeBuffer bytes = Memory.scratch(CAPACITY);
            bytes.putBytes(0, state);
            final int written = Syscalls.write(mine.number(), bytes, 0, state.length);
            if (written != state.length)
            {
                throw new FrontendException("a pipe took " + written + " of a state's " + state.length + " bytes");
            }
        }
        check(connection);
    }

    /** The back-end's end goes with the message and is closed here. */
    private static void begin(final FrontendConnection connection, final int direction, final Fd theirs)
    {
        try (theirs)
        {
            new DeviceStateFlyweight().wrap(connection.buffer(), connection.payload())
                .direction(direction).phase(DeviceStateFlyweight.PHASE_STOPPED);
            connection.ask(Request.SET_DEVICE_STATE_FD, DeviceStateFlyweight.LENGTH, new int[]{theirs.number()},
                Long.BYTES);
        }
        if (0 != (connection.buffer().getByte(connection.payload()) & FAULT))
        {
            throw new FrontendException("back-end refused to transfer its state");
        }
    }

    private static void check(final FrontendConnection connection)
    {
        final long result = connection.ask(Request.CHECK_DEVICE_STATE);
        if (0 != result)
        {
            throw new FrontendException("back-end could not transfer its state (" + result + ")");
        }
    }

    private static Fd[] pipe()
    {
        final Fd[] ends = new Fd[2];
        Syscalls.pipe(ends, Fcntl.O_NONBLOCK);
        return ends;
    }
}
