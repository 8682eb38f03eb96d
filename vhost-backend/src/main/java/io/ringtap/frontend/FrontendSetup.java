package io.ringtap.frontend;

import io.ringtap.frontend.FrontendMemory.Region;
import io.ringtap.vhost.protocol.LogFlyweight;
import io.ringtap.vhost.protocol.MemoryRegionFlyweight;
import io.ringtap.vhost.protocol.MemoryRegionsFlyweight;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.protocol.VringAddressFlyweight;
import io.ringtap.vhost.protocol.VringDescriptorFlyweight;
import io.ringtap.vhost.protocol.VringStateFlyweight;
import io.ringtap.vhost.virtio.NetFeatures;
import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fd;

import java.util.Arrays;
import java.util.List;

/** The messages that set a device up and take it down again, in the order of QEMU, over one connection. */
final class FrontendSetup
{
    private static final int STATUS_FEATURES_OK = 0x8;
    private static final int STATUS_DRIVER_OK = 0xF;
    private static final int[] NO_DESCRIPTORS = {};

    private final FrontendConnection connection;
    private final FrontendConfig config;
    private final VringStateFlyweight state = new VringStateFlyweight();
    private final VringAddressFlyweight address = new VringAddressFlyweight();
    private final VringDescriptorFlyweight descriptor = new VringDescriptorFlyweight();
    private final MemoryRegionsFlyweight table = new MemoryRegionsFlyweight();
    private final MemoryRegionFlyweight single = new MemoryRegionFlyweight();
    private final LogFlyweight log = new LogFlyweight();
    private long protocolFeatures;
    private boolean hasEnable;

    FrontendSetup(final FrontendConnection connection, final FrontendConfig config)
    {
        this.connection = connection;
        this.config = config;
        state.wrap(connection.buffer(), connection.payload());
        address.wrap(connection.buffer(), connection.payload());
        descriptor.wrap(connection.buffer(), connection.payload());
        table.wrap(connection.buffer(), connection.payload());
        single.wrap(connection.buffer(), connection.payload());
        log.wrap(connection.buffer(), connection.payload());
    }

    /** The feature PROTOCOL_FEATURES is in force, be the word empty: rings have to be enabled. */
    void protocolFeatures(final long negotiated)
    {
        hasEnable = true;
        protocolFeatures = negotiated;
    }

    /** A back-end's successor learns what its predecessor had in its hands. */
    boolean tracksInflight()
    {
        return ProtocolFeature.INFLIGHT_SHMFD.isIn(protocolFeatures);
    }

    /** How many rings the back-end has; 0 when it does not say. They are enough, or this throws. */
    long checkPairs()
    {
        final boolean hasMany = ProtocolFeature.MQ.isIn(protocolFeatures);
        final long rings = hasMany ? connection.ask(Request.GET_QUEUE_NUM) : 0;
        final long limit = hasMany ? rings : 1;
        if (config.queuePairs() > limit)
        {
            throw new FrontendException(
                "back-end serves " + limit + " queue pairs, " + config.queuePairs() + " were asked for");
        }
        if (hasSlots())
        {
            connection.ask(Request.GET_MAX_MEM_SLOTS);
        }
        return rings;
    }

    /** Sent at the start of the process, long before the rings are set up. */
    void announceNotifiers(final FrontendRing receive, final FrontendRing transmit)
    {
        announceNotifiers(receive);
        announceNotifiers(transmit);
    }

    void announceNotifiers(final FrontendRing ring)
    {
        sendDescriptor(Request.SET_VRING_CALL, ring.index(), ring.call());
        sendDescriptor(Request.SET_VRING_ERR, ring.index(), ring.error());
    }

