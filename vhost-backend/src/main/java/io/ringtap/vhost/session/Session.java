package io.ringtap.vhost.session;

import java.util.List;

import io.ringtap.events.SessionEvent;
import io.ringtap.sys.Fd;
import io.ringtap.sys.FdList;
import io.ringtap.vhost.dataplane.DataPlane;
import io.ringtap.vhost.guest.GuestMemory;
import io.ringtap.vhost.guest.RegionRequest;
import io.ringtap.vhost.protocol.IotlbFlyweight;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.protocol.Reply;
import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.virtio.NetFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one front-end has negotiated and set up. A handler checks everything before it changes anything: it throws
 * {@link RefusedException} (or the data plane throws) and the session is as it was. Descriptors stay with the list they
 * came in until the moment they are handed on.
 */
final class Session
{
    /** What works now; each stands for requests that {@link Request} handles. */
    static final long SUPPORTED_PROTOCOL_FEATURES = ProtocolFeature.mask(
        ProtocolFeature.MQ,
        ProtocolFeature.LOG_SHMFD,
        ProtocolFeature.RARP,
        ProtocolFeature.REPLY_ACK,
        ProtocolFeature.NET_MTU,
        ProtocolFeature.BACKEND_REQ,
        ProtocolFeature.CONFIG,
        ProtocolFeature.INFLIGHT_SHMFD,
        ProtocolFeature.RESET_DEVICE,
        ProtocolFeature.INBAND_NOTIFICATIONS,
        ProtocolFeature.CONFIGURE_MEM_SLOTS,
        ProtocolFeature.STATUS,
        ProtocolFeature.DEVICE_STATE,
        ProtocolFeature.GET_VRING_BASE_INFLIGHT,
        ProtocolFeature.GET_VRING_BASE_SKIP_DRAIN);

    /** QEMU keeps the config space of a network device, and warns the user of a back-end that offers it. */
    static final long ON_DEMAND_PROTOCOL_FEATURES = ProtocolFeature.mask(ProtocolFeature.CONFIG);

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    /** Announces GET_PROTOCOL_FEATURES; a front-end that sets it enables its rings itself. */
    private static final long PROTOCOL_FEATURES = NetFeatures.bit(NetFeatures.PROTOCOL_FEATURES);
    private static final long ACCESS_PLATFORM = NetFeatures.bit(NetFeatures.ACCESS_PLATFORM);
    private static final long LOG_ALL = NetFeatures.bit(NetFeatures.LOG_ALL);

    /** The log of a migration comes and goes while rings run; bit 30 says nothing of a ring's layout. */
    private static final long CHANGEABLE_WHILE_RUNNING = LOG_ALL | PROTOCOL_FEATURES;

    private static final int MIN_MTU = 68;
    private static final int MAX_MTU = 65535;
    private static final int MAX_STATUS = 0xFF;
    private static final long MAC_MASK = 0xFFFF_FFFF_FFFFL;

    private final String name;
    private final DataPlane dataPlane;
    private final ReplyProxy replies;
    private final long offeredFeatures;
    private final long offeredProtocolFeatures;
    private final VringTable rings;
    private final MigrationLog log;
    private final StateTransfer state;
    private final Translations translations;
    private long features;
    private boolean hasFeatures;
    private long protocolFeatures;
    private int status;
    private GuestMemory memory = GuestMemory.none();
    private final InflightHandler inflight;
    private final InbandNotifications inband;
    private final FrontendNews news;

    Session(final SessionContext context, final ReplyProxy replies, final SessionHost host)
    {
        this.name = context.name();
        this.dataPlane = context.dataPlane();
        this.replies = replies;
        this.offeredProtocolFeatures = context.protocolFeatures();
        this.offeredFeatures = context.offeredFeatures() | PROTOCOL_FEATURES |
            (ProtocolFeature.LOG_SHMFD.isIn(offeredProtocolFeatures) ? LOG_ALL : 0) |
            (ProtocolFeature.BACKEND_REQ.isIn(offeredProtocolFeatures) ? ACCESS_PLATFORM : 0);
        rings = new VringTable(context, replies);
        inflight = new InflightHandler(name, rings, replies);
        log = new MigrationLog(dataPlane);
        translations = new Translations(context, host);
        news = new FrontendNews(context, rings, translations, replies);
        state = new StateTransfer(rings, news.control(), offeredFeatures);
        inband = new InbandNotifications(dataPlane, news, rings.count());
        rings.inband(inband);
    }

