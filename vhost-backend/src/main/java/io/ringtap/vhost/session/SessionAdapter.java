package io.ringtap.vhost.session;

import java.util.ArrayList;
import java.util.List;

import io.ringtap.counters.CounterSet;
import io.ringtap.events.SessionEvent;
import io.ringtap.sys.Fd;
import io.ringtap.sys.FdList;
import io.ringtap.sys.SyscallException;
import io.ringtap.vhost.guest.GuestMemoryException;
import io.ringtap.vhost.guest.RegionRequest;
import io.ringtap.vhost.protocol.ConfigFlyweight;
import io.ringtap.vhost.protocol.InflightFlyweight;
import io.ringtap.vhost.protocol.DeviceStateFlyweight;
import io.ringtap.vhost.protocol.IotlbFlyweight;
import io.ringtap.vhost.protocol.LogFlyweight;
import io.ringtap.vhost.protocol.MemoryRegionFlyweight;
import io.ringtap.vhost.protocol.MemoryRegionsFlyweight;
import io.ringtap.vhost.protocol.MessageHeaderFlyweight;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.protocol.Reply;
import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.protocol.RingRule;
import io.ringtap.vhost.protocol.U64Flyweight;
import io.ringtap.vhost.protocol.VringAddressFlyweight;
import io.ringtap.vhost.protocol.VringDescriptorFlyweight;
import io.ringtap.vhost.protocol.VringStateFlyweight;
import io.ringtap.vhost.virtio.RingFaultException;
import org.agrona.MutableDirectBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a message into a call of the session, after everything that its row of {@link Request} says has been checked.
 * What is refused is answered in the request's own way; the session never sees it.
 */
final class SessionAdapter
{
    /** Refusals written to the log for one session; the rest are counted. */
    static final int MAX_LOGGED_REFUSALS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(SessionAdapter.class);
    private static final int PAYLOAD = MessageHeaderFlyweight.LENGTH;
    private static final int NO_RING = -1;

    private final String name;
    private final Connection connection;
    private final Session session;
    private final VringTable rings;
    private final ReplyProxy replies;
    private final CounterSet<SessionCounter> counters;
    private final FdList descriptors;
    private final U64Flyweight u64;
    private final VringStateFlyweight vringState;
    private final VringAddressFlyweight vringAddress;
    private final VringDescriptorFlyweight vringDescriptor;
    private final MemoryRegionsFlyweight regions;
    private final MemoryRegionFlyweight region;
    private final InflightFlyweight inflight;
    private final LogFlyweight log;
    private final IotlbFlyweight iotlb;
    private final DeviceStateFlyweight state;
    private final ConfigFlyweight config;
    private int refusals;

    SessionAdapter(
        final SessionContext context, final Connection connection, final Session session, final ReplyProxy replies)
    {
        this.name = context.name();
        this.connection = connection;
        this.session = session;
        this.rings = session.rings();
        this.replies = replies;
        this.counters = context.counters();
        this.descriptors = connection.descriptors();
        final MutableDirectBuffer buffer = connection.buffer();
        u64 = new U64Flyweight().wrap(buffer, PAYLOAD);
        vringState = new VringStateFlyweight().wrap(buffer, PAYLOAD);
        vringAddress = new VringAddressFlyweight().wrap(buffer, PAYLOAD);
        vringDescriptor = new VringDescriptorFlyweight().wrap(buffer, PAYLOAD);
        regions = new MemoryRegionsFlyweight().wrap(buffer, PAYLOAD);
        region = new MemoryRegionFlyweight().wrap(buffer, PAYLOAD);
        inflight = new InflightFlyweight().wrap(buffer, PAYLOAD);
        log = new LogFlyweight().wrap(buffer, PAYLOAD);
        iotlb = new IotlbFlyweight().wrap(buffer, PAYLOAD);
        state = new DeviceStateFlyweight().wrap(buffer, PAYLOAD);
        config = new ConfigFlyweight().wrap(buffer, PAYLOAD);
    }

    /**
     * Handles the message that the connection holds.
     *
     * @throws ProtocolViolationException when the session must end.
     */
    void onMessage()
    {
        counters.increment(SessionCounter.MESSAGES);
        final int code = connection.header().request();
        final Request request = Request.byCode(code);
        if (null == request)
        {
            counters.increment(SessionCounter.UNKNOWN_MESSAGES);
            refuse("request " + Integer.toUnsignedString(code), "it is not known");
            ackIfAsked(code, Reply.ACK_FAILED);
            return;
        }

        try
        {
            dispatch(request, check(request));
        }
        catch (final RefusedException | GuestMemoryException | RingFaultException | SyscallException ex)
        {
            refuse(request.name(), ex.getMessage());
            fail(request);
            return;
        }

        if (!hasOwnReply(request))
        {
            ackIfAsked(code, 0);
        }
    }

