package io.ringtap;

import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.PageArena;
import io.ringtap.port.MacvtapMode;
import io.ringtap.port.MacvtapPort;
import io.ringtap.port.NullPort;
import io.ringtap.port.PacketOptions;
import io.ringtap.port.PacketPort;
import io.ringtap.port.PacketRingPort;
import io.ringtap.port.PortIo;
import io.ringtap.port.TapOptions;
import io.ringtap.port.TapPort;
import io.ringtap.port.XskMode;
import io.ringtap.port.XskOptions;
import io.ringtap.port.XskPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Locale;

/** Opens the port that a configuration names, and says once what it found. */
final class PortFactory
{
    private static final Logger LOG = LoggerFactory.getLogger(Backend.class);
    private static final int DEFAULT_NULL_MTU = 1500;

    private final BackendConfig config;
    private final PageArena arena;
    private final FragAllocator[] allocators;

    /** @param allocators one a queue. */
    PortFactory(final BackendConfig config, final PageArena arena, final FragAllocator[] allocators)
    {
        this.config = config;
        this.arena = arena;
        this.allocators = allocators;
    }

    PacketPort open()
    {
        return switch (config.portKind())
        {
            case TAP -> openTap();
            case MACVTAP -> openMacvtap();
            case PACKET -> openPacket();
            case XSK -> openXsk();
            case NULL -> openNull();
        };
    }

    private PacketPort openNull()
    {
        final int mtu = config.mtu() == BackendConfig.NONE ? DEFAULT_NULL_MTU : config.mtu();
        return new NullPort(config.queues(), mtu, arena.buffer(), (queue) -> allocators[queue], Tuning.generated());
    }

    private PacketPort openTap()
    {
        if (null != config.bridge())
        {
            BridgeAcl.ofHost(config.bridgeAcl()).check(config.bridge());
        }
        final TapPort tap = TapPort.open(tapOptions(), arena.buffer(), (queue) -> allocators[queue]);
        LOG.info("{}", tap.probe());
        return tap;
    }

    private PacketPort openMacvtap()
    {
        final MacvtapMode mode = null == config.portMode() ? null :
            MacvtapMode.valueOf(config.portMode().toUpperCase(Locale.ROOT));
        final MacvtapPort macvtap = MacvtapPort.open(
            tapOptions().mac(config.mac()), mode, arena.buffer(), (queue) -> allocators[queue]);
        LOG.info("{}", macvtap.probeText());
        return macvtap;
    }

    private PacketPort openPacket()
    {
        final PacketOptions options = new PacketOptions()
            .name(config.portName())
            .queues(config.queues())
            .mtu(config.mtu())
            .flushThreshold(config.flushThreshold())
            .doorbell(config.doorbell())
            .lingerUs(config.doorbellLingerUs())
            .bypassesQdisc(Tuning.bypassesQdisc())
            .offloads(config.offloads());
        final PacketRingPort packet =
            PacketRingPort.open(options, arena.buffer(), (queue) -> allocators[queue]);
        LOG.info("{}", packet.probe());
        return packet;
    }

    private PacketPort openXsk()
    {
        final XskOptions options = new XskOptions()
            .name(config.portName())
            .queues(config.queues())
            .mtu(config.mtu())
            .mode(null == config.portMode() ? XskMode.AUTO :
                XskMode.valueOf(config.portMode().toUpperCase(Locale.ROOT)))
            .flushThreshold(config.flushThreshold());
        final XskPort xsk = XskPort.open(options, arena, (queue) -> allocators[queue]);
        LOG.info("{}", xsk.probeText());
        return xsk;
    }

    private TapOptions tapOptions()
    {
        final TapOptions options = new TapOptions()
            .descriptors(config.tapFds())
            .queues(config.queues())
            .mtu(config.mtu())
            .bridge(config.bridge())
            .io(PortIo.valueOf(config.io().name()))
            .flushThreshold(config.flushThreshold())
            .sendBuffer(Tuning.sendBuffer())
            .registeredArena(Tuning.registered(arena))
            .offloads(config.offloads());
        return null == config.portName() ? options : options.name(config.portName());
    }
}
