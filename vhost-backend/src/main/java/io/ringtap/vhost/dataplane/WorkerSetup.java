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
    int cpu)
{
    UnsafeBuffer arena()
    {
        return pageArena.buffer();
    }
}
