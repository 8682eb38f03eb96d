package io.ringtap.vhost.session;

import io.ringtap.sys.Fd;
import io.ringtap.sys.FdList;
import io.ringtap.vhost.guest.InflightRegion;
import io.ringtap.vhost.protocol.InflightFlyweight;
import io.ringtap.vhost.virtio.InflightLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory that a front-end keeps for us and that says what of its rings was in our hands. It asks for a new one, and
 * gives it back to whoever serves it next.
 */
final class InflightHandler implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(InflightHandler.class);

    private final String name;
    private final VringTable rings;
    private final ReplyProxy replies;
    private InflightRegion region;

    InflightHandler(final String name, final VringTable rings, final ReplyProxy replies)
    {
        this.name = name;
        this.rings = rings;
        this.replies = replies;
    }

    /**
     * Makes a region. Most front-ends set it at once; one that does not, on its first connection, is tracked all the
     * same.
     *
     * @param length of the request's payload, which the answer has too.
     */
    void onGetInflightFd(final InflightFlyweight request, final int length)
    {
        final int part = partLength(request);
        final int count = request.queueCount();
        final int size = request.queueSize();
        try (Fd file = InflightRegion.file(count, part))
        {
            final long total = (long)count * part;
            if (!rings.isAnyStarted())
            {
                replace(InflightRegion.map(file, 0, total, count, size, part), count, size);
            }

            replies.inflight(total, count, size, length, file);
        }
    }

    /** Takes up the region of whoever served the front-end before; the mapping is all that we need of its file. */
    void onSetInflightFd(final InflightFlyweight request, final FdList descriptors)
    {
        final int part = partLength(request);
        try (Fd file = descriptors.take(0))
        {
            replace(
                InflightRegion.map(file, request.mmapOffset(), request.mmapSize(), request.queueCount(),
                    request.queueSize(), part),
                request.queueCount(), request.queueSize());
        }
    }

    @Override
    public void close()
    {
        rings.inflight(null);
        if (null != region)
        {
            region.close();
            region = null;
        }
    }

    private void replace(final InflightRegion replacement, final int count, final int size)
    {
        close();
        region = replacement;
        rings.inflight(replacement);
        LOG.info("{}: chains in flight of {} rings of {} are tracked", name, count, size);
    }

    /** Bytes of each ring's part, after what was said of the rings has met its limits. */
    private int partLength(final InflightFlyweight request)
    {
        final int count = request.queueCount();
        if (count < 1 || count > rings.count())
        {
            throw new RefusedException(count + " rings, there are " + rings.count());
        }

        final int size = request.queueSize();
        if (size < 1 || size > VringState.MAX_SIZE)
        {
            throw new RefusedException("rings of " + size + " descriptors, limit is " + VringState.MAX_SIZE);
        }

        return InflightLayout.length(size, rings.isPacked());
    }
}
