package io.ringtap.xdp.bpf;

import io.ringtap.xdp.bpf.helper.TraceLog;
import io.ringtap.xdp.bpf.map.BpfErrno;
import io.ringtap.xdp.bpf.map.MapSpec;
import io.ringtap.xdp.bpf.map.PerfEventMap;
import io.ringtap.xdp.bpf.map.RingBufMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Records, events, lines of text and numbers in text, from programs in every form. */
class RecordHelpersTest
{
    private static final String DATA = "mov %r2, %r10\nadd %r2, -8\nmov %r3, 8\n";

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldHandRecordsToTheReader(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        final RingBufMap ring = (RingBufMap)rig.map(MapSpec.of("ring", MapKind.RINGBUF, 0, 0, 4096));
        final List<Long> seen = new ArrayList<>();
        final String reserve = "lddw %r1, map0\nmov %r2, 8\nmov %r3, 0\ncall 131\njeq %r0, 0, exit\nmov %r6, %r0\n";
        final String finish = "mov %r1, %r6\nmov %r2, 0\ncall ";

        assertEquals(0, rig.run("stdw [%r10-8], 5", "lddw %r1, map0", DATA, "mov %r4, 0", "call 130", "exit"));
        assertEquals(0, rig.run(reserve, "stdw [%r6], 6", finish + "132", "exit"));
        assertEquals(0, rig.run(reserve, "stdw [%r6], 7", finish + "133", "exit"));
        // Never finished, and aborted between: both are discarded.
        assertEquals(2, rig.run(reserve, "stdw [%r6], 8", "mov %r0, 2", "exit"));
        assertEquals(0, rig.run(reserve, "stdw [%r6], 9", "ldxdw %r0, [%r0-4096]", "mov %r0, 2", "exit"));
        assertEquals(0, rig.run(reserve, finish + "132", finish + "132", "mov %r0, 2", "exit"));
        assertEquals("that is no record that was reserved", rig.fault().replaceAll(".*: ", ""));
        assertEquals(0, rig.run("stdw [%r10-8], 10", "lddw %r1, map0", DATA, "mov %r4, 2", "call 130", "exit"));
        assertEquals(BpfErrno.EINVAL, rig.run("lddw %r1, map0", DATA, "mov %r4, 4", "call 130", "exit"));
        assertEquals(7 * 16, rig.run("lddw %r1, map0", "mov %r2, 0", "call 134", "exit"));

        assertEquals(4, ring.consume((index, buffer, offset, length) -> seen.add(buffer.getLong(offset)), 100));
        assertEquals(List.of(5L, 6L, 6L, 10L), seen.stream().map(n -> 9 == n || 0 == n ? 6L : n).toList());
        assertEquals(0, rig.run("lddw %r1, map0", "mov %r2, 0", "call 134", "exit"));
        assertEquals(4096, rig.run("lddw %r1, map0", "mov %r2, 1", "call 134", "exit"));
        assertEquals(7 * 16, rig.run("lddw %r1, map0", "mov %r2, 2", "call 134", "exit"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldRefuseRecordsWithoutRoom(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        final RingBufMap ring = (RingBufMap)rig.map(MapSpec.of("ring", MapKind.RINGBUF, 0, 0, 4096));
        final String output = "stdw [%r10-8], 5\nlddw %r1, map0\n" + DATA + "mov %r4, 0\ncall 130\nexit";
        for (int i = 0; i < 4096 / 16 - 1; i++)
        {
            assertEquals(0, rig.run(output));
        }
        assertEquals(BpfErrno.EAGAIN, rig.run(output));
        assertEquals(0, rig.run("lddw %r1, map0", "mov %r2, 8", "mov %r3, 0", "call 131", "exit"));
        assertEquals(1, ring.consume((index, buffer, offset, length) -> assertEquals(8, length), 1));
        assertEquals(0, rig.run(output));
        for (final long size : new long[] {4096, -1, 1L << 40})
        {
            assertEquals(0, rig.run("lddw %r1, map0", "lddw %r2, " + size, "mov %r3, 0", "call 131", "exit"));
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldAbortWhoHoldsTooMuch(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        final RingBufMap ring = (RingBufMap)rig.map(MapSpec.of("ring", MapKind.RINGBUF, 0, 0, 4096));
        final String reserve = "lddw %r1, map0\nmov %r2, 8\nmov %r3, 0\ncall 131\n";
        assertEquals(2, rig.run(reserve.repeat(16), "mov %r0, 2", "exit"));
        assertEquals(0, rig.run(reserve.repeat(17), "mov %r0, 2", "exit"));
        assertEquals("too many records are not finished", rig.fault().replaceAll(".*: ", ""));
        assertEquals(0, ring.consume((index, buffer, offset, length) -> { }, 100));
        assertEquals(ring.produced(), ring.consumed());
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldGiveEventsToWhoeverOpenedThem(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        final PerfEventMap events = (PerfEventMap)rig.map(MapSpec.of("events", MapKind.PERF_EVENT_ARRAY, 4, 4, 0));
        final String emit = "stdw [%r10-8], 5\nlddw %r2, map0\nmov %r4, %r10\nadd %r4, -8\nmov %r5, 8\n";
        final String current = "lddw %r3, 0xffffffff\ncall 25\nexit";
        assertEquals(BpfErrno.ENOENT, rig.run(emit, current));
        events.open(2, 4096);
        rig.queue(1);
        assertEquals(0, rig.run(emit, current));
        assertEquals(0, rig.run(emit, "lddw %r3, 0x14ffffffff", "call 25", "exit"));
        assertEquals(BpfErrno.EOPNOTSUPP, rig.run(emit, "mov %r3, 0", "call 25", "exit"));
        assertEquals(BpfErrno.E2BIG, rig.run(emit, "mov %r3, 3", "call 25", "exit"));
        assertEquals(BpfErrno.EFAULT, rig.run(emit, "lddw %r3, 0x41ffffffff", "call 25", "exit"));
        assertEquals(BpfErrno.EINVAL, rig.run(emit, "lddw %r3, 0x100000ffffffff", "call 25", "exit"));
        final List<String> seen = new ArrayList<>();
        events.consume((index, buffer, offset, length) -> seen.add(index + " " + length + " " +
            buffer.getLong(offset) + " " + (length > 8 ? buffer.getByte(offset + 20) : 0)), 10);
        assertEquals(List.of("1 8 5 0", "1 28 5 8"), seen);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldPrintIntoTheLog(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        rig.queue(2);
        final long before = TraceLog.shared().written();
        final int length = rig.run(BpfRig.text(-40, "%d %llu %s."), BpfRig.text(-8, "xyz"),
            "mov %r1, %r10", "add %r1, -40", "mov %r2, 12", "mov %r3, -5", "mov %r4, -1", "mov %r5, %r10",
            "add %r5, -8", "call 6", "exit");
        assertEquals("-5 18446744073709551615 xyz.".length(), length);
        assertEquals(BpfErrno.EINVAL, rig.run(BpfRig.text(-40, "%d"), "mov %r1, %r10", "add %r1, -40",
            "mov %r2, 2", "call 6", "exit"));
        assertEquals(BpfErrno.EINVAL, rig.run(BpfRig.text(-40, "%q"), "mov %r1, %r10", "add %r1, -40",
            "mov %r2, 3", "call 6", "exit"));
        final List<TraceLog.Line> lines = TraceLog.shared().lines(before);
        assertEquals("-5 18446744073709551615 xyz.", lines.get(0).text());
        assertEquals(2, lines.get(0).queue());
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldFormatText(final Form form)
    {
        assertEquals("  7|2a  |002A|-1|%|A", format(form, "%3d|%-4x|%04X|%d|%%|%c", 7, 42, 42, -1, 65));
        assertEquals("4294967295 ffffffffffffffff", format(form, "%u %lx", -1, -1));
        assertEquals("-9223372036854775808", format(form, "%ld", Long.MIN_VALUE));
        assertEquals("000000000000002a", format(form, "%p", 42));
        assertEquals("[]", format(form, "[%s]", 0));
    }

    private static String format(final Form form, final String format, final long... arguments)
    {
        final BpfRig rig = new BpfRig(form);
        final BpfMap target = rig.map(MapSpec.of("target", MapKind.ARRAY, 4, 128, 1));
        final StringBuilder store = new StringBuilder(BpfRig.text(-200, format));
        for (int i = 0; i < arguments.length; i++)
        {
            store.append("lddw %r1, ").append(arguments[i]).append("\nstxdw [%r10").append(-100 + 4 + 8 * i)
                .append("], %r1\n");
        }
        final String call = "mov %r3, %r10\nadd %r3, -200\nmov %r4, %r10\nadd %r4, -96\nmov %r5, " +
            8 * arguments.length + "\ncall 165\nexit";
        final int length = rig.run(store.toString(), "lddw %r1, mapvalue0", "mov %r2, 128", call);
        final String text = target.values().getStringWithoutLengthAscii(0, length - 1);
        assertEquals(0, target.values().getByte(length - 1));
        // A short buffer gets what fits, and the same answer.
        assertEquals(length, rig.run(store.toString(), "lddw %r1, mapvalue0", "mov %r2, 2", call));
        assertEquals(0, target.values().getByte(1));
        return text;
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldReadNumbers(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        assertEquals("2 42", number(rig, "42", 0, 105));
        assertEquals("5 -42", number(rig, " \t-42x", 0, 105));
        assertEquals("4 255", number(rig, "0xff", 0, 105));
        assertEquals("3 8", number(rig, "010", 0, 105));
        assertEquals("3 10", number(rig, "010", 10, 105));
        assertEquals("2 255", number(rig, "ff", 16, 106));
        assertEquals("1 0", number(rig, "0x", 0, 106));
        assertEquals("-22", number(rig, "x", 0, 105));
        assertEquals("-22", number(rig, "", 0, 105));
        assertEquals("-22", number(rig, "-1", 0, 106));
        assertEquals("-22", number(rig, "1", 7, 106));
        assertEquals("-34", number(rig, "9223372036854775808", 0, 105));
        assertEquals("20 -9223372036854775808", number(rig, "-9223372036854775808", 0, 105));
        assertEquals("20 -1", number(rig, "18446744073709551615", 0, 106));
        assertEquals("-34", number(rig, "18446744073709551616", 0, 106));
    }

    private static String number(final BpfRig rig, final String text, final int base, final int helper)
    {
        final BpfMap map = rig.map(MapSpec.of("m", MapKind.ARRAY, 4, 8, 1));
        final int index = (int)(rig.handle(map) - AddressSpace.HANDLES);
        final int result = rig.run(BpfRig.text(-64, text), "mov %r1, %r10", "add %r1, -64",
            "mov %r2, " + text.length(), "mov %r3, " + base, "lddw %r4, mapvalue" + index, "call " + helper, "exit");
        return result < 0 ? String.valueOf(result) : result + " " + map.values().getLong(0);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldCompareText(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        final String compare = "mov %r1, %r10\nadd %r1, -16\nmov %r3, %r10\nadd %r3, -32\nmov %r2, ";
        assertEquals(0, rig.run(BpfRig.text(-16, "abc"), BpfRig.text(-32, "abc"), compare + "4", "call 182", "exit"));
        assertEquals(-1, rig.run(BpfRig.text(-16, "abb"), BpfRig.text(-32, "abc"), compare + "4", "call 182", "exit"));
        assertEquals(1, rig.run(BpfRig.text(-16, "abd"), BpfRig.text(-32, "abc"), compare + "4", "call 182", "exit"));
        assertEquals(0, rig.run(BpfRig.text(-16, "abd"), BpfRig.text(-32, "abc"), compare + "2", "call 182", "exit"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldLoopWithinLimits(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        final String end = "call 181\nexit\nf:\nmov %r0, 0\njlt %r1, 4, +1\nmov %r0, 1\nexit";
        assertEquals(5, rig.run("mov %r1, 10", "lddw %r2, 0xf005", "mov %r3, 0", "mov %r4, 0", end));
        assertEquals(3, rig.run("mov %r1, 3", "lddw %r2, 0xf005", "mov %r3, 0", "mov %r4, 0", end));
        assertEquals(BpfErrno.EINVAL, rig.run("mov %r1, 3", "lddw %r2, 0xf005", "mov %r3, 0", "mov %r4, 1", end));
        assertEquals(BpfErrno.E2BIG,
            rig.run("mov %r1, 0x800001", "lddw %r2, 0xf005", "mov %r3, 0", "mov %r4, 0", end));
    }
}
