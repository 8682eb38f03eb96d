package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpVerdict;
import io.ringtap.xdp.bpf.map.BpfErrno;
import io.ringtap.xdp.bpf.map.MapAccess;
import io.ringtap.xdp.bpf.map.MapSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Helpers that move, copy, sum and send frames; limits and errnos as kernel 6.18 has them. */
class FrameHelpersTest
{
    private static final String MOVE = "mov %r6, %r1\nmov %r2, ";

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldMoveTheHeadWithinTheKernelsLimits(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        assertEquals(0, rig.run(MOVE + "-216", "call 44", "exit"));
        assertEquals(64 + 216, rig.frame().length());
        rig.frame(Programs.udp(1));
        assertEquals(BpfErrno.EINVAL, rig.run(MOVE + "-217", "call 44", "exit"));
        assertEquals(0, rig.run(MOVE + "50", "call 44", "exit"));
        assertEquals(14, rig.frame().length());
        assertEquals(BpfErrno.EINVAL, rig.run(MOVE + "1", "call 44", "exit"));
        rig.frame(Programs.udp(1));
        assertEquals(BpfErrno.EINVAL, rig.run(MOVE + "51", "call 44", "exit"));
        // Metadata in front take part of the room.
        assertEquals(BpfErrno.EINVAL, rig.run(MOVE + "-8", "call 54", "mov %r1, %r6", "mov %r2, -209", "call 44",
            "exit"));
        rig.frame(Programs.udp(1));
        assertEquals(0, rig.run(MOVE + "-8", "call 54", "mov %r1, %r6", "mov %r2, -208", "call 44", "exit"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldMoveTheTail(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        assertEquals(0, rig.run(MOVE + Programs.TAILROOM, "call 65", "exit"));
        assertEquals(BpfErrno.EINVAL, rig.run(MOVE + "1", "call 65", "exit"));
        assertEquals(0, rig.run(MOVE + (14 - 64 - Programs.TAILROOM), "call 65", "exit"));
        assertEquals(BpfErrno.EINVAL, rig.run(MOVE + "-1", "call 65", "exit"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldKeepMetadataInTheirLimits(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        assertEquals(0, rig.run(MOVE + "-216", "call 54", "exit"));
        assertEquals(BpfErrno.EINVAL, rig.run(MOVE + "-220", "call 54", "exit"));
        assertEquals(BpfErrno.EACCES, rig.run(MOVE + "-3", "call 54", "exit"));
        assertEquals(BpfErrno.EINVAL, rig.run(MOVE + "4", "call 54", "exit"));
        assertEquals(0, rig.run(MOVE + "-8", "call 54", "mov %r1, %r6", "mov %r2, 8", "call 54", "exit"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldCopyBytesOfTheFrame(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        rig.frame().buffer().putInt(rig.frame().offset() + 60, 0x01020304);
        final String copy = "mov %r3, %r10\nadd %r3, -8\nmov %r2, ";
        assertEquals(64, rig.run("call 188", "exit"));
        assertEquals(0x01020304, rig.run(copy + "60", "mov %r4, 4", "call 189", "jne %r0, 0, exit",
            "ldxw %r0, [%r10-8]", "exit"));
        assertEquals(BpfErrno.EINVAL, rig.run(copy + "61", "mov %r4, 4", "call 189", "exit"));
        assertEquals(BpfErrno.EINVAL, rig.run(copy + "0xffff", "mov %r4, 1", "call 189", "exit"));
        assertEquals(BpfErrno.EFAULT, rig.run(copy + "0x10000", "mov %r4, 1", "call 189", "exit"));
        assertEquals(BpfErrno.EFAULT, rig.run(copy + "-1", "mov %r4, 1", "call 189", "exit"));
        assertEquals(0, rig.run("stw [%r10-8], 0x55667788", copy + "10", "mov %r4, 4", "call 190", "exit"));
        assertEquals(0x55667788, rig.frame().buffer().getInt(rig.frame().offset() + 10));
        // What lies outside the slot is out of reach, and counts as length.
        final FrameView frame = rig.frame();
        frame.frame(frame.slotStart(), frame.slotEnd(), frame.offset(), 64, 9000);
        assertEquals(9000, rig.run("call 188", "exit"));
        assertEquals(BpfErrno.EFAULT, rig.run(copy + "61", "mov %r4, 4", "call 189", "exit"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldSumDifferencesAsTheKernelDoes(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        final String from = "mov %r1, %r10\nadd %r1, -8\nmov %r3, %r10\nadd %r3, -16\n";
        final Random random = new Random(1);
        for (int i = 0; i < 50; i++)
        {
            final int a = random.nextInt();
            final int b = 0 == i ? a : random.nextInt();
            final int seed = random.nextInt(3) == 0 ? 0 : random.nextInt();
            final String values = "stw [%r10-8], " + a + "\nstw [%r10-16], " + b + "\n" + from;
            final String sum = "lddw %r5, " + (seed & 0xffff_ffffL) + "\ncall 28\nexit";
            assertEquals(fold(seed & 0xffff_ffffL, b & 0xffff_ffffL, ~a & 0xffff_ffffL),
                rig.run(values, "mov %r2, 4", "mov %r4, 4", sum));
            assertEquals(fold(seed & 0xffff_ffffL, b & 0xffff_ffffL),
                rig.run(values, "mov %r2, 0", "mov %r4, 4", "mov %r1, 0", sum));
            assertEquals(~fold(~seed & 0xffff_ffffL, a & 0xffff_ffffL) & 0xffff,
                rig.run(values, "mov %r2, 4", "mov %r4, 0", "mov %r3, 0", sum));
        }
        assertEquals(0, rig.run("mov %r2, 0", "mov %r4, 0", "mov %r5, 0", "call 28", "exit"));
        assertEquals(0, rig.run("mov %r1, 0", "mov %r2, 4", "mov %r4, 0", "call 28", "exit"));
        assertEquals(1, rig.context().faults());
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldTakeFuelForSums(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        rig.map(MapSpec.of("large", MapKind.ARRAY, 4, 9 << 20, 1));
        final String sum = "lddw %r3, mapvalue0\nmov %r1, 0\nmov %r2, 0\nmov %r5, 0\nmov %r4, ";
        assertEquals(2, rig.run(sum + (4 << 20), "call 28", "mov %r0, 2", "exit"));
        assertEquals(0, rig.run(sum + (9 << 20), "call 28", "mov %r0, 2", "exit"));
        assertEquals("FUEL ", rig.fault());
    }

    private static int fold(final long... words)
    {
        long sum = 0;
        for (final long word : words)
        {
            sum += word;
        }
        while (sum >> 16 != 0)
        {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        return (int)sum;
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldNameTheTargetOfARedirect(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        assertEquals(XdpVerdict.REDIRECT, rig.run("mov %r1, 12", "mov %r2, 0", "call 23", "exit"));
        assertEquals(12, rig.frame().target());
        rig.frame(Programs.udp(1));
        assertEquals(XdpVerdict.ABORTED, rig.run("mov %r1, 12", "mov %r2, 1", "call 23", "exit"));
        assertTrue(rig.frame().target() < 0);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldRedirectByMap(final Form form)
    {
        for (final MapKind kind : List.of(MapKind.DEVMAP, MapKind.DEVMAP_HASH, MapKind.XSKMAP))
        {
            final BpfRig rig = new BpfRig(form);
            final MapAccess ports = MapAccess.of(rig.map(MapSpec.of("ports", kind, 4, 4, 8)));
            final byte[] key = {2, 0, 0, 0};
            final String go = "lddw %r1, map0\nmov %r2, ";
            assertEquals(XdpVerdict.TX, rig.run(go + "2", "mov %r3, 3", "call 51", "exit"));
            assertEquals(0, ports.put(key, new byte[] {33, 0, 0, 0}));
            assertEquals(XdpVerdict.REDIRECT, rig.run(go + "2", "mov %r3, 3", "call 51", "exit"));
            assertEquals(33, rig.frame().target());
            assertEquals(XdpVerdict.PASS, rig.run(go + "3", "mov %r3, 2", "call 51", "exit"));
            assertEquals(XdpVerdict.ABORTED, rig.run(go + "2", "mov %r3, 4", "call 51", "exit"));
            assertEquals(XdpVerdict.ABORTED, rig.run(go + "2", "mov %r3, 8", "call 51", "exit"));
            assertEquals(33, rig.run("stw [%r10-4], 2", "lddw %r1, map0", "mov %r2, %r10", "add %r2, -4", "call 1",
                "jeq %r0, 0, exit", "ldxw %r0, [%r0]", "exit"));
            assertEquals(0, ports.delete(key));
            assertEquals(-1, rig.run("stw [%r10-4], 2", "lddw %r1, map0", "mov %r2, %r10", "add %r2, -4", "call 1",
                "jne %r0, 0, exit", "mov %r0, -1", "exit"));
            assertEquals(XdpVerdict.DROP, rig.run(go + "2", "mov %r3, 1", "call 51", "exit"));
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldPassOnWhatGoesToAnotherProcessor(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        final MapAccess queues = MapAccess.of(rig.map(MapSpec.of("cpus", MapKind.CPUMAP, 4, 4, 0)));
        assertEquals(BpfRig.QUEUES, queues.map().maxEntries());
        assertEquals(0, queues.put(new byte[] {1, 0, 0, 0}, new byte[] {0, 1, 0, 0}));
        assertEquals(XdpVerdict.PASS, rig.run("lddw %r1, map0", "mov %r2, 1", "mov %r3, 1", "call 51", "exit"));
        assertEquals(XdpVerdict.DROP, rig.run("lddw %r1, map0", "mov %r2, 0", "mov %r3, 1", "call 51", "exit"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldSayThatNothingIsForwardedAndWhatFits(final Form form)
    {
        final BpfRig rig = new BpfRig(form);
        final String fib = "mov %r2, %r10\nadd %r2, -64\nmov %r3, 64\n";
        assertEquals(4, rig.run("stw [%r10-64], 2", fib, "mov %r4, 0", "call 69", "exit"));
        assertEquals(BpfErrno.EAFNOSUPPORT, rig.run("stw [%r10-64], 3", fib, "mov %r4, 0", "call 69", "exit"));
        assertEquals(BpfErrno.EINVAL, rig.run(fib, "mov %r3, 63", "mov %r4, 0", "call 69", "exit"));
        final String mtu = "mov %r3, %r10\nadd %r3, -8\nmov %r5, 0\n";
        assertEquals(0, rig.run("stw [%r10-8], 0", mtu, "mov %r2, 0", "mov %r4, 1450", "call 163", "exit"));
        assertEquals(1, rig.run("stw [%r10-8], 0", mtu, "mov %r2, 7", "mov %r4, 1451", "call 163", "exit"));
        assertEquals(1500, rig.run("stw [%r10-8], 1500", mtu, "mov %r2, 0", "mov %r4, 0", "call 163",
            "jne %r0, 0, exit", "ldxw %r0, [%r10-8]", "exit"));
        assertEquals(BpfErrno.ENODEV, rig.run("stw [%r10-8], 0", mtu, "mov %r2, 8", "mov %r4, 0", "call 163", "exit"));
        assertEquals(BpfErrno.EINVAL, rig.run(mtu, "mov %r2, 0", "mov %r4, 0", "mov %r5, 1", "call 163", "exit"));
    }
}
