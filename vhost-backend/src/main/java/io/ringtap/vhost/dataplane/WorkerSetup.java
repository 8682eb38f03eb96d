package io.ringtap.vhost.dataplane;

import io.ringtap.flow.CoalesceRule;
import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.PageArena;
import io.ringtap.port.PacketPort;
import io.ringtap.xdp.HookChain;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What one worker is built from.
 *
 * @param port       the host's side.
 * @param pageArena  every frame of the host's side lies in it.
 * @param fragments  hands out its slots; shared with other workers or not.
 * @param guestHooks judge frames from the guest.
 * @param hostHooks  judge frames to the guest.
 * @param flowSort   group each batch by flow.
 * @param coalesce   what merging runs of a flow may change; null to merge nothing.
 * @param busyPollNs longest time to spin before parking.
 * @param cpu        CPU to run on, -1 for any.
 * @param portNumber by which eBPF programs know the port; -1 for none.
 * @param exchange   takes frames that hooks redirect to other ports.
 * @param rates      how fast frames of the NIC may go.
 */
public record WorkerSetup(
    PacketPort port,
    PageArena pageArena,
    FragAllocator fragments,
    HookChain guestHooks,
    HookChain hostHooks,
    boolean flowSort,
    CoalesceRule coalesce,
    long busyPollNs,
    int cpu,
    int portNumber,
    Exchange exchange,
    RateLimits rates)
{
    /** With a port that no program knows, and no others. */
    public WorkerSetup(
        final PacketPort port,
        final PageArena pageArena,
        final FragAllocator fragments,
        final HookChain guestHooks,
        final HookChain hostHooks,
        final boolean flowSort,
        final CoalesceRule coalesce,
        final long busyPollNs,
        final int cpu)
    {
        this(port, pageArena, fragments, guestHooks, hostHooks, flowSort, coalesce, busyPollNs, cpu, -1,
            Exchange.NONE, new RateLimits());
    }

    /** How many processors there are for programs of a NIC: each direction of a pair has values of its own. */
    public static int processors(final int queuePairs)
    {
        return 2 * queuePairs;
    }

    /** What hooks of a direction run on, as far as programs are concerned. */
    public static int processor(final int queue, final int direction)
    {
        return 2 * queue + direction;
    }

    UnsafeBuffer arena()
    {
        return pageArena.buffer();
    }
}
