package io.ringtap.vhost.ops;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.NamedHook;
import io.ringtap.xdp.UdpPortFilter;
import io.ringtap.xdp.XdpVerdict;
import io.ringtap.xdp.bpf.helper.TraceLog;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Programs that are attached, replaced, looked at and detached while frames are judged. */
class XdpCommandsTest
{
    private static final int QUEUES = 2;
    private static final int PORT = 42;

    private final HookBoard board = new HookBoard(QUEUES, PORT,
        (queue) -> List.of(new NamedHook("UdpPortFilter:53", new UdpPortFilter("53"))), (queue) -> List.of());
    private final ControlCommands commands = new ControlCommands();
    private final UnsafeBuffer arena = new UnsafeBuffer(new byte[4096]);
    private final FrameView[] frames = {new FrameView()};
    @TempDir
    private Path folder;
    private Path object;

    @BeforeEach
    void open() throws IOException
    {
        object = folder.resolve("steer.o");
        try (InputStream in = XdpCommandsTest.class.getResourceAsStream("/xdp/steer.o"))
        {
            Files.copy(in, object);
        }
        final NicDirectory nics = new NicDirectory();
        nics.add(new Nic("vm1", null, PORT, null, board, List.of(), null, null, null, null, null));
        new XdpCommands(nics).register(commands);
    }

    private Map<String, Object> raw(final String command, final Object... arguments)
    {
        final Map<String, Object> request = new LinkedHashMap<>();
        request.put("command", command);
        for (int i = 0; i < arguments.length; i += 2)
        {
            request.put((String)arguments[i], arguments[i + 1]);
        }
        return Json.object(commands.answer(Json.text(request)));
    }

    private Map<?, ?> ask(final String command, final Object... arguments)
    {
        final Map<String, Object> answer = raw(command, arguments);
        assertFalse(answer.containsKey("error"), () -> String.valueOf(answer));
        return (Map<?, ?>)answer.get("result");
    }

    private String refused(final String command, final Object... arguments)
    {
        final Map<String, Object> answer = raw(command, arguments);
        assertTrue(answer.containsKey("error"), () -> String.valueOf(answer));
        return (String)((Map<?, ?>)answer.get("error")).get("text");
    }

    private long load(final String program, final String direction)
    {
        final Map<?, ?> answer = ask("xdp.load", "object", object + ":" + program, "direction", direction);
        return (Long)((Map<?, ?>)((List<?>)answer.get("attached")).get(0)).get("id");
    }

    /** Judges one frame of zeros. */
    private int judge(final int direction, final int queue, final int length)
    {
        arena.setMemory(0, arena.capacity(), (byte)0);
        frames[0].wrap(arena, direction, queue, 2 * queue + direction);
        frames[0].frame(64, 4096, 256, length, length);
        final int[] verdicts = new int[1];
        board.chain(direction, queue).judge(frames, 1, verdicts);
        return verdicts[0];
    }

    private Map<?, ?> hook(final String direction, final int place)
    {
        final Map<?, ?> port = (Map<?, ?>)((List<?>)ask("xdp.show").get("ports")).get(0);
        return (Map<?, ?>)((List<?>)port.get(direction)).get(place);
    }

    @Test
    void shouldAttachBehindFiltersAndShareMapsInBothDirectionsOnAllQueues()
    {
        assertEquals(1, load("gate", "both"));
        assertEquals(XdpVerdict.PASS, judge(FrameView.FROM_GUEST, 0, 60));
        assertEquals(XdpVerdict.PASS, judge(FrameView.FROM_GUEST, 1, 60));
        assertEquals(XdpVerdict.DROP, judge(FrameView.TO_GUEST, 1, 1001));
        assertEquals("UdpPortFilter:53", hook("guest", 0).get("hook"));
        final Map<?, ?> gate = hook("guest", 1);
        assertEquals("steer.o:gate", gate.get("hook"));
        assertEquals(2L, gate.get("pass"));
        assertEquals(0L, gate.get("drop"));
        assertEquals(1L, hook("host", 0).get("drop"));
        assertEquals(false, gate.get("changesFrames"));
        assertEquals(true, gate.get("wholeFrames"));
        final Map<?, ?> dump = ask("xdp.map.dump", "map", "tallies");
        assertEquals(true, dump.get("isWhole"));
        final Map<?, ?> entry = (Map<?, ?>)((List<?>)dump.get("values")).get(0);
        assertEquals(0L, entry.get("key"));
        // Processors: from the guest 0 and 2, to it 1 and 3.
        assertEquals("[{frames=1, bytes=60}, {frames=0, bytes=0}, {frames=1, bytes=60}, {frames=1, bytes=1001}]",
            String.valueOf(entry.get("value")));
    }

