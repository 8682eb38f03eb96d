package io.ringtap.vhost.dataplane;

import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;
import io.ringtap.vhost.control.ReceiveRules;
import io.ringtap.vhost.guest.DirtyLog;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.virtio.RingSetup;

/**
 * What a session may ask of the data plane. Every call returns only when the workers concerned have acknowledged, so
 * after it nobody looks at what was replaced. Called by the session's agent alone; nobody else touches a ring.
 * <p>
 * Descriptors handed over belong to the data plane from then on, also when a call fails.
 */
public interface DataPlane
{
    /**
     * Rings that exist: two a queue pair, even ones receive (to the guest), odd ones transmit; and a control ring where
     * it is offered.
     */
    int ringCount();

    /** The virtio features the front-end set; they hold for rings started later and for the offloads of the port. */
    void features(long acknowledged);

    /**
     * Replaces the guest's memory under running rings. The old map is unmapped when every worker has moved on. A ring
     * whose addresses the new map does not hold is stopped as broken.
     *
     * @param memory owned by the data plane from now on; null for none.
     */
    void memory(GuestMemory memory);

    /**
     * Starts a ring; starting one that runs moves it to the new setup.
     *
     * @throws io.ringtap.vhost.virtio.RingFaultException when the addresses are not mapped or not aligned; the ring is
     * then as it was before.
     */
    void start(RingSetup setup);

    /**
     * Stops a ring when its frames in flight are done.
     *
     * @return the base to give to the front-end, or -1 when the ring was not running.
     */
    int stop(int ring);

    /**
     * Stops a ring at once: what cannot be finished without waiting stays in the in-flight region of the ring, for
     * whoever starts it again. Without such a region as {@link #stop}.
     *
     * @return the base to give to the front-end, or -1 when the ring was not running.
     */
    int suspend(int ring);

    /** A ring that is started but not enabled discards what the guest sends and gives it nothing. */
    void enable(int ring, boolean enabled);

    /** The descriptor the driver's kicks arrive on; null when the driver does not kick (poll). */
    void kick(int ring, Fd descriptor);

    /** The descriptor to notify the driver on; null when it polls. */
    void call(int ring, Fd descriptor);

    /** The descriptor to tell the front-end of a broken ring; null for none. */
    void error(int ring, Fd descriptor);

    /**
     * Notes every write into the guest's memory from now on: buffers at once, what rings themselves are written to as
     * {@link #logRing} says. Both belong to the caller, who closes the ones before when this returns.
     *
     * @param log    null for none.
     * @param signal told after each batch of writes; null for nobody.
     */
    void log(DirtyLog log, EventFd signal);

    /**
     * Where writes to a ring itself are noted while there is a log, whether it runs or will.
     *
     * @param usedGuestAddress of its used ring; {@link io.ringtap.vhost.virtio.Virtqueue#RING_NOT_LOGGED} for nowhere.
     */
    void logRing(int ring, long usedGuestAddress);

    /**
     * Translations of the guest's IOMMU came, or went: rings and workers that wait look again. After a loss nobody uses
     * what was lost.
     */
    void translated(boolean hasLost);

    /** Readable when {@link #control} has something to serve; only where there is a control ring. */
    int controlDescriptor();

    /** Whether nobody tells when the control ring has something: it is to be looked at from time to time. */
    boolean mustPollControl();

    /** Serves what waits in the control ring, a bounded part of it. */
    void control(ChainHandler handler);

    /** Which frames the guest is given from now on, on which pair. */
    void receive(ReceiveRules rules);

    /** What the guest takes from now on instead of plain frames: {@link io.ringtap.flow.Offloads} bits. */
    void offloads(int offloads);

    /** Sends a RARP for this MAC (6 bytes, first in the low byte, as in the message) to the port, so switches learn. */
    void announce(long mac);

    /**
     * The MTU the front-end asks for.
     *
     * @return false when the port cannot have it.
     */
    boolean mtu(int mtu);

    /** The port's MTU. */
    int mtu();

    /** Something of the port's interface was set: what is known of it is looked at again. */
    void refresh();

    /** Whether the operator left the port's link up. */
    boolean isLinkUp();

    /** How fast the port says it is. */
    LinkSpeed speed();

    /** The session is up (true) or gone: the port's carrier follows. */
    void connected(boolean up);

    /** Stops every ring, drops descriptors and memory: the session is over. */
    void reset();
}