    /** For the messages that are about one ring. */
    VringTable rings()
    {
        return rings;
    }

    /** For the messages about what is in flight. */
    InflightHandler inflight()
    {
        return inflight;
    }

    /** Virtio features that the driver acknowledged. */
    long features()
    {
        return features;
    }

    long protocolFeatures()
    {
        return protocolFeatures;
    }

    /** For what the front-end is told without being asked. */
    FrontendNews news()
    {
        return news;
    }

    boolean hasNegotiated(final ProtocolFeature feature)
    {
        return feature.isIn(protocolFeatures);
    }

    void onGetFeatures()
    {
        replies.u64(Request.GET_FEATURES, offeredFeatures);
    }

    /** Comes once a queue pair, with rings of other pairs running, so the same value again changes nothing. */
    void onSetFeatures(final long value)
    {
        final long alien = value & ~offeredFeatures;
        if (0 != alien)
        {
            throw new RefusedException("features " + String.join(" ", NetFeatures.names(alien)) + " were not offered");
        }

        if (0 != ((value ^ features) & ~CHANGEABLE_WHILE_RUNNING) && rings.isAnyStarted())
        {
            throw new RefusedException("features change from 0x" + Long.toHexString(features) + " to 0x" +
                Long.toHexString(value) + " while rings run: stop them first");
        }

        log.check(0 != (value & LOG_ALL));
        translate(0 != (value & ACCESS_PLATFORM) && canAsk());
        if (!hasFeatures || features != value)
        {
            if (!hasFeatures || 0 != ((value ^ features) & ~CHANGEABLE_WHILE_RUNNING))
            {
                begin(value);
            }

            rings.features(value);
            features = value;
            hasFeatures = true;
            log.on(0 != (value & LOG_ALL));
            LOG.info("{}: features {}, protocol features {}",
                name, String.join(" ", NetFeatures.names(features)), ProtocolFeature.names(protocolFeatures));
            SessionEvent.tell(name, SessionEvent.Change.FEATURES, String.join(" ", NetFeatures.names(features)));
        }

        if (0 == (value & PROTOCOL_FEATURES))
        {
            // Such a front-end never sends SET_VRING_ENABLE.
            rings.enableAll();
        }
    }

    void onGetProtocolFeatures()
    {
        replies.u64(Request.GET_PROTOCOL_FEATURES, offeredProtocolFeatures);
    }

    /** May come without GET_PROTOCOL_FEATURES before it, from a front-end that was restored and remembers. */
    void onSetProtocolFeatures(final long value)
    {
        final long alien = value & ~offeredProtocolFeatures;
        if (0 != alien)
        {
            final String reason = "protocol features " + ProtocolFeature.names(alien) + " were not offered";
            if (!hasNegotiated(ProtocolFeature.REPLY_ACK))
            {
                // The front-end cannot be told, and would go on by rules that are not ours.
                throw new ProtocolViolationException(reason);
            }

            throw new RefusedException(reason);
        }

        ProtocolRules.check(value);
        protocolFeatures = value;
        news.negotiated(value);
        inband.isOn(hasNegotiated(ProtocolFeature.INBAND_NOTIFICATIONS));
    }

    /** Rings, not pairs: front-ends compare it with either, as an upper bound. */
    void onGetQueueNum()
    {
        replies.u64(Request.GET_QUEUE_NUM, rings.count());
    }

    void onSetMemTable(final List<RegionRequest> regions)
    {
        replace(GuestMemory.map(regions));
    }

    void onGetMaxMemSlots()
    {
        replies.u64(Request.GET_MAX_MEM_SLOTS, GuestMemory.MAX_REGIONS);
    }

    void onAddMemReg(final RegionRequest region)
    {
        replace(memory.plus(region));
    }

    void onRemMemReg(final RegionRequest region)
    {
        if (!memory.isTranslated())
        {
            rings.checkNoneRunsIn(region.frontendAddress(), region.size());
        }

        replace(memory.minus(region));
    }

    /** Always answered: a front-end waits for it. */
    void onSetLogBase(final Fd file, final long size, final long offset)
    {
        log.base(file, size, offset, rings.isAnyStarted() ? memory : null);
        replies.u64(Request.SET_LOG_BASE, 0);
    }

