package io.ringtap.frontend;

import io.ringtap.counters.CounterSet;
import org.agrona.DirectBuffer;

import java.nio.ByteOrder;

/**
 * Takes the frames of generators apart and counts what the way did to them: loss, duplicates, reordering within a flow,
 * changed bytes, wrong checksums. Super-frames are looked at segment by segment.
 */
public final class Sink implements FrameConsumer
{
    /** Numbers of a flow that are remembered, more than any ring on the way holds. */
    public static final int WINDOW = 4096;
    private static final int MANY_FLOWS = 1024;
    private static final int SMALL_WINDOW = 256;

    private final CounterSet<SinkCounter> counters;
    private final FlowTracker flows;
    private final boolean verifiesChecksums;

    /**
     * @param scope             for the counters: {@code queue 0}.
     * @param maxFlows          flow numbers from this on are foreign.
     * @param verifiesChecksums whether IP and transport checksums are looked at as well.
     */
    public Sink(final String scope, final int maxFlows, final boolean verifiesChecksums)
    {
        counters = new CounterSet<>(scope, SinkCounter.class);
        flows = new FlowTracker(maxFlows, maxFlows > MANY_FLOWS ? SMALL_WINDOW : WINDOW);
        this.verifiesChecksums = verifiesChecksums;
    }

    public CounterSet<SinkCounter> counters()
    {
        return counters;
    }

    /** Packets that never came, as far as the numbers of those that came tell. */
    public long lost()
    {
        return Math.max(0, counters.get(SinkCounter.SKIPPED) - counters.get(SinkCounter.LATE));
    }

    /** Whether nothing but whole packets in their order came. */
    public boolean isClean()
    {
        return 0 == counters.get(SinkCounter.SKIPPED) && 0 == counters.get(SinkCounter.LATE) &&
            0 == counters.get(SinkCounter.DUPLICATES) && 0 == counters.get(SinkCounter.STALE) &&
            0 == counters.get(SinkCounter.ALTERED) && 0 == counters.get(SinkCounter.BAD_CHECKSUM);
    }

    /** Forgets the numbers of all flows, as before a new run; the counters go on. */
    public void reset()
    {
        flows.reset();
    }

    @Override
    public void onFrame(final DirectBuffer buffer, final int headerOffset, final int offset, final int length)
    {
        if (!take(buffer, headerOffset, offset, length))
        {
            counters.increment(SinkCounter.FOREIGN);
        }
    }

    /**
     * Takes a frame if it is a generator's.
     *
     * @return false when it is none, and nothing was counted.
     */
    public boolean take(final DirectBuffer buffer, final int header, final int frame, final int length)
    {
        final int ip = frame + Wire.ETHER_LENGTH;
        if (length < Wire.ETHER_LENGTH + Wire.IPV4_LENGTH + Wire.UDP_LENGTH + TestPayload.LENGTH)
        {
            return false;
        }
        final int type = buffer.getShort(frame + Wire.ETHER_TYPE, ByteOrder.BIG_ENDIAN) & 0xFFFF;
        final boolean isIpv6 = Wire.TYPE_IPV6 == type;
        if (!isIpv6 && Wire.TYPE_IPV4 != type)
        {
            return false;
        }
        final int ipLength = isIpv6 ? Wire.IPV6_LENGTH : Wire.IPV4_LENGTH;
        final int protocol = buffer.getByte(ip + (isIpv6 ? Wire.IPV6_NEXT : Wire.IPV4_PROTOCOL)) & 0xFF;
        final int transport = ip + ipLength;
        // The padding of a short frame is not part of the packet.
        final int packetLength = isIpv6 ?
            Wire.IPV6_LENGTH + unsignedShort(buffer, ip + Wire.IPV6_PAYLOAD) :
            unsignedShort(buffer, ip + Wire.IPV4_TOTAL);
        final int transportLength = transportLength(protocol);
        if (packetLength > length - Wire.ETHER_LENGTH || 0 == transportLength ||
            packetLength < ipLength + transportLength + TestPayload.LENGTH)
        {
            return false;
        }
        final int payload = transport + transportLength;
        if (TestPayload.MAGIC != buffer.getInt(payload, ByteOrder.LITTLE_ENDIAN))
        {
            return false;
        }
        if (verifiesChecksums)
        {
            verify(buffer, header, frame, isIpv6, protocol, packetLength - ipLength);
        }
        counters.increment(SinkCounter.FRAMES);
        counters.add(SinkCounter.BYTES, length);
        takeSegments(buffer, header, ip, isIpv6, payload, ip + packetLength);
        return true;
    }

