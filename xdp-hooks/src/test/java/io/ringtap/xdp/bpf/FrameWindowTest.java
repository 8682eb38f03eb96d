package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a frame's new bytes are: the kernel's test run gives the same. */
class FrameWindowTest
{
    private static final int LENGTH = 64;

    private final FrameView view = Programs.frame(bytes());
    private final ProgramCode code = Form.INTERPRETED.of(Programs.verified("none", Assembler.assemble("exit")));
    private final BpfContext context = new BpfContext(code);

    private static byte[] bytes()
    {
        final byte[] bytes = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++)
        {
            bytes[i] = (byte)(i + 1);
        }
        return bytes;
    }

    @BeforeEach
    void begin()
    {
        view.buffer().setMemory(0, Programs.HEADROOM, (byte)0x77);
        context.open(code, view);
        assertTrue(context.begin(view, 0));
        context.rewind();
    }

    private byte[] front(final int count)
    {
        final byte[] front = new byte[count];
        view.buffer().getBytes(view.offset() - context.metadata(), front);
        return front;
    }

    @Test
    void shouldShowZeroesWhereSomebodyElsesBytesWere()
    {
        assertTrue(context.moveHead(-4));
        assertArrayEquals(new byte[]{0, 0, 0, 0, 1, 2}, front(6));
        assertTrue(context.metadata(4));
        assertArrayEquals(new byte[]{0, 0, 0, 0, 0, 0, 0, 0, 1, 2}, front(10));
    }

    @Test
    void shouldFindWhatItLeftWhenItGrowsBack()
    {
        assertTrue(context.moveHead(14));
        assertTrue(context.moveHead(-16));
        assertArrayEquals(new byte[]{0, 0, 1, 2, 3}, front(5));
    }

    @Test
    void shouldMoveMetadataAndLeaveACopyBehind()
    {
        assertTrue(context.metadata(4));
        view.buffer().putInt(view.offset() - 4, 0x0d0c0b0a);
        assertTrue(context.moveHead(-8));
        assertArrayEquals(new byte[]{10, 11, 12, 13, 0, 0, 0, 0, 10, 11, 12, 13, 1, 2}, front(14));
    }
}
