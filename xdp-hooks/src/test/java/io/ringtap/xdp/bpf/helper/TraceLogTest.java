package io.ringtap.xdp.bpf.helper;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The log of what programs print: bounded in size and in rate. */
class TraceLogTest
{
    private static final long SECOND = 1_000_000_000L;

    private final TraceLog log = new TraceLog();

    @Test
    void shouldCountWhatIsMoreThanTheLimitASecond()
    {
        for (int i = 0; i < TraceLog.LINES_PER_SECOND + 5; i++)
        {
            print(SECOND + i, "line");
        }
        assertEquals(TraceLog.LINES_PER_SECOND, log.written());
        assertEquals(5, log.dropped());
        print(2 * SECOND, "again");
        assertEquals(TraceLog.LINES_PER_SECOND + 1, log.written());
    }

    @Test
    void shouldKeepTheLastLines()
    {
        for (int i = 0; i < 2 * TraceLog.LINES; i++)
        {
            print(i * SECOND, "line " + i);
        }
        final List<TraceLog.Line> lines = log.lines(0);
        assertEquals(TraceLog.LINES, lines.size());
        assertEquals("line " + TraceLog.LINES, lines.get(0).text());
        final List<TraceLog.Line> last = log.lines(log.written() - 1);
        assertEquals(List.of(new TraceLog.Line(2 * TraceLog.LINES - 1, (2 * TraceLog.LINES - 1) * SECOND, 3,
            "line " + (2 * TraceLog.LINES - 1))), last);
        assertEquals(List.of(), log.lines(log.written()));
    }

    private void print(final long now, final String text)
    {
        final int at = log.begin(3, now);
        if (at >= 0)
        {
            log.end(log.text().putStringWithoutLengthAscii(at, text));
        }
    }
}
