package io.ringtap.frontend;

import io.ringtap.frontend.FrameSpec.ChecksumMode;

/**
 * What a generator sends and how fast. Setters return this; {@link #conclude} checks.
 */
public final class PktgenConfig
{
    /** Flow numbers have 16 bits, and each flow has a source port. */
    public static final int MAX_FLOWS = 0x8000;
    private static final int MAX_SEGMENTS = 128;

    private FrameSpec spec;
    private int[] sizes = {64};
    private int flows = 1;
    private int burst = 64;
    private int run = 1;
    private int segments = 1;
    private long count = Long.MAX_VALUE;
    private double rate;

    /** Addresses and protocol of the frames. */
    public PktgenConfig spec(final FrameSpec frames)
    {
        spec = frames;
        return this;
    }

    /** Bytes of each frame without its check sequence, taken in turn; of each segment when there are several. */
    public PktgenConfig sizes(final int... frameLengths)
    {
        sizes = frameLengths.clone();
        return this;
    }

    /** How many source ports take turns. */
    public PktgenConfig flows(final int flowCount)
    {
        flows = flowCount;
        return this;
    }

    /** Most frames of one step, shown to the device together. */
    public PktgenConfig burst(final int frames)
    {
        burst = frames;
        return this;
    }

    /** Frames of one flow in a row before the next flow's turn. */
    public PktgenConfig run(final int frames)
    {
        run = frames;
        return this;
    }

    /** More than 1: super-frames of that many segments. */
    public PktgenConfig segments(final int perFrame)
    {
        segments = perFrame;
        return this;
    }

    /** Packets to send in all, segments of super-frames counted. */
    public PktgenConfig count(final long packets)
    {
        count = packets;
        return this;
    }

    /** Packets a second; 0 for as many as the ring takes. */
    public PktgenConfig rate(final double packetsPerSecond)
    {
        rate = packetsPerSecond;
        return this;
    }

    public FrameSpec spec()
    {
        return spec;
    }

    public int[] sizes()
    {
        return sizes.clone();
    }

    public int flows()
    {
        return flows;
    }

    public int burst()
    {
        return burst;
    }

    public int run()
    {
        return run;
    }

    public int segments()
    {
        return segments;
    }

    public long count()
    {
        return count;
    }

    public double rate()
    {
        return rate;
    }

    /**
     * Checks everything once.
     *
     * @param hasChecksumOffload whether the negotiated features allow checksums that are only begun.
     * @throws IllegalArgumentException saying value, limit and remedy.
     */
    public PktgenConfig conclude(final boolean hasChecksumOffload)
    {
        require(null != spec, "the generator has no addresses");
        require(flows >= 1 && flows <= MAX_FLOWS, "flows " + flows + " is not one of 1 to " + MAX_FLOWS);
        require(spec.sourcePort() + flows <= 0x10000,
            "source port " + spec.sourcePort() + " and " + flows + " flows go beyond port 65535");
        require(burst >= 1, "burst " + burst + " is less than 1");
        require(run >= 1, "run " + run + " is less than 1");
        require(count >= 0, "count " + count + " is negative");
        require(rate >= 0, "rate " + rate + " is negative");
        require(segments >= 1 && segments <= MAX_SEGMENTS,
            "segments " + segments + " is not one of 1 to " + MAX_SEGMENTS + " (the kernel's limit)");
        require(sizes.length > 0, "no frame size");
        final boolean isPartial = segments > 1 || ChecksumMode.PARTIAL == spec.checksum();
        require(hasChecksumOffload || !isPartial,
            "super-frames and partial checksums need the feature CSUM, which was not negotiated");
        for (final int size : sizes)
        {
            require(size >= spec.minimumFrame(),
                "frame size " + size + " is less than " + spec.minimumFrame() + " (headers and test payload)");
            final long total = spec.headersLength() + (long)(size - spec.headersLength()) * segments;
            require(total - Wire.ETHER_LENGTH <= 0xFFFF,
                segments + " segments of " + size + " bytes do not fit one IP packet of 65535");
        }
        return this;
    }

    private static void require(final boolean isTrue, final String message)
    {
        if (!isTrue)
        {
            throw new IllegalArgumentException(message);
        }
    }
}
