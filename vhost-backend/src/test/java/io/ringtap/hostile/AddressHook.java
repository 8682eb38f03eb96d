package io.ringtap.hostile;

import io.ringtap.port.PortNumbers;
import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpHook;
import io.ringtap.xdp.XdpVerdict;

/** Sends what its guest sends to the NIC whose number stands in the last two bytes of the destination address. */
public final class AddressHook implements XdpHook
{
    private static final int NUMBER_OFFSET = 4;

    @Override
    public int onFrame(final FrameView frame)
    {
        if (FrameView.TO_GUEST == frame.direction())
        {
            return XdpVerdict.PASS;
        }
        final int at = frame.offset() + NUMBER_OFFSET;
        frame.redirect(PortNumbers.FIRST_ANONYMOUS | (frame.buffer().getByte(at) & 0xFF) << 8 |
            frame.buffer().getByte(at + 1) & 0xFF);
        return XdpVerdict.REDIRECT;
    }

    @Override
    public boolean changesFrames()
    {
        return false;
    }
}