    /** @return the ring that the message names, or {@link #NO_RING}. */
    private int check(final Request request)
    {
        final int length = connection.payloadLength();
        if (connection.header().isReply())
        {
            throw new RefusedException("it is marked as a reply");
        }

        if (!request.payload().accepts(length))
        {
            throw new RefusedException(
                "payload of " + length + " bytes, " + request.payload().lengthRule() + " were expected");
        }

        if (descriptors.isTruncated())
        {
            counters.increment(SessionCounter.TRUNCATED_DESCRIPTORS);
            throw new RefusedException("more descriptors came with it than could be received");
        }

        if (!request.descriptors().accepts(descriptors.size()))
        {
            throw new RefusedException(
                descriptors.size() + " descriptors, " + request.descriptors().rule() + " were expected");
        }

        if (!request.isHandled())
        {
            throw new RefusedException(request.refusal());
        }

        if (null != request.needs() && !session.hasNegotiated(request.needs()))
        {
            throw new RefusedException("it needs " + request.needs() + ", which was not negotiated");
        }

        final int ring = ring(request);
        if (RingRule.THIS_STOPPED == request.ringRule() && rings.isStarted(ring))
        {
            throw new RefusedException("ring " + ring + " runs: GET_VRING_BASE stops it");
        }

        if (RingRule.ALL_STOPPED == request.ringRule() && rings.isAnyStarted())
        {
            throw new RefusedException("rings run: GET_VRING_BASE stops them");
        }

        return ring;
    }

    private int ring(final Request request)
    {
        final long index;
        switch (request.payload())
        {
            case VRING_STATE -> index = vringState.index();
            case VRING_ADDRESS -> index = vringAddress.index();
            case VRING_DESCRIPTOR -> index = ringOfDescriptor();
            default ->
            {
                return NO_RING;
            }
        }

        if (index >= rings.count())
        {
            throw new RefusedException("ring " + index + ", there are " + rings.count());
        }

        return (int)index;
    }

    private int ringOfDescriptor()
    {
        if (vringDescriptor.hasDescriptor() != (1 == descriptors.size()))
        {
            throw new RefusedException(vringDescriptor.hasDescriptor() ?
                "it says that a descriptor is attached, and there is none" :
                "it says that no descriptor is attached, and there is one");
        }

        return vringDescriptor.index();
    }

    private void dispatch(final Request request, final int ring)
    {
        if (NO_RING != ring)
        {
            dispatchToRing(request, ring);
            return;
        }

        switch (request)
        {
            case GET_FEATURES -> session.onGetFeatures();
            case SET_FEATURES -> session.onSetFeatures(u64.value());
            case SET_OWNER, RESET_OWNER ->
            {
                // One socket has one front-end, which owns it anyway; RESET_OWNER is deprecated and must not cost the
                // session its state.
            }
            case SET_MEM_TABLE -> session.onSetMemTable(takenRegions());
            case GET_PROTOCOL_FEATURES -> session.onGetProtocolFeatures();
            case SET_PROTOCOL_FEATURES -> session.onSetProtocolFeatures(u64.value());
            case GET_QUEUE_NUM -> session.onGetQueueNum();
            case SET_LOG_BASE -> session.onSetLogBase(descriptors.take(0), log.size(), log.mmapOffset());
            case SET_LOG_FD -> session.onSetLogFd(descriptors.take(0));
            case SET_DEVICE_STATE_FD ->
                session.onSetDeviceStateFd(state.direction(), state.phase(), descriptors.take(0));
            case CHECK_DEVICE_STATE -> session.onCheckDeviceState();
            case SEND_RARP -> session.onSendRarp(u64.value());
            case NET_SET_MTU -> session.onNetSetMtu(u64.value());
            case SET_BACKEND_REQ_FD -> session.onSetBackendReqFd(descriptors);
            case IOTLB_MSG -> session.onIotlbMsg(iotlb);
            case GET_CONFIG -> session.news().onGetConfig(config, connection.payloadLength());
            case SET_CONFIG -> session.news().onSetConfig(config, connection.buffer(), connection.payloadLength());
            case RESET_DEVICE -> session.onResetDevice();
            case GET_INFLIGHT_FD -> session.inflight().onGetInflightFd(inflight, connection.payloadLength());
            case SET_INFLIGHT_FD -> session.inflight().onSetInflightFd(inflight, descriptors);
            case GET_MAX_MEM_SLOTS -> session.onGetMaxMemSlots();
            case ADD_MEM_REG -> session.onAddMemReg(region(descriptors.take(0)));
            // Some send the descriptor again: it stays in the list, which closes it.
            case REM_MEM_REG -> session.onRemMemReg(region(null));
            case SET_STATUS -> session.onSetStatus(u64.value());
            case GET_STATUS -> session.onGetStatus();
            default -> throw new IllegalStateException(request + " has no handler");
        }
    }

