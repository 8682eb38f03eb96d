package io.ringtap.vhost.ops;

import io.ringtap.flow.Offloads;
import io.ringtap.port.PacketPort;
import io.ringtap.sys.SyscallException;
import io.ringtap.vhost.dataplane.QueuePairWorker;
import io.ringtap.vhost.dataplane.WorkerCounter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows NICs and sets their links: {@code port.show}, {@code port.link}. */
final class PortCommands
{
    private static final List<String> STATES = List.of("up", "down");

    private final NicDirectory nics;

    PortCommands(final NicDirectory nics)
    {
        this.nics = nics;
    }

    void register(final ControlCommands commands)
    {
        commands.register("port.show", "shows the ports; port=NAME for one", this::show);
        commands.register("port.link", "takes the link of a port up or down; port=NAME, state=up|down", this::link);
    }

    private Object show(final Request request)
    {
        final List<Object> ports = new ArrayList<>();
        for (final Nic nic : nics.named(request))
        {
            ports.add(describe(nic));
        }
        return Map.of("ports", ports);
    }

    private static Map<String, Object> describe(final Nic nic)
    {
        final PacketPort port = nic.port();
        final Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("port", nic.name());
        shown.put("interface", port.name());
        shown.put("number", nic.number());
        shown.put("queues", nic.workers().size());
        shown.put("mtu", port.mtu());
        shown.put("connected", nic.session().isConnected());
        shown.put("link", !nic.link().isWanted() ? "taken down" : nic.link().isUp() ? "up" : "down");
        shown.put("offloads", "0x" + Integer.toHexString(port.transmitOffloads() & Offloads.ALL));
        long fromGuest = 0;
        long toGuest = 0;
        for (final QueuePairWorker worker : nic.workers())
        {
            fromGuest += worker.counters().get(WorkerCounter.GUEST_FRAMES);
            toGuest += worker.counters().get(WorkerCounter.HOST_FRAMES);
        }
        shown.put("pages", nic.arena().pages());
        shown.put("pagesUsed", nic.arena().pages() - nic.arena().freePages());
        shown.put("framesFromGuest", fromGuest);
        shown.put("framesToGuest", toGuest);
        return shown;
    }

    private Object link(final Request request)
    {
        final Nic nic = nics.one(request);
        final boolean isUp = "up".equals(request.choice("state", null, STATES));
        request.refuseRest();
        try
        {
            nic.link().wanted(isUp);
        }
        catch (final SyscallException ex)
        {
            throw new CommandException("the link of " + nic.name(), ex.getMessage(), "see whether the device is there");
        }
        return describe(nic);
    }
}
