package io.ringtap.vhost.dataplane;

import io.ringtap.flow.FrameBatch;

/** Where frames with verdict REDIRECT go that name another port than their own. */
@FunctionalInterface
public interface Exchange
{
    /** There are no other ports. */
    Exchange NONE = (port, batch, row) -> false;

    /**
     * Hands a frame to the port of a number; called by workers, so it never blocks. The frame is copied or retained
     * before this returns.
     *
     * @param batch holds the frame.
     * @param row   its index there.
     * @return false when there is no such port, or when it has no room: the frame is then dropped and counted.
     */
    boolean deliver(int port, FrameBatch batch, int row);
}
