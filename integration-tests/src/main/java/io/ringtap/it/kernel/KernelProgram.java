package io.ringtap.it.kernel;

import io.ringtap.sys.Bpf;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.SyscallException;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.lang.ref.Reference;

/** An XDP program in the kernel. It is run on bytes by BPF_PROG_TEST_RUN and never attached to anything. */
public final class KernelProgram implements AutoCloseable
{
    /** What a frame may have at most so that all of it is linear: a page without headroom and skb_shared_info. */
    public static final int LONGEST_FRAME = 4096 - 256 - 320;
    private static final int OUT_LENGTH = 8192;
    /** In union bpf_attr, for BPF_PROG_LOAD. */
    private static final int LOG_LEVEL = 24;
    private static final int LOG_SIZE = 28;
    private static final int LOG_BUFFER = 32;
    private static final int NAME = 48;
    private static final int BTF_FD = 72;
    private static final int FUNCTION_RECORD = 76;
    private static final int FUNCTIONS = 80;
    private static final int FUNCTION_COUNT = 88;
    private static final int LOG_LENGTH = 1 << 20;

    /** One set of buffers for all programs: native memory for each run of a hundred thousand would be a burden. */
    private static final UnsafeBuffer IN = new UnsafeBuffer(BufferUtil.allocateDirectAligned(OUT_LENGTH, 64));
    private static final UnsafeBuffer OUT = new UnsafeBuffer(BufferUtil.allocateDirectAligned(OUT_LENGTH, 64));
    private static final UnsafeBuffer ATTRIBUTES = Bpf.attributes();
    private static final UnsafeBuffer LICENSE = new UnsafeBuffer(BufferUtil.allocateDirectAligned(64, 8));

    private final Fd fd;

    private KernelProgram(final Fd fd)
    {
        this.fd = fd;
    }

    /** What came of a run. @param durationNs of one run, the mean of all repetitions in whole nanoseconds. */
    public record Result(int verdict, byte[] frame, int durationNs)
    {
    }

    /**
     * Gives a program to the verifier.
     *
     * @param code maps by descriptor.
     * @param btf  of its functions, for programs with callbacks; or null.
     * @return null when the verifier refuses it.
     */
    public static KernelProgram tryLoad(
        final String name, final UnsafeBuffer code, final int length, final String license, final KernelBtf btf)
    {
        final long result = load(name, code, length, license, btf, null);
        return result < 0 ? null : new KernelProgram(Fd.of((int)result, name));
    }

    /** As {@link #tryLoad}. @throws SyscallException with the end of the verifier's log when it refuses. */
    public static KernelProgram load(final String name, final long[] code, final String license, final KernelBtf btf)
    {
        final UnsafeBuffer instructions = new UnsafeBuffer(BufferUtil.allocateDirectAligned(8 * code.length, 8));
        for (int i = 0; i < code.length; i++)
        {
            instructions.putLong(8 * i, code[i]);
        }
        final KernelProgram program = tryLoad(name, instructions, code.length, license, btf);
        if (null != program)
        {
            return program;
        }
        final UnsafeBuffer log = new UnsafeBuffer(BufferUtil.allocateDirectAligned(LOG_LENGTH, 8));
        final long result = load(name, instructions, code.length, license, btf, log);
        throw new SyscallException("bpf(BPF_PROG_LOAD)", (int)-result, name + "\n" + text(log));
    }

    private static synchronized long load(
        final String name,
        final UnsafeBuffer code,
        final int length,
        final String license,
        final KernelBtf btf,
        final UnsafeBuffer log)
    {
        LICENSE.setMemory(0, LICENSE.capacity(), (byte)0);
        LICENSE.putStringWithoutLengthAscii(0, license, 0, LICENSE.capacity() - 1);
        final UnsafeBuffer attributes = ATTRIBUTES;
        attributes.setMemory(0, attributes.capacity(), (byte)0);
        attributes.putInt(0, Bpf.PROG_TYPE_XDP);
        attributes.putInt(4, length);
        attributes.putLong(8, Memory.addressOf(code));
        attributes.putLong(16, Memory.addressOf(LICENSE));
        Bpf.putName(attributes, NAME, name);
        if (null != log)
        {
            attributes.putInt(LOG_LEVEL, 1);
            attributes.putInt(LOG_SIZE, log.capacity());
            attributes.putLong(LOG_BUFFER, Memory.addressOf(log));
        }
        if (null != btf)
        {
            attributes.putInt(BTF_FD, btf.fd());
            attributes.putInt(FUNCTION_RECORD, KernelBtf.FUNCTION_RECORD);
            attributes.putLong(FUNCTIONS, Memory.addressOf(btf.functions()));
            attributes.putInt(FUNCTION_COUNT, btf.functions().capacity() / KernelBtf.FUNCTION_RECORD);
        }
        long result = Bpf.call(Bpf.PROG_LOAD, attributes);
        while (result == -Errno.EAGAIN)
        {
            // The verifier gives way to signals.
            result = Bpf.call(Bpf.PROG_LOAD, attributes);
        }
        Reference.reachabilityFence(code);
        Reference.reachabilityFence(btf);
        return result;
    }

    public int fd()
    {
        return fd.number();
    }

    /**
     * Runs it on a frame.
     *
     * @param repeat how often; all but the first run see what the one before left.
     * @return verdict, and metadata and frame afterwards.
     */
    public Result run(final byte[] frame, final int repeat)
    {
        synchronized (KernelProgram.class)
        {
            return runAlone(frame, repeat);
        }
    }

    private Result runAlone(final byte[] frame, final int repeat)
    {
        IN.putBytes(0, frame);
        ATTRIBUTES.setMemory(0, ATTRIBUTES.capacity(), (byte)0);
        ATTRIBUTES.putInt(0, fd.number());
        ATTRIBUTES.putInt(8, frame.length);
        ATTRIBUTES.putInt(12, OUT_LENGTH);
        ATTRIBUTES.putLong(16, Memory.addressOf(IN));
        ATTRIBUTES.putLong(24, Memory.addressOf(OUT));
        ATTRIBUTES.putInt(32, repeat);
        final long result = Bpf.call(Bpf.PROG_TEST_RUN, ATTRIBUTES);
        if (result < 0)
        {
            throw new SyscallException("bpf(BPF_PROG_TEST_RUN)", (int)-result, frame.length + " bytes");
        }
        final byte[] bytes = new byte[ATTRIBUTES.getInt(12)];
        OUT.getBytes(0, bytes);
        return new Result(ATTRIBUTES.getInt(4), bytes, ATTRIBUTES.getInt(36));
    }

    @Override
    public void close()
    {
        fd.close();
    }

    private static String text(final UnsafeBuffer log)
    {
        int length = 0;
        while (length < log.capacity() && log.getByte(length) != 0)
        {
            length++;
        }
        final String all = log.getStringWithoutLengthAscii(0, length);
        return all.substring(Math.max(0, all.length() - 3000));
    }
}
