package io.ringtap.it.rig;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The frames of the byte compare, one of each size, the same on both sides. They carry the EtherType for local
 * experiments, so that no stack completes a checksum or answers on the way: what arrives must be what was sent.
 */
public final class TestFrames
{
    public static final String FILTER = "ether proto 0x88b5";

    private static final int ETHER_TYPE = 0x88b5;
    private static final int HEADER_LENGTH = 14;
    private static final int SHORTEST = 60;
    private static final int LONGEST = 1514;
    private static final int LONGEST_JUMBO = 9014;
    private static final int JUMBO_STEP = 125;
    private static final long SEED = 20_261_130;

    private TestFrames()
    {
    }

    /** Every size that fits an MTU of 1500. */
    public static List<byte[]> small()
    {
        final List<byte[]> frames = new ArrayList<>();
        final Random random = new Random(SEED);
        for (int length = SHORTEST; length <= LONGEST; length++)
        {
            frames.add(frame(length, random));
        }
        return frames;
    }

    /** Sizes up to an MTU of 9000, each with its neighbours on both sides. */
    public static List<byte[]> jumbo()
    {
        final List<byte[]> frames = new ArrayList<>();
        final Random random = new Random(SEED + 1);
        for (int length = LONGEST + 1; length < LONGEST_JUMBO; length += JUMBO_STEP)
        {
            frames.add(frame(length, random));
            frames.add(frame(length + 1, random));
            frames.add(frame(length + 2, random));
        }
        frames.add(frame(LONGEST_JUMBO, random));
        return frames;
    }

    private static byte[] frame(final int length, final Random random)
    {
        final byte[] frame = new byte[length];
        random.nextBytes(frame);
        ByteBuffer.wrap(frame)
            .put(new byte[]{-1, -1, -1, -1, -1, -1})
            .put(new byte[]{0x02, 0x52, 0x54, 0, 0, 1})
            .putShort((short)ETHER_TYPE)
            .putShort((short)length);
        assert HEADER_LENGTH < length;
        return frame;
    }
}
