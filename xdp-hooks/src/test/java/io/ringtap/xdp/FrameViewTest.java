package io.ringtap.xdp;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What a view remembers from one frame to the next. */
class FrameViewTest
{
    @Test
    void shouldForgetTheTargetOfTheFrameBefore()
    {
        final FrameView view = new FrameView();
        view.wrap(new UnsafeBuffer(new byte[256]), FrameView.FROM_GUEST, 0);
        view.frame(0, 256, 64, 60, 60);
        assertEquals(FrameView.NO_TARGET, view.target());
        view.redirect(7);
        assertEquals(7, view.target());
        view.frame(0, 256, 64, 60, 60);
        assertEquals(FrameView.NO_TARGET, view.target());
    }
}