    private void dispatchToRing(final Request request, final int ring)
    {
        switch (request)
        {
            case SET_VRING_NUM -> rings.onSetVringNum(ring, vringState.num());
            case SET_VRING_BASE -> rings.onSetVringBase(ring, vringState.num());
            case GET_VRING_BASE -> rings.onGetVringBase(ring);
            case GET_VRING_BASE_SKIP_DRAIN -> rings.onGetVringBaseSkipDrain(ring);
            case VRING_KICK -> rings.onVringKick(ring, vringState.num());
            case SET_VRING_ENABLE -> rings.onSetVringEnable(ring, vringState.num());
            case SET_VRING_ADDR ->
            {
                rings.onSetVringAddress(ring,
                    vringAddress.descriptorAddress(), vringAddress.availableAddress(), vringAddress.usedAddress());
                rings.onSetVringLog(ring, vringAddress.flags(), vringAddress.logGuestAddress());
            }
            case SET_VRING_KICK -> rings.onSetVringKick(ring, vringDescriptor.hasDescriptor(), descriptors);
            case SET_VRING_CALL -> rings.onSetVringCall(ring, vringDescriptor.hasDescriptor(), descriptors);
            case SET_VRING_ERR -> rings.onSetVringErr(ring, vringDescriptor.hasDescriptor(), descriptors);
            default -> throw new IllegalStateException(request + " has no handler for a ring");
        }
    }

    /** The table with its descriptors, which the list no longer owns. */
    private List<RegionRequest> takenRegions()
    {
        if (!regions.isValid(connection.payloadLength()))
        {
            throw new RefusedException("payload of " + connection.payloadLength() + " bytes for " + regions.count() +
                " regions, limit is " + MemoryRegionsFlyweight.MAX_REGIONS);
        }

        final int count = (int)regions.count();
        // None at all is memory that is not shared, which the memory knows how to explain.
        if (count != descriptors.size() && 0 != descriptors.size())
        {
            throw new RefusedException(descriptors.size() + " descriptors for " + count + " regions");
        }

        final List<RegionRequest> taken = new ArrayList<>(count);
        final int descriptorCount = descriptors.size();
        for (int i = 0; i < count; i++)
        {
            taken.add(new RegionRequest(regions.guestAddress(i), regions.size(i), regions.frontendAddress(i),
                regions.mmapOffset(i), 0 == descriptorCount ? null : descriptors.take(i)));
        }

        return taken;
    }

    private RegionRequest region(final Fd descriptor)
    {
        return new RegionRequest(
            region.guestAddress(), region.size(), region.frontendAddress(), region.mmapOffset(), descriptor);
    }

    private void fail(final Request request)
    {
        if (hasOwnReply(request))
        {
            replies.failure(request);
        }
        else
        {
            ackIfAsked(request.code(), request.reply().failure());
        }
    }

    private boolean hasOwnReply(final Request request)
    {
        return request.reply().isOwn() ||
            Reply.LOG_WHEN_SHARED == request.reply() && session.hasNegotiated(ProtocolFeature.LOG_SHMFD);
    }

    /** Asked after the message took effect: the SET_PROTOCOL_FEATURES that brings REPLY_ACK may ask already. */
    private void ackIfAsked(final int code, final long result)
    {
        if (connection.header().needsReply() && session.hasNegotiated(ProtocolFeature.REPLY_ACK))
        {
            replies.ack(code, result);
        }
    }

    private void refuse(final String what, final String reason)
    {
        counters.increment(SessionCounter.REFUSED_MESSAGES);
        if (0 != descriptors.size())
        {
            counters.add(SessionCounter.CLOSED_DESCRIPTORS, descriptors.size());
        }

        SessionEvent.tell(name, SessionEvent.Change.REFUSED, what + ": " + reason);
        refusals++;
        if (refusals <= MAX_LOGGED_REFUSALS)
        {
            LOG.warn("{}: {} refused: {}{}", name, what, reason,
                MAX_LOGGED_REFUSALS == refusals ? "; further ones are only counted" : "");
        }
    }
}
