package io.ringtap.xdp.bpf;

import io.ringtap.xdp.bpf.helper.StandardHelpers;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What bpf_loop answers instead of looping. */
class LoopLimitTest
{
    private static final int LOOP = 181;
    private static final long MOST = 8 << 20;

    private final ProgramCode code = Form.INTERPRETED.of(Programs.verified("none", Assembler.assemble("exit")));
    private final BpfContext context = new BpfContext(code);

    @Test
    void shouldAnswerTooManyTurnsAsTheKernelDoesInPrograms()
    {
        assertEquals(0xffff_fff9L, loop(MOST + 1, 0));
    }

    @Test
    void shouldRefuseFlagsFirst()
    {
        assertEquals(-22, loop(MOST + 1, 1));
    }

    private long loop(final long turns, final long flags)
    {
        return StandardHelpers.all().find(LOOP).call().call(context, turns, 0, 0, flags, 0);
    }
}