    void onSetLogFd(final Fd descriptor)
    {
        log.signal(descriptor);
    }

    void onSetDeviceStateFd(final int direction, final int phase, final Fd channel)
    {
        state.begin(direction, phase, channel, features);
        replies.u64(Request.SET_DEVICE_STATE_FD, Reply.NO_DESCRIPTOR);
    }

    void onCheckDeviceState()
    {
        state.check();
        replies.u64(Request.CHECK_DEVICE_STATE, 0);
    }

    void onSendRarp(final long mac)
    {
        dataPlane.announce(mac & MAC_MASK);
        news.control().announce();
    }

    void onNetSetMtu(final long mtu)
    {
        if (mtu < MIN_MTU || mtu > MAX_MTU)
        {
            throw new RefusedException(
                "MTU " + Long.toUnsignedString(mtu) + " is not within " + MIN_MTU + ".." + MAX_MTU);
        }

        if (!dataPlane.mtu((int)mtu))
        {
            throw new RefusedException("the port cannot have the MTU " + mtu);
        }
    }

    void onSetBackendReqFd(final FdList descriptors)
    {
        translations.channel(new BackendChannel(descriptors.take(0)));
    }

    /** Always answered: the front-end goes on when nobody uses what it takes back. */
    void onIotlbMsg(final IotlbFlyweight message)
    {
        translations.onMessage(memory, message);
        replies.u64(Request.IOTLB_MSG, 0);
    }

    /** Workers wait for pages of the guest's that they do not know, or the front-end has answered for some. */
    void onTranslations(final boolean isMissing)
    {
        if (isMissing)
        {
            translations.ask(hasNegotiated(ProtocolFeature.REPLY_ACK));
        }
        else
        {
            translations.hear();
        }
    }

    /** The device starts anew, the session goes on: it keeps its owner, memory, descriptors and protocol features. */
    void onResetDevice()
    {
        rings.reset();
        if (0 != features)
        {
            begin(0);
        }

        rings.features(0);
        translate(false);
        log.on(false);
        features = 0;
        hasFeatures = false;
        status = 0;
    }

    /**
     * Status 0 is a reset of the device (virtio 1.x, 2.1): rings stop at once. QEMU before 8 asks for the bases after
     * it, so they are kept.
     */
    void onSetStatus(final long value)
    {
        if (value < 0 || value > MAX_STATUS)
        {
            throw new RefusedException("device status 0x" + Long.toHexString(value) + " is more than 8 bits");
        }

        if (0 == value)
        {
            rings.stopAll();
        }

        status = (int)value;
    }

    void onGetStatus()
    {
        replies.u64(Request.GET_STATUS, status);
    }

    /** The front-end is gone, or sent away. */
    void close()
    {
        try (log; state; inflight; inband; news; translations)
        {
            dataPlane.reset();
        }
    }

    /** A driver begins; what another one asked for is forgotten. */
    private void begin(final long acknowledged)
    {
        dataPlane.features(acknowledged);
        news.control().negotiated(acknowledged);
    }

    /** Rings that run go on in the new memory, or stop as broken where it does not hold them. */
    private void replace(final GuestMemory replacement)
    {
        // Workers may meet the new places before the new map: they are mapped already.
        translations.iotlb().moveTo(replacement);
        rings.hasMemory(0 != replacement.regionCount());
        see(replacement, memory.isTranslated());
    }

    /**
     * Monitors of protected guests take ACCESS_PLATFORM too and have no IOMMU to ask: their addresses are plain. QEMU
     * demands both of these where it has one.
     */
    private boolean canAsk()
    {
        return hasNegotiated(ProtocolFeature.BACKEND_REQ) && hasNegotiated(ProtocolFeature.REPLY_ACK);
    }

    /** ACCESS_PLATFORM came, came again or went. It does not change while rings run. */
    private void translate(final boolean isTranslated)
    {
        if (isTranslated && !rings.isAnyStarted())
        {
            translations.forget();
        }
        if (isTranslated != memory.isTranslated())
        {
            see(memory.through(null), isTranslated);
        }
    }

    /** @param replacement owned by this method. */
    private void see(final GuestMemory replacement, final boolean isTranslated)
    {
        memory = replacement.through(isTranslated ? translations.iotlb() : null);
        replacement.close();
        dataPlane.memory(memory);
    }
}
