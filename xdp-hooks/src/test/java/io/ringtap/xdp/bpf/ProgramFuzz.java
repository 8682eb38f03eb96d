package io.ringtap.xdp.bpf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Fuzz target: instructions. What the verifier lets through does the same interpreted and compiled, and ends. Found by
 * name, run by {@code FuzzIT}.
 */
public final class ProgramFuzz
{
    private static final int MOST = 256;
    private static final long RETURN_PASS = 0x0000_0002_0000_00b7L;
    private static final long EXIT = 0x95;
    private static final FormComparison COMPARISON = new FormComparison();

    private ProgramFuzz()
    {
    }

    /** The target. */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        if (data.length < 1 + Long.BYTES)
        {
            return;
        }
        final long[] code = code(data);
        try
        {
            COMPARISON.verify(code);
        }
        catch (final VerifierException refused)
        {
            return;
        }
        final String difference = COMPARISON.difference(
            code, (data[0] & 2) == 0 ? Form.COMPILED : Form.IN_PARTS);
        if (null != difference)
        {
            throw new IllegalStateException(difference);
        }
    }

    /** Inputs to begin with. */
    public static List<byte[]> seeds()
    {
        final List<byte[]> seeds = new ArrayList<>();
        seeds.add(bytes(Programs.dropPort()));
        seeds.add(bytes(Programs.sum(20)));
        for (int i = 0; i < 12; i++)
        {
            seeds.add(bytes(new ProgramGenerator(i, 6 + 2 * i, i % 3).generate()));
        }
        return seeds;
    }

    /** With the lowest bit set, registers and jumps are brought into their range, so that more passes. */
    private static long[] code(final byte[] data)
    {
        final ByteBuffer bytes = ByteBuffer.wrap(data, 1, data.length - 1).slice().order(ByteOrder.LITTLE_ENDIAN);
        final boolean isMended = (data[0] & 1) != 0;
        final int length = Math.min(MOST, bytes.remaining() / Long.BYTES);
        final long[] code = new long[length + (isMended ? 2 : 0)];
        for (int i = 0; i < length; i++)
        {
            final long raw = bytes.getLong();
            code[i] = isMended ? mended(raw, length - i) : raw;
        }
        if (isMended)
        {
            code[length] = RETURN_PASS;
            code[length + 1] = EXIT;
        }
        return code;
    }

    private static long mended(final long raw, final int left)
    {
        final long target = (raw >> 8 & 15) % 11;
        final long source = (raw >> 12 & 15) % 11;
        final boolean isJump = (raw & 7) == 5 || (raw & 7) == 6;
        final long offset = isJump ? (raw >> 16 & 0xffff) % left : raw >> 16 & 0xffff;
        return raw & 0xffff_ffff_0000_00ffL | target << 8 | source << 12 | offset << 16;
    }

    private static byte[] bytes(final long[] code)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(1 + Long.BYTES * code.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((byte)0);
        for (final long instruction : code)
        {
            bytes.putLong(instruction);
        }
        return bytes.array();
    }
}