    void start(
        final long features,
        final FrontendRing[] rings,
        final FrontendRing control,
        final List<FrontendMemory> memories,
        final FrontendInflight inflight)
    {
        final int pairs = rings.length / 2;
        for (int pair = 0; pair < pairs; pair++)
        {
            if (0 == pair)
            {
                enable(0, true);
            }
            connection.command(Request.SET_FEATURES, features, config.acksEverything());
            status(0 == pair ? STATUS_FEATURES_OK : 0);
            if (0 == pair)
            {
                memory(memories);
                if (tracksInflight())
                {
                    inflight.start(connection, null == control ? rings.length : control.index() + 1, config.ringSize());
                }
            }
            startRing(rings[2 * pair], memories.get(0));
            startRing(rings[2 * pair + 1], memories.get(0));
        }
        if (null != control)
        {
            announceNotifiers(control);
            startRing(control, memories.get(0));
            enableRing(control, true);
        }
        status(STATUS_DRIVER_OK);
        if (pairs > 1)
        {
            for (int pair = 0; pair < pairs; pair++)
            {
                enable(pair, true);
            }
        }
        for (final FrontendRing ring : rings)
        {
            if (null != ring.kick())
            {
                ring.kick().signal();
            }
        }
    }

    void stop(final FrontendRing[] rings)
    {
        if (ProtocolFeature.STATUS.isIn(protocolFeatures))
        {
            connection.command(Request.SET_STATUS, 0, config.acksEverything());
        }
        for (final FrontendRing ring : rings)
        {
            if (ring.isRunning())
            {
                stopRing(ring);
            }
        }
    }

    void stopRing(final FrontendRing ring)
    {
        state.index(ring.index()).num(0);
        connection.ask(Request.GET_VRING_BASE, VringStateFlyweight.LENGTH, VringStateFlyweight.LENGTH);
        if (state.index() != ring.index())
        {
            throw new FrontendException(
                "GET_VRING_BASE of ring " + ring.index() + " was answered for ring " + state.index());
        }
        ring.stopped(state.num());
    }

    /** QEMU 10 asks for an ack here, 7.2 does not. */
    void enable(final int pair, final boolean enabled)
    {
        if (!hasEnable)
        {
            return;
        }
        for (int ring = 2 * pair; ring < 2 * pair + 2; ring++)
        {
            sendState(Request.SET_VRING_ENABLE, ring, enabled ? 1 : 0, true);
        }
    }

    private void enableRing(final FrontendRing ring, final boolean enabled)
    {
        if (hasEnable)
        {
            sendState(Request.SET_VRING_ENABLE, ring.index(), enabled ? 1 : 0, true);
        }
    }

    /** Tells of the whole memory. */
    void memory(final List<FrontendMemory> memories)
    {
        if (hasSlots())
        {
            memories.forEach(this::addRegions);
            return;
        }
        final int[] descriptors = new int[MemoryRegionsFlyweight.MAX_REGIONS];
        int count = 0;
        for (final FrontendMemory memory : memories)
        {
            for (final Region region : memory.regions())
            {
                if (count == descriptors.length)
                {
                    throw new FrontendException("more than " + count + " regions need CONFIGURE_MEM_SLOTS");
                }
                descriptors[count] = memory.descriptor();
                table.region(
                    count++, region.guestAddress(), region.size(), region.frontendAddress(), region.mmapOffset());
            }
        }
        table.count(count);
        connection.command(
            Request.SET_MEM_TABLE, MemoryRegionsFlyweight.lengthOf(count), Arrays.copyOf(descriptors, count),
            true);
        if (!ProtocolFeature.REPLY_ACK.isIn(protocolFeatures))
        {
            // A barrier: what comes back after it was handled after it.
            connection.ask(Request.GET_FEATURES);
        }
    }

    /** Tells of memory that came on top. */
    void plug(final List<FrontendMemory> all, final FrontendMemory more)
    {
        if (hasSlots())
        {
            addRegions(more);
        }
        else
        {
            memory(all);
        }
    }

