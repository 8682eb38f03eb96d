package io.ringtap.vhost.dataplane;

import io.ringtap.vhost.virtio.Virtqueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kicks of a ring whose descriptors nobody ever wrote: the driver writes somewhere that we do not see. Front-ends kick
 * once by themselves when a ring starts, so the second is the first that tells.
 */
final class BlankKicks
{
    private static final Logger LOG = LoggerFactory.getLogger(RingEnd.class);
    private static final int TELLING_KICK = 2;

    private final String port;
    private final int ring;
    private int kicks;

    BlankKicks(final String port, final int ring)
    {
        this.port = port;
        this.ring = ring;
    }

    /** The ring starts anew. */
    void reset()
    {
        kicks = 0;
    }

    /** A kick came. */
    void onKick(final Virtqueue queue)
    {
        if (kicks < TELLING_KICK && queue.isBlank())
        {
            kicks++;
            if (TELLING_KICK == kicks)
            {
                LOG.warn("{}: ring {} is kicked but its memory stays empty: the guest's memory is not shared; " +
                    "add share=on to QEMU's memory-backend object", port, ring);
            }
        }
    }
}
