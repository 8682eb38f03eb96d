package io.ringtap.vhost.ops;

import io.ringtap.capture.FrameFilter;
import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpHook;
import io.ringtap.xdp.XdpVerdict;
import io.ringtap.xdp.bpf.elf.LoadedObject;
import io.ringtap.xdp.bpf.helper.StandardHelpers;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An eBPF program that says what is recorded: frames that it passes. It is loaded and held to limits as one on the way
 * of frames, with maps of its own, and sees a copy of each frame, so that nothing it writes is recorded or sent.
 */
final class ProgramFilter implements FrameFilter
{
    private static final Logger LOG = LoggerFactory.getLogger(ProgramFilter.class);
    /** The recorder has one thread. */
    private static final int PROCESSORS = 1;
    /** As XDP promises in front of a frame. */
    private static final int HEADROOM = 256;
    /** Behind it, for programs that lengthen what they look at. */
    private static final int TAILROOM = 256;

    private final XdpHook hook;
    private final FrameView view = new FrameView();
    private UnsafeBuffer frame = slot(2048);

    private ProgramFilter(final XdpHook hook)
    {
        this.hook = hook;
    }

    /** @param port number of the NIC's port, as far as the program knows. */
    static ProgramFilter load(final ProgramFile file, final int port)
    {
        final byte[] bytes = file.read();
        final LoadedObject object = file.parse(bytes).load(PROCESSORS, StandardHelpers.all(), LOG::warn);
        return new ProgramFilter(new AttachedProgram(
            0, FrameView.FROM_GUEST, file.identity(bytes), object, file.program(), PROCESSORS, port).hooks().get(0));
    }

    @Override
    public boolean wants(
        final UnsafeBuffer buffer,
        final int offset,
        final int captured,
        final int length,
        final int direction,
        final int queue)
    {
        if (frame.capacity() < HEADROOM + captured + TAILROOM)
        {
            frame = slot(BitUtil.findNextPositivePowerOfTwo(captured));
        }
        frame.putBytes(HEADROOM, buffer, offset, captured);
        view.wrap(frame, direction, queue, 0);
        view.frame(0, frame.capacity(), HEADROOM, captured, length);
        return XdpVerdict.PASS == hook.onFrame(view);
    }

    private static UnsafeBuffer slot(final int length)
    {
        return new UnsafeBuffer(
            BufferUtil.allocateDirectAligned(HEADROOM + length + TAILROOM, BitUtil.CACHE_LINE_LENGTH));
    }
}