    /** Tells of memory that goes. */
    void unplug(final List<FrontendMemory> rest, final FrontendMemory less)
    {
        if (!hasSlots())
        {
            memory(rest);
            return;
        }
        for (final Region region : less.regions())
        {
            put(region);
            connection.command(Request.REM_MEM_REG, MemoryRegionFlyweight.LENGTH, NO_DESCRIPTORS, true);
        }
    }

    private void addRegions(final FrontendMemory memory)
    {
        for (final Region region : memory.regions())
        {
            put(region);
            connection.command(
                Request.ADD_MEM_REG, MemoryRegionFlyweight.LENGTH, new int[]{memory.descriptor()}, true);
        }
    }

    private void put(final Region region)
    {
        single.region(region.guestAddress(), region.size(), region.frontendAddress(), region.mmapOffset());
    }

    private boolean hasSlots()
    {
        return ProtocolFeature.CONFIGURE_MEM_SLOTS.isIn(protocolFeatures);
    }

    void startRing(final FrontendRing ring, final FrontendMemory memory)
    {
        final DriverRing driver = ring.ring();
        sendState(Request.SET_VRING_NUM, ring.index(), driver.size(), config.acksEverything());
        sendState(Request.SET_VRING_BASE, ring.index(), ring.base(), config.acksEverything());
        sendAddress(ring, memory, 0, config.acksEverything());
        sendDescriptor(Request.SET_VRING_KICK, ring.index(), ring.kick());
        sendDescriptor(Request.SET_VRING_CALL, ring.index(), ring.call());
        ring.started();
    }

    /** Has all writes noted in a file: the log first, then the feature, then the rings' own parts, as QEMU does. */
    void logWrites(
        final Fd file, final long size, final long features, final FrontendRing[] rings, final FrontendMemory memory)
    {
        log.size(size).mmapOffset(0);
        connection.command(Request.SET_LOG_BASE, LogFlyweight.LENGTH, new int[]{file.number()}, true);
        logging(features | 1L << NetFeatures.LOG_ALL, VringAddressFlyweight.FLAG_LOG, rings, memory);
    }

    void endLogging(final long features, final FrontendRing[] rings, final FrontendMemory memory)
    {
        logging(features, 0, rings, memory);
    }

    private void logging(
        final long features, final int flags, final FrontendRing[] rings, final FrontendMemory memory)
    {
        connection.command(Request.SET_FEATURES, features, true);
        for (final FrontendRing ring : rings)
        {
            if (ring.isRunning())
            {
                sendAddress(ring, memory, flags, true);
            }
        }
    }

    private void sendAddress(
        final FrontendRing ring, final FrontendMemory memory, final int flags, final boolean wantsAck)
    {
        final DriverRing driver = ring.ring();
        address.index(ring.index())
            .flags(flags)
            .descriptorAddress(memory.frontendAddress(ring.offsetOf(driver.descriptorAddress())))
            .usedAddress(memory.frontendAddress(ring.offsetOf(driver.deviceAddress())))
            .availableAddress(memory.frontendAddress(ring.offsetOf(driver.driverAddress())))
            .logGuestAddress(driver.deviceAddress());
        connection.command(Request.SET_VRING_ADDR, VringAddressFlyweight.LENGTH, NO_DESCRIPTORS, wantsAck);
    }

    private void status(final int value)
    {
        if (ProtocolFeature.STATUS.isIn(protocolFeatures))
        {
            connection.ask(Request.GET_STATUS);
            if (0 != value)
            {
                connection.command(Request.SET_STATUS, value, config.acksEverything());
            }
        }
    }

    private void sendState(final Request request, final int ring, final int value, final boolean wantsAck)
    {
        state.index(ring).num(value);
        connection.command(request, VringStateFlyweight.LENGTH, NO_DESCRIPTORS, wantsAck);
    }

    private void sendDescriptor(final Request request, final int ring, final EventFd event)
    {
        descriptor.value(ring, null != event);
        connection.command(
            request,
            VringDescriptorFlyweight.LENGTH,
            null == event ? NO_DESCRIPTORS : new int[]{event.number()},
            config.acksEverything());
    }
}
