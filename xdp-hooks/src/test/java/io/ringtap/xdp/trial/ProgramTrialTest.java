package io.ringtap.xdp.trial;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpVerdict;
import io.ringtap.xdp.bpf.Assembler;
import io.ringtap.xdp.bpf.CodeFactory;
import io.ringtap.xdp.bpf.HelperSet;
import io.ringtap.xdp.bpf.ProgramText;
import io.ringtap.xdp.bpf.Verifier;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a trial tells of frames. */
class ProgramTrialTest
{
    @Test
    void shouldTellVerdictsAndWhatFramesBecame()
    {
        // Sends back with the first byte changed when it is 1, else passes.
        final ProgramTrial trial = trial("ldxw %r2, [%r1+0]", "ldxb %r3, [%r2+0]", "mov %r0, 2",
            "jne %r3, 1, exit", "mov %r3, 9", "stxb [%r2+0], %r3", "mov %r0, 3", "exit");
        final byte[] bytes = new byte[20];
        bytes[0] = 1;

        final ProgramTrial.Outcome back = trial.judge(new CapturedFrame(5, bytes, 30));
        final ProgramTrial.Outcome passed = trial.judge(new CapturedFrame(6, new byte[20], 20));

        assertEquals(XdpVerdict.TX, back.verdict());
        assertFalse(back.isSame());
        assertEquals(9, back.frame().bytes()[0]);
        assertEquals(1, bytes[0], "the original stays");
        assertEquals(5, back.frame().timeNs());
        assertEquals(30, back.frame().originalLength());
        assertEquals(XdpVerdict.PASS, passed.verdict());
        assertTrue(passed.isSame());
        assertNull(passed.fault());
        assertArrayEquals(new long[]{0, 0, 1, 1, 0}, new long[]{trial.count(0), trial.count(1), trial.count(2),
            trial.count(3), trial.count(4)});
    }

    @Test
    void shouldTellWhyAFrameWasAborted()
    {
        final ProgramTrial trial = trial("ldxw %r2, [%r1+0]", "ldxb %r0, [%r2+40]", "exit");
        assertTrue(trial.judge(frame(20)).fault().contains("instruction 1"), "beyond its end");
        assertEquals("it has less than 14 bytes", trial.judge(frame(13)).fault());
        assertEquals("the program says so, or no verdict that there is", trial.judge(frame(64)).fault());
        assertEquals(3, trial.count(XdpVerdict.ABORTED));
    }

    @Test
    void shouldShowQueueAndPort()
    {
        final ProgramTrial trial = trial("ldxw %r0, [%r1+16]", "ldxw %r2, [%r1+12]", "add %r0, %r2", "exit");
        trial.interfaces(1, 0);
        assertEquals(XdpVerdict.TX, trial.judge(frame(64)).verdict());
    }

    private static CapturedFrame frame(final int length)
    {
        return new CapturedFrame(0, new byte[length], length);
    }

    private static ProgramTrial trial(final String... lines)
    {
        return new ProgramTrial(CodeFactory.make(Verifier.verify(
            ProgramText.of("test", Assembler.assemble(lines)), HelperSet.NONE), (warning) ->
            {
                throw new AssertionError(warning);
            }), FrameView.FROM_GUEST, 2, 0);
    }
}
