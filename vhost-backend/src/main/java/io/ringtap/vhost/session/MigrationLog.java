package io.ringtap.vhost.session;

import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.vhost.dataplane.DataPlane;
import io.ringtap.vhost.guest.DirtyLog;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.GuestMemoryException;

/**
 * The dirty log of a live migration, as the front-end has set it up: where it lies, whom to tell of writes, and whether
 * it is on (LOG_ALL among the features). Whatever is replaced is let go only after every worker has moved on.
 */
final class MigrationLog implements AutoCloseable
{
    private final DataPlane dataPlane;
    private DirtyLog log;
    private EventFd signal;
    private boolean isOn;
    private boolean isMissing;

    MigrationLog(final DataPlane dataPlane)
    {
        this.dataPlane = dataPlane;
    }

    /**
     * SET_LOG_BASE.
     *
     * @param reached memory that rings may have written to, null when none runs. A log that comes when it is on
     *                already, as QEMU sends it for rings that start in a migration, has missed what they wrote, so that
     *                all of it counts as written.
     */
    void base(final Fd file, final long size, final long offset, final GuestMemory reached)
    {
        final DirtyLog replacement;
        try
        {
            replacement = DirtyLog.map(file, size, offset);
        }
        catch (final GuestMemoryException ex)
        {
            isMissing = true;
            throw ex;
        }

        final DirtyLog old = log;
        log = replacement;
        isMissing = false;
        try
        {
            if (isOn && null == old && null != reached)
            {
                reached.markAll(replacement);
            }

            follow();
        }
        finally
        {
            if (null != old)
            {
                old.close();
            }
        }
    }

    /** SET_LOG_FD. */
    void signal(final Fd descriptor)
    {
        if (!EventFd.isEvent(descriptor.number()))
        {
            descriptor.close();
            throw new RefusedException("the descriptor of the log's event is not an eventfd");
        }

        final EventFd old = signal;
        signal = EventFd.of(descriptor);
        follow();
        if (null != old)
        {
            old.close();
        }
    }

    /**
     * Before a SET_FEATURES takes effect: QEMU does not look at the answer to SET_LOG_BASE, and a migration without the
     * log would leave the guest with old memory.
     */
    void check(final boolean on)
    {
        if (on && !isOn && isMissing)
        {
            throw new RefusedException("LOG_ALL without a log: the last SET_LOG_BASE was refused");
        }
    }

    /** LOG_ALL came or went. */
    void on(final boolean on)
    {
        if (on != isOn)
        {
            isOn = on;
            if (null != log)
            {
                dataPlane.log(on ? log : null, on ? signal : null);
            }
        }
    }

    /** The data plane has let go of it. */
    @Override
    public void close()
    {
        isOn = false;
        if (null != log)
        {
            log.close();
            log = null;
        }

        if (null != signal)
        {
            signal.close();
            signal = null;
        }
    }

    private void follow()
    {
        if (isOn && null != log)
        {
            dataPlane.log(log, signal);
        }
    }
}
