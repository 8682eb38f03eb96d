package io.ringtap.frontend;

import io.ringtap.sys.Fd;
import io.ringtap.vhost.protocol.InflightFlyweight;
import io.ringtap.vhost.protocol.Request;

/**
 * The front-end's side of in-flight tracking: it asks the first back-end for a region and keeps it, so that the next
 * one finds what this one had in its hands. What is in it is between back-ends.
 */
final class FrontendInflight implements AutoCloseable
{
    private Fd file;
    private long size;
    private long offset;

    /** Gives the back-end its region: a new one, or that of the one before it. */
    void start(final FrontendConnection connection, final int rings, final int ringSize)
    {
        final InflightFlyweight message = new InflightFlyweight();
        message.wrap(connection.buffer(), connection.payload());
        if (null == file)
        {
            put(connection, message, rings, ringSize);
            file = connection.askForDescriptor(
                Request.GET_INFLIGHT_FD, InflightFlyweight.PADDED_LENGTH, InflightFlyweight.PADDED_LENGTH);
            size = message.mmapSize();
            offset = message.mmapOffset();
        }
        put(connection, message, rings, ringSize);
        message.mmapSize(size).mmapOffset(offset);
        connection.command(
            Request.SET_INFLIGHT_FD, InflightFlyweight.PADDED_LENGTH, new int[]{file.number()}, true);
    }

    /** The file of the region; null before the first start. */
    Fd file()
    {
        return file;
    }

    @Override
    public void close()
    {
        if (null != file)
        {
            file.close();
            file = null;
        }
    }

    private static void put(
        final FrontendConnection connection, final InflightFlyweight message, final int rings, final int ringSize)
    {
        connection.buffer().setMemory(connection.payload(), InflightFlyweight.PADDED_LENGTH, (byte)0);
        message.queueCount(rings).queueSize(ringSize);
    }
}
