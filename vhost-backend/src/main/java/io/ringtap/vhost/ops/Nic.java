package io.ringtap.vhost.ops;

import io.ringtap.frag.PageArena;
import io.ringtap.port.PacketPort;
import io.ringtap.vhost.dataplane.LinkState;
import io.ringtap.vhost.dataplane.QueuePairWorker;
import io.ringtap.vhost.dataplane.RateLimits;
import io.ringtap.vhost.session.SessionAgent;

import java.util.List;

/**
 * A running NIC, as commands see it.
 *
 * @param name    what people call it: its name in the configuration, else its port's.
 * @param port    the host's side.
 * @param number  by which eBPF programs know the port.
 * @param link    of the port.
 * @param hooks   what judges its frames.
 * @param workers one a queue pair.
 * @param session serves its front-end.
 * @param capture records its frames.
 * @param arena   where its frames lie.
 * @param rates   how fast they may go.
 * @param trace   follows single ones of them.
 */
public record Nic(
    String name,
    PacketPort port,
    int number,
    LinkState link,
    HookBoard hooks,
    List<QueuePairWorker> workers,
    SessionAgent session,
    NicCapture capture,
    PageArena arena,
    RateLimits rates,
    NicTrace trace)
{
    /** Keeps a copy of the list. */
    public Nic
    {
        workers = List.copyOf(workers);
    }
}