    private void takeSegments(
        final DirectBuffer buffer,
        final int header,
        final int ip,
        final boolean isIpv6,
        final int firstPayload,
        final int end)
    {
        final int gsoType = buffer.getByte(header + NetHeader.GSO_TYPE_OFFSET);
        final int gsoSize = buffer.getShort(header + NetHeader.GSO_SIZE_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        final int step = NetHeader.GSO_NONE == gsoType || 0 == gsoSize ? end - firstPayload : gsoSize;
        final int addresses = ip + (isIpv6 ? Wire.IPV6_SOURCE : Wire.IPV4_SOURCE);
        final int addressesLength = isIpv6 ? 32 : 8;
        final int ports = ip + (isIpv6 ? Wire.IPV6_LENGTH : Wire.IPV4_LENGTH);
        int packets = 0;
        for (int at = firstPayload; at < end; at += step)
        {
            packets++;
            final int payloadLength = Math.min(step, end - at);
            if (payloadLength < TestPayload.LENGTH || TestPayload.MAGIC != buffer.getInt(at, ByteOrder.LITTLE_ENDIAN) ||
                buffer.getInt(at + TestPayload.HASH_OFFSET, ByteOrder.LITTLE_ENDIAN) != TestPayload.finish(
                    TestPayload.polynomial(buffer, addresses, addressesLength, ports, at, payloadLength)))
            {
                counters.increment(SinkCounter.ALTERED);
                continue;
            }
            track(
                buffer.getShort(at + TestPayload.FLOW_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF,
                buffer.getLong(at + TestPayload.SEQUENCE_OFFSET, ByteOrder.LITTLE_ENDIAN));
        }
        counters.add(SinkCounter.PACKETS, packets);
    }

    private void track(final int flow, final long sequence)
    {
        if (flow >= flows.flows() || sequence < 0)
        {
            counters.increment(SinkCounter.FOREIGN);
            return;
        }
        switch (flows.onPacket(flow, sequence))
        {
            case FlowTracker.GAP -> counters.add(SinkCounter.SKIPPED, flows.skipped());
            case FlowTracker.LATE -> counters.increment(SinkCounter.LATE);
            case FlowTracker.DUPLICATE -> counters.increment(SinkCounter.DUPLICATES);
            case FlowTracker.STALE -> counters.increment(SinkCounter.STALE);
            case FlowTracker.RESTART -> counters.increment(SinkCounter.RESTARTS);
            default ->
            {
                // In order: nothing to say.
            }
        }
    }

    private void verify(
        final DirectBuffer buffer,
        final int header,
        final int frame,
        final boolean isIpv6,
        final int protocol,
        final int transportLength)
    {
        final int ip = frame + Wire.ETHER_LENGTH;
        final boolean isIpGood = isIpv6 || TransportChecksum.isIpv4HeaderGood(buffer, ip, Wire.IPV4_LENGTH);
        final int verdict = TransportChecksum.judge(
            buffer,
            header,
            frame,
            ip,
            isIpv6,
            protocol,
            ip + (isIpv6 ? Wire.IPV6_LENGTH : Wire.IPV4_LENGTH),
            transportLength,
            Wire.PROTOCOL_TCP == protocol ? Wire.TCP_CHECKSUM : Wire.UDP_CHECKSUM);
        if (!isIpGood || TransportChecksum.BAD == verdict)
        {
            counters.increment(SinkCounter.BAD_CHECKSUM);
        }
        else if (TransportChecksum.UNFINISHED == verdict)
        {
            counters.increment(SinkCounter.UNFINISHED);
        }
    }

    /** Bytes of the header; the generator makes TCP without options. 0 for a protocol that it does not speak. */
    private static int transportLength(final int protocol)
    {
        return switch (protocol)
        {
            case Wire.PROTOCOL_UDP -> Wire.UDP_LENGTH;
            case Wire.PROTOCOL_TCP -> Wire.TCP_LENGTH;
            default -> 0;
        };
    }

    private static int unsignedShort(final DirectBuffer buffer, final int index)
    {
        return buffer.getShort(index, ByteOrder.BIG_ENDIAN) & 0xFFFF;
    }
}
