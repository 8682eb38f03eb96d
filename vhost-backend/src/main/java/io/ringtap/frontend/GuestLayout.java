package io.ringtap.frontend;

import io.ringtap.vhost.virtio.NetFeatures;

/** How large the parts of a guest's memory are, which follows from its configuration and the features in force. */
final class GuestLayout
{
    /** The longest frame a ring carries: a GSO super-frame of 64 KiB with its headers. */
    static final int MAX_FRAME = 65_550;
    private static final int CACHE_LINE = 64;
    private static final int DESCRIPTOR = 16;
    private static final int ETHER_MTU = 1500;
    /** What virtio demands at least without mergeable buffers (virtio 1.x, 5.1.6.3.1). */
    private static final int MIN_RECEIVE_FRAME = 1514;
    private static final int TAGS = 8;
    private static final int PAGE = 4096;

    private final FrontendConfig config;
    private final long features;

    GuestLayout(final FrontendConfig config, final long features)
    {
        this.config = config;
        this.features = features;
    }

    int headerLength()
    {
        return NetFeatures.headerLength(features);
    }

    boolean isMergeable()
    {
        return NetFeatures.hasMergeableBuffers(features);
    }

    /** Where the frame begins in its place in memory: the header lies in front, the frame on a multiple of 8. */
    int frameOffset()
    {
        return headerLength() + 7 & ~7;
    }

    /** Buffers of each chain. */
    int parts()
    {
        return config.descriptorsPerFrame();
    }

    boolean isIndirect()
    {
        return config.usesIndirect() && parts() > 1 && NetFeatures.has(features, NetFeatures.INDIRECT_DESC);
    }

    /** Most chains a ring holds. */
    int chains()
    {
        return isIndirect() ? config.ringSize() : config.ringSize() / parts();
    }

    /** Bytes of a ring and the indirect tables behind it. */
    int ringBytes()
    {
        return tablesOffset() + (isIndirect() ? chains() * tableBytes() : 0);
    }

    /** Where the first indirect table lies behind the ring's beginning. */
    int tablesOffset()
    {
        return DriverRing.length(config.ringSize(), features);
    }

    int tableBytes()
    {
        return parts() * DESCRIPTOR;
    }

    int transmitBytes()
    {
        return config.transmitBytes();
    }

    /** Bytes of each receive buffer, header included. */
    int receiveSlot()
    {
        final int bytes = isMergeable() ? config.receiveBuffer() : frameOffset() + maxReceivedFrame();
        return bytes + CACHE_LINE - 1 & -CACHE_LINE;
    }

    int receiveBytes()
    {
        return chains() * receiveSlot();
    }

    /** The longest frame the device may deliver. */
    int maxReceivedFrame()
    {
        final boolean isSuper =
            has(NetFeatures.GUEST_TSO4) || has(NetFeatures.GUEST_TSO6) || has(NetFeatures.GUEST_UFO) ||
            has(NetFeatures.GUEST_USO4) || has(NetFeatures.GUEST_USO6);
        final int mtu = Math.max(ETHER_MTU, config.mtu());
        return isSuper ? MAX_FRAME : Math.max(MIN_RECEIVE_FRAME, mtu + Wire.ETHER_LENGTH + TAGS);
    }

    /** Bytes of everything, with slack so that nothing needs to lie across two regions. */
    int memorySize()
    {
        final long ofPair = 2L * (ringBytes() + CACHE_LINE) + transmitBytes() + PAGE + receiveBytes() + PAGE;
        final long largest = Math.max(Math.max(ringBytes(), transmitBytes()), receiveBytes()) + PAGE;
        final long ofControl =
            DriverRing.length(ControlDriver.RING_SIZE, features) + ControlDriver.BUFFER_LENGTH + PAGE;
        final long total = config.queuePairs() * ofPair + ofControl + config.regions() * largest;
        if (total > Integer.MAX_VALUE - PAGE)
        {
            throw new IllegalArgumentException(
                "guest memory of " + total + " bytes, limit is 2 GiB: fewer queues, smaller rings or buffers");
        }
        return (int)(total + PAGE - 1) & -PAGE;
    }

    private boolean has(final int feature)
    {
        return NetFeatures.has(features, feature);
    }
}
