package io.ringtap;

import io.ringtap.sandbox.Door;
import io.ringtap.sandbox.Sandbox;
import io.ringtap.sys.SyscallException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Gives up, once everything is open, what a process was told to: first its user, then most system calls. */
public final class Confinement
{
    private static final Logger LOG = LoggerFactory.getLogger(Confinement.class);
    /** What a NIC may ask for that comes later, by the file or the control socket; bpf(2) is not among it. */
    private static final Set<Door> FOR_LATER = Collections.unmodifiableSet(
        EnumSet.of(Door.PACKET_SOCKETS, Door.XDP_SOCKETS, Door.DEVICE_FILES, Door.IO_URING));

    private final FleetConfig config;
    private final Isolation isolation;
    private final RunAs runAs;

    /** @throws ConfigException when it cannot be, before anything is opened. */
    public Confinement(final FleetConfig config)
    {
        this.config = config;
        isolation = config.process().isolation();
        runAs = null == isolation.runAs() ? null : RunAs.of(isolation.runAs());
        if (null != runAs && config.ports().values().stream().anyMatch((nic) -> PortKind.PACKET == nic.portKind()))
        {
            throw new ConfigException("--run-as=" + isolation.runAs() + " with --packet",
                "its sockets are made anew when a guest comes, which needs CAP_NET_RAW",
                "start as that user with CAP_NET_RAW and CAP_NET_ADMIN, as systemd's AmbientCapabilities= gives them");
        }
        final String obstacle = Switch.ON == isolation.sandbox() ? Sandbox.obstacle() : null;
        if (null != obstacle)
        {
            throw new ConfigException("--sandbox=on", obstacle, "use --sandbox=auto, or a newer kernel");
        }
    }

    /**
     * Makes it so for every thread, and says once what holds.
     *
     * @param mayGrow whether NICs may come later.
     * @return what NICs may still need of the kernel.
     */
    public Set<Door> enter(final boolean mayGrow)
    {
        if (null != runAs)
        {
            runAs.become();
            LOG.info("running as user {}, group {}, without capabilities", runAs.uid(), runAs.gid());
        }
        final String obstacle = Switch.OFF == isolation.sandbox() ? "--sandbox=off" : Sandbox.obstacle();
        if (null != obstacle)
        {
            LOG.info("no sandbox: {}", obstacle);
            return EnumSet.allOf(Door.class);
        }
        final Set<Door> open = EnumSet.noneOf(Door.class);
        config.ports().values().forEach((nic) -> open.addAll(doors(nic)));
        if (mayGrow)
        {
            open.addAll(FOR_LATER);
        }
        return enter(open);
    }

    private Set<Door> enter(final Set<Door> open)
    {
        try
        {
            LOG.info("sandbox: {}", Sandbox.enter(open));
            return open;
        }
        catch (final SyscallException ex)
        {
            if (Switch.ON == isolation.sandbox())
            {
                throw new ConfigException("--sandbox=on", ex.getMessage(), "use --sandbox=auto");
            }
            LOG.warn("no sandbox: {}", ex.getMessage());
            return EnumSet.allOf(Door.class);
        }
    }

    /** What a NIC needs of the kernel beside what every NIC needs. */
    static Set<Door> doors(final BackendConfig nic)
    {
        final Set<Door> doors = EnumSet.noneOf(Door.class);
        switch (nic.portKind())
        {
            case PACKET -> doors.add(Door.PACKET_SOCKETS);
            case XSK -> doors.addAll(Set.of(Door.XDP_SOCKETS, Door.XDP_ATTACH));
            case MACVTAP -> doors.add(Door.DEVICE_FILES);
            default ->
            {
                // A TAP is a file, and the null port nothing.
            }
        }
        final boolean isFile = PortKind.TAP == nic.portKind() || PortKind.MACVTAP == nic.portKind();
        if (isFile && IoMode.SYSCALL != nic.io())
        {
            doors.add(Door.IO_URING);
        }
        if (nic.xdpOracle())
        {
            doors.add(Door.XDP_ORACLE);
        }
        return doors;
    }
}
