package io.ringtap.vhost.session;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.protocol.DeviceStateFlyweight;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The device's state on its way out or in, through a descriptor of the front-end's. It is shorter than a pipe is deep,
 * so that it leaves in one write, and what came in waits in the pipe until the front-end, having closed its end, asks
 * what became of it.
 */
final class StateTransfer implements AutoCloseable
{
    /** A byte more than any state has, to see that there is more. */
    private static final int CAPACITY = DeviceState.MAX_LENGTH + 1;

    private final VringTable rings;
    private final ControlDesk control;
    private final long offeredFeatures;
    private final UnsafeBuffer buffer = Memory.scratch(CAPACITY);
    private Fd incoming;
    private int received;
    private boolean isDone;

    StateTransfer(final VringTable rings, final ControlDesk control, final long offeredFeatures)
    {
        this.rings = rings;
        this.control = control;
        this.offeredFeatures = offeredFeatures;
    }

    /** SET_DEVICE_STATE_FD, all rings being stopped. */
    void begin(final int direction, final int phase, final Fd channel, final long features)
    {
        close();
        try
        {
            if (DeviceStateFlyweight.PHASE_STOPPED != phase)
            {
                throw new RefusedException("the phase of the device state's transfer is " +
                    Integer.toUnsignedString(phase) + ", only 0 is known: stopped");
            }

            Syscalls.setNonBlocking(channel.number());
            switch (direction)
            {
                case DeviceStateFlyweight.DIRECTION_SAVE -> save(channel, features);
                case DeviceStateFlyweight.DIRECTION_LOAD ->
                {
                    incoming = channel;
                    received = 0;
                }
                default -> throw new RefusedException("the device state is to go neither out (0) nor in (1) but " +
                    Integer.toUnsignedString(direction));
            }
        }
        catch (final RuntimeException ex)
        {
            channel.close();
            throw ex;
        }
    }

    /**
     * CHECK_DEVICE_STATE: what came in is taken over now.
     *
     * @throws RefusedException when there was no transfer, or it came to nothing.
     */
    void check()
    {
        if (null == incoming)
        {
            if (!isDone)
            {
                throw new RefusedException("no transfer of the device's state was begun");
            }

            isDone = false;
            return;
        }

        try (Fd channel = incoming)
        {
            incoming = null;
            receive(channel);
            DeviceState.load(buffer, received, offeredFeatures, rings, control);
        }
    }

    /** Forgets a transfer that was not asked after. */
    @Override
    public void close()
    {
        isDone = false;
        if (null != incoming)
        {
            incoming.close();
            incoming = null;
        }
    }

    private void save(final Fd channel, final long features)
    {
        try (channel)
        {
            final int length = DeviceState.save(buffer, features, rings, control);
            final int written = Syscalls.write(channel.number(), buffer, 0, length);
            if (length != written)
            {
                throw new RefusedException("of the device state's " + length + " bytes the front-end's channel took " +
                    (written < 0 ? "none: " + Errno.nameOf(-written) : written));
            }
        }

        isDone = true;
    }

    private void receive(final Fd channel)
    {
        int result = Syscalls.read(channel.number(), buffer, 0, CAPACITY);
        while (result > 0 && received + result < CAPACITY)
        {
            received += result;
            result = Syscalls.read(channel.number(), buffer, received, CAPACITY - received);
        }

        if (0 != result)
        {
            throw new RefusedException(result > 0 ?
                "the device state has more than " + DeviceState.MAX_LENGTH + " bytes" :
                "the device state did not come to its end after " + received + " bytes: " + Errno.nameOf(-result));
        }
    }
}