    @Test
    void shouldWriteMapsAndVariablesByTheirTypes()
    {
        load("gate", "guest");
        ask("xdp.map.update", "map", "modes", "key", "77", "value", "SHUT");
        assertEquals("{key=77, value=SHUT}", String.valueOf(ask("xdp.map.lookup", "map", "modes", "key", "77")));
        assertEquals(XdpVerdict.DROP, judge(FrameView.FROM_GUEST, 0, 77));
        ask("xdp.map.delete", "map", "modes", "key", "77");
        assertEquals(XdpVerdict.PASS, judge(FrameView.FROM_GUEST, 0, 77));
        assertTrue(refused("xdp.map.lookup", "map", "modes", "key", "77").contains("not in map"));
        assertTrue(refused("xdp.map.delete", "map", "modes", "key", "77").contains("ENOENT"));
        assertTrue(refused("xdp.map.update", "map", "modes", "key", "x", "value", "1").startsWith("the eBPF object"));
        assertTrue(refused("xdp.map.dump", "map", "none").contains("0 attached objects have it"));
        assertEquals("[{key=limit, value=1000}]",
            String.valueOf(ask("xdp.map.dump", "map", ".data").get("values")));
        ask("xdp.map.update", "map", ".data", "key", "limit", "value", "70");
        assertEquals(XdpVerdict.DROP, judge(FrameView.FROM_GUEST, 0, 77));
    }

    @Test
    void shouldReplaceInPlaceAndKeepCountersOfOthers()
    {
        final long gate = load("gate", "guest");
        final long mark = load("mark", "guest");
        judge(FrameView.FROM_GUEST, 0, 60);
        assertEquals(0x77, arena.getByte(261));
        final AttachedProgram kept = board.program((int)mark);
        final Map<?, ?> answer = ask("xdp.load", "object", object + ":gate", "replace", gate,
            "set", Map.of("limit", "50"));
        final Map<?, ?> attached = (Map<?, ?>)((List<?>)answer.get("attached")).get(0);
        assertEquals(XdpVerdict.DROP, judge(FrameView.FROM_GUEST, 0, 60));
        assertSame(kept, board.programs(FrameView.FROM_GUEST).get(1));
        assertEquals(attached.get("id"), hook("guest", 1).get("id"));
        assertEquals(0L, hook("guest", 1).get("pass"), "a new program counts anew");
        assertEquals(1L, hook("guest", 2).get("pass"), "one that stays goes on");
        assertEquals(true, hook("guest", 2).get("changesFrames"));
        assertEquals(false, hook("guest", 2).get("wholeFrames"));
    }

    @Test
    void shouldPlaceByPositionAndDetach()
    {
        load("gate", "guest");
        final Map<?, ?> first = ask("xdp.load", "object", object + ":mark", "direction", "guest", "position", 0L);
        assertEquals("steer.o:mark", hook("guest", 1).get("hook"));
        assertEquals("steer.o:gate", hook("guest", 2).get("hook"));
        ask("xdp.unload", "id", ((Map<?, ?>)((List<?>)first.get("attached")).get(0)).get("id"));
        assertEquals("steer.o:gate", hook("guest", 1).get("hook"));
        assertTrue(refused("xdp.unload", "id", 99L).contains("no program of that number"));
        assertTrue(refused("xdp.unload").contains("id and all"));
        ask("xdp.unload", "all", true);
        assertTrue(board.programs().isEmpty());
        assertEquals(XdpVerdict.PASS, judge(FrameView.FROM_GUEST, 0, 2000));
    }

    @Test
    void shouldTracePrintedLinesAndFaults()
    {
        load("mark", "guest");
        final long id = load("stray", "guest");
        final long before = TraceLog.shared().written();
        assertEquals(XdpVerdict.ABORTED, judge(FrameView.FROM_GUEST, 1, 60));
        final Map<?, ?> trace = ask("xdp.trace", "after", before);
        assertTrue(String.valueOf(trace.get("lines")).contains("marked 60 bytes"), () -> String.valueOf(trace));
        final Map<?, ?> fault = (Map<?, ?>)((List<?>)trace.get("faults")).get(0);
        assertEquals(id, fault.get("id"));
        assertEquals(1L, fault.get("queue"));
        assertEquals(1L, fault.get("count"));
        assertTrue(String.valueOf(fault.get("last")).contains("program stray"), () -> String.valueOf(fault));
        assertEquals(1L, hook("guest", 2).get("faults"));
    }

    @Test
    void shouldRefuseWhatCannotBeLoadedAndChangeNothing() throws IOException
    {
        assertTrue(refused("xdp.load", "object", folder.resolve("none.o").toString(), "direction", "guest")
            .contains("there is no such file"));
        assertTrue(refused("xdp.load", "object", object.toString(), "direction", "guest").contains("has 3 programs"));
        assertTrue(refused("xdp.load", "object", object + ":no", "direction", "guest").contains("no program no"));
        assertTrue(refused("xdp.load", "object", object + ":gate").contains("direction"));
        assertTrue(refused("xdp.load", "object", object + ":gate", "direction", "up").contains("one of guest"));
        assertTrue(refused("xdp.load", "object", object + ":gate", "direction", "guest", "postion", 1L)
            .contains("no argument"));
        assertTrue(refused("xdp.load", "object", object + ":gate", "replace", 7L).contains("id=7"));
        final Path text = Files.writeString(folder.resolve("text.o"), "no object");
        assertTrue(refused("xdp.load", "object", text.toString(), "direction", "guest").contains("text.o"));
        assertTrue(refused("xdp.load", "port", "vm2", "object", "x", "direction", "guest").contains("vm2"));
        assertTrue(board.programs().isEmpty());
    }
}
