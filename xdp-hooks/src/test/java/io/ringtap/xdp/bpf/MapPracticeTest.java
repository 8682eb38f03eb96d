package io.ringtap.xdp.bpf;

import io.ringtap.xdp.bpf.helper.StandardHelpers;
import io.ringtap.xdp.bpf.helper.TraceLog;
import io.ringtap.xdp.bpf.map.MapAccess;
import io.ringtap.xdp.bpf.map.MapFactory;
import io.ringtap.xdp.bpf.map.MapFlags;
import io.ringtap.xdp.bpf.map.MapSpec;
import io.ringtap.xdp.bpf.map.RingBufMap;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Programs practise with doubles of their maps, down both ways of a lookup, and nobody sees anything of it. */
class MapPracticeTest
{
    private static final String KEY = "lddw %r1, mapN\nmov %r2, %r10\nadd %r2, -8\n";

    @Test
    void shouldLeaveNothingBehind()
    {
        final MapFactory factory = new MapFactory(2);
        final AddressSpace space = new AddressSpace();
        final List<BpfMap> maps = new ArrayList<>();
        for (final MapKind kind : new MapKind[] {MapKind.HASH, MapKind.LRU_PERCPU_HASH, MapKind.LPM_TRIE})
        {
            maps.add(factory.create(MapSpec.of("m", kind, 8, 8, 1 << 20)
                .withFlags(MapKind.LPM_TRIE == kind ? MapFlags.NO_PREALLOC : 0)));
        }
        maps.add(factory.create(MapSpec.of("array", MapKind.ARRAY, 4, 8, 4)));
        maps.add(factory.create(MapSpec.of("ring", MapKind.RINGBUF, 0, 0, 1 << 20)));
        maps.forEach(space::add);
        final StringBuilder lines = new StringBuilder("ldxw %r6, [%r1]\nldxw %r4, [%r1+4]\nmov %r5, %r6\n" +
            "add %r5, 34\njgt %r5, %r4, +2\nldxw %r7, [%r6+26]\nja +1\nmov %r7, 0\nstw [%r10-8], 32\n" +
            "stxw [%r10-4], %r7\n");
        for (int i = 0; i < 3; i++)
        {
            lines.append(KEY.replace("mapN", "map" + i)).append("call 1\njeq %r0, 0, +1\nstdw [%r0], 5\n");
            lines.append(KEY.replace("mapN", "map" + i)).append("mov %r3, %r2\nmov %r4, 0\ncall 2\n");
        }
        lines.append("stw [%r10-16], 1\nlddw %r1, map3\nmov %r2, %r10\nadd %r2, -16\ncall 1\njeq %r0, 0, +1\n" +
            "stdw [%r0], 9\nlddw %r1, map4\nmov %r2, %r10\nadd %r2, -8\nmov %r3, 8\nmov %r4, 0\ncall 130\n");
        lines.append(BpfRig.text(-24, "hello")).append("mov %r1, %r10\nadd %r1, -24\nmov %r2, 6\ncall 6\n");
        lines.append("mov %r1, 5\nmov %r2, 0\ncall 23\nexit\n");
        final long printed = TraceLog.shared().written();
        final List<String> warnings = new ArrayList<>();

        final ProgramCode code = CodeFactory.make(Verifier.verify(new ProgramText("practice",
            Assembler.assemble(lines.toString()), maps, space, Map.of(), LineTable.NONE, ""), StandardHelpers.all()),
            warnings::add);

        assertEquals(List.of(), warnings);
        assertEquals("compiled", code.form());
        for (int i = 0; i < 3; i++)
        {
            assertEquals(0, MapAccess.of(maps.get(i)).keys(10).size());
        }
        assertEquals(0, maps.get(3).values().getLong(8));
        assertEquals(0, ((RingBufMap)maps.get(4)).produced());
        assertEquals(printed, TraceLog.shared().written());
        final BpfContext context = new BpfContext(code);
        assertEquals(4, new BpfHook(code, context).onFrame(Programs.frame(Programs.udp(1))));
        assertEquals(0, context.faults());
        assertEquals(1, MapAccess.of(maps.get(0)).keys(10).size());
    }
}
