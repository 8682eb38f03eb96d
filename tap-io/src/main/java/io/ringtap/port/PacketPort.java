package io.ringtap.port;

import io.ringtap.sys.Fd;
import io.ringtap.sys.LinkWatch;

import java.util.List;

/**
 * The host's side of a NIC: something that takes and gives Ethernet frames, with one queue a worker. The data plane
 * knows no more of it than this; TAP, macvtap, AF_PACKET, AF_XDP and the null port stand behind.
 */
public interface PacketPort extends AutoCloseable
{
    /** Interface name for people. */
    String name();

    int queueCount();

    PortQueue queue(int index);

    /** What {@link PortQueue#transmit} accepts, as {@link io.ringtap.flow.Offloads} bits. */
    int transmitOffloads();

    /**
     * Says what may be received from now on, because the guest can take it.
     *
     * @param wanted {@link io.ringtap.flow.Offloads} bits.
     * @return the bits engaged: the port probes downwards, never beyond {@code wanted}.
     */
    int receiveOffloads(int wanted);

    /** The most that {@link #receiveOffloads} could ever engage here; probed at start. */
    int supportedReceiveOffloads();

    int mtu();

    /** Sets the interface's MTU; throws {@link io.ringtap.sys.SyscallException} when the host refuses. */
    void mtu(int mtu);

    /**
     * Tells when something of the interface is set behind our back; {@link #refresh} then looks.
     *
     * @return the caller's; null where nobody tells.
     */
    default LinkWatch watch()
    {
        return null;
    }

    /** An administrator may have changed the MTU. */
    default void refresh()
    {
        // A port without an interface has nobody who could.
    }

    /** The link as the guest's session sees it: down when no guest is connected. */
    void carrier(boolean up);

    /**
     * Gives the port to a successor: from now on {@link #close()} leaves the interface as it is.
     *
     * @return descriptors of its own for each queue, the caller's; empty when there is nothing to hand over.
     * @throws PortException when a port of this kind cannot be handed over.
     */
    default List<Fd> handOver()
    {
        throw new PortException(name(), "a port of this kind cannot be handed over", "restart the backend", null);
    }

    @Override
    void close();
}
