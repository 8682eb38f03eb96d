package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.BpfTools;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.Pcap;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.Settings;
import io.ringtap.it.rig.Shell;
import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpVerdict;
import io.ringtap.xdp.bpf.elf.BpfObject;
import io.ringtap.xdp.bpf.elf.BtfPrinter;
import io.ringtap.xdp.bpf.elf.LoadedObject;
import io.ringtap.xdp.bpf.elf.ObjectException;
import io.ringtap.xdp.bpf.helper.StandardHelpers;
import io.ringtap.xdp.trial.CapturedFrame;
import io.ringtap.xdp.trial.ProgramTrial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects that others compiled, and C of every sort that clang compiles for us: they load, and do what they say. */
class XdpObjectsIT
{
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final long SEED = 20_261_130;
    private static final int MUTATIONS = 100;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void provide()
    {
        BpfTools.provide();
    }

    static List<Path> objects()
    {
        BpfTools.provide();
        return BpfTools.objects();
    }

    @ParameterizedTest
    @MethodSource("objects")
    void shouldLoadDebiansObjects(final Path file)
    {
        final LoadedObject loaded = load(BpfObject.read(file));

        assertEquals(Map.of(), loaded.refusals());
        assertEquals("GPL", loaded.object().license());
        assertTrue(loaded.programs().stream().allMatch((each) -> "compiled".equals(each.form())));
        assertTrue(loaded.maps().size() == loaded.object().maps().size(), "each map could be made");
    }

    @ParameterizedTest
    @ValueSource(strings = {"xdp-bench", "xdp-trafficgen"})
    void shouldLoadObjectsThatProgramsCarry(final String program)
    {
        int count = 0;
        for (final byte[] bytes : BpfTools.embedded(program))
        {
            final BpfObject object = BpfObject.read(bytes, program);
            object.maps().stream().filter((map) -> 0 == map.spec().maxEntries())
                .forEach((map) -> object.maxEntries(map.name(), 8));
            if (!object.programs().isEmpty())
            {
                assertEquals(Map.of(), load(object).refusals());
                count += object.programs().size();
            }
        }
        assertTrue(count >= 5, "programs in " + program);
    }

    @ParameterizedTest
    @MethodSource("objects")
    void shouldSurviveDamageToDebiansObjects(final Path file) throws IOException
    {
        final byte[] original = Files.readAllBytes(file);
        for (int i = 0; i < MUTATIONS; i++)
        {
            final Random random = new Random(SEED + i);
            final byte[] object = original.clone();
            for (int flips = random.nextInt(8); flips >= 0; flips--)
            {
                object[random.nextInt(object.length)] ^= (byte)(1 << random.nextInt(8));
            }
            try
            {
                load(BpfObject.read(object, "damaged.o"));
            }
            catch (final ObjectException refused)
            {
                assertEquals(1, refused.getMessage().lines().count(), "mutation " + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v2", "v3"})
    void shouldLoadWhatClangWrites(final String cpu)
    {
        final BpfObject object = BpfObject.read(compile("features", "-g", "-mcpu=" + cpu));
        object.maxEntries("sized", 8);
        final LoadedObject loaded = load(object);

        assertEquals(List.of(XdpVerdict.DROP), verdicts(loaded, "first_of_two", 1));
        assertEquals(List.of(XdpVerdict.TX), verdicts(loaded, "second_of_two", 1));
        assertEquals(List.of(XdpVerdict.PASS), verdicts(loaded, "with_frags", 1));
        assertEquals(List.of(XdpVerdict.PASS), verdicts(loaded, "for_devmap", 1));
        assertEquals(List.of(XdpVerdict.PASS), verdicts(loaded, "any_name", 1));
        assertEquals(List.of(XdpVerdict.PASS, XdpVerdict.DROP), verdicts(loaded, "globals", 2));
        assertEquals(List.of(XdpVerdict.PASS), verdicts(loaded, "pointers", 1));
        assertEquals(List.of(XdpVerdict.PASS), verdicts(loaded, "maps", 1));
        assertEquals(List.of(XdpVerdict.PASS), verdicts(loaded, "weak", 1));
        assertEquals(List.of(XdpVerdict.DROP), verdicts(loaded, "core_fixed", 1));
        assertEquals(2L, loaded.get("seen"));
        assertEquals(44L, loaded.get("total"));
        assertEquals("[{key: {address: 167772161, port: 53, pad: 0}, value: {packets: 3, balance: -4, " +
            "mode: MODE_COUNT, name: abc, mac: [0, 0, 0, 0, 0, 0], hot: true, low: 5, high: 0, word: 0, " +
            "bytes: [0, 0, 0, 0]}}]", BtfPrinter.text(loaded.view("flows").entries(9, false)));
        assertTrue(loaded.refusals().get("strong").contains("bpf_kernel_only is the kernel's"));
        assertTrue(loaded.refusals().get("core_kernel").contains("the kernel's struct sk_buff"));
        assertEquals(2, loaded.refusals().size(), loaded.refusals()::toString);
        assertEquals(2, object.otherPrograms().size());
    }

    @Test
    void shouldLoadMapsOfBeforeBtf()
    {
        assertEquals(List.of(XdpVerdict.PASS), verdicts(load(BpfObject.read(compile("legacy"))), "count", 1));
        assertEquals(List.of(XdpVerdict.PASS), verdicts(load(BpfObject.read(compile("legacy", "-g"))), "count", 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v2", "v3"})
    void shouldFillMapsThatHoldMapsAndPrograms(final String cpu)
    {
        final LoadedObject loaded = load(BpfObject.read(compile("later", "-g", "-mcpu=" + cpu)));

        assertEquals(Map.of(), loaded.refusals());
        assertEquals(XdpVerdict.DROP, verdict(loaded, "jump", 0));
        assertEquals(XdpVerdict.TX, verdict(loaded, "jump", 1));
        assertEquals(XdpVerdict.PASS, verdict(loaded, "jump", 2));
        assertEquals(XdpVerdict.PASS, verdict(loaded, "nested", 0));
        assertEquals(XdpVerdict.DROP, verdict(loaded, "nested", 1));
        assertEquals(XdpVerdict.PASS, verdict(loaded, "nested", 2));
        assertEquals(XdpVerdict.PASS, verdict(loaded, "nested_hash", 0));
        assertEquals(XdpVerdict.PASS, verdict(loaded, "loop", 0));
        assertEquals(XdpVerdict.PASS, verdict(loaded, "lock", 0));
        assertEquals("[{key: 0, value: 1}]", BtfPrinter.text(loaded.view("inner_one").entries(9, true)));
        assertEquals("[{key: 0, value: 1}, {key: 1, value: 5}]",
            BtfPrinter.text(loaded.view("inner_two").entries(9, true)));
        assertEquals("[{key: 0, value: {count: 1, lock: {val: 0}}}]",
            BtfPrinter.text(loaded.view("locks").entries(9, true)));
        // bpftool links objects for libbpf: other offsets, other symbols, the same programs.
        final Path linked = folder.resolve("linked.o");
        Shell.check("bpftool", "gen", "object", linked.toString(), folder.resolve("later.o").toString());
        assertEquals(XdpVerdict.PASS, verdict(load(BpfObject.read(linked)), "jump", 2));
    }

    @Test
    void shouldTryAProgramFromTheCommandLine() throws IOException
    {
        final Path object = compile("features", "-g");
        final Path capture = Files.write(folder.resolve("in.pcap"),
            Pcap.bytes(List.of(new byte[64], new byte[60], new byte[4])));
        final Path written = folder.resolve("out.pcap");

        final Shell.Result run = ringtap("xdp", "run", object + ":any_name", capture.toString(), "-w" + written);

        assertEquals(0, run.exitCode(), run.output());
        assertTrue(run.output().contains("3 frames: 1 ABORTED, 1 DROP, 1 PASS by any_name of features.o, compiled"),
            run.output());
        assertEquals(1, Pcap.frames(written).size());
        final Shell.Result counted = ringtap("xdp", "run", "--maps", "--entries=sized=2", object + ":maps",
            capture.toString());
        for (final String line : List.of("counters[01 00 00 00] = 02 00 00 00 00 00 00 00", "sized[1] = 4",
            "flows[{address: 167772161, port: 53, pad: 0}] = {packets: 3, balance: -4, mode: MODE_COUNT", "seen = 0"))
        {
            assertTrue(counted.output().contains(line), line + " in\n" + counted.output());
        }
        final Shell.Result json = ringtap("xdp", "run", "--json", "--direction=host", object + ":any_name",
            capture.toString());
        assertTrue(json.output().contains("{\"frame\":1,\"verdict\":\"PASS\",\"length\":64}"), json.output());
    }

    @Test
    void shouldTellWhatIsInAnObject()
    {
        final Path object = compile("features", "-g");

        final Shell.Result check = ringtap("xdp", "check", "--dump", object.toString());

        assertEquals(2, check.exitCode(), check.output());
        for (final String part : List.of("license Dual MIT/GPL", "any_name (xdp_anything): ",
            "strong (xdp/strong) REFUSED", "maps (xdp/maps) REFUSED: features.o: program maps uses map sized",
            "flows: HASH, key 8, value 48, 128 entries, pinned",
            "limit (.rodata) = 5", "is no XDP program and skipped", "; features.c:", "exit"))
        {
            assertTrue(check.output().contains(part), part + " in\n" + check.output());
        }
        final Shell.Result one = ringtap("xdp", "check", object + ":any_name");
        assertEquals(0, one.exitCode(), one.output());
        final Shell.Result none = ringtap("xdp", "check", object + ":nobody");
        assertEquals(2, none.exitCode(), none.output());
        assertTrue(none.output().contains("ringtap: features.o: there is no program nobody"), none.output());
    }

    private static Shell.Result ringtap(final String... words)
    {
        final List<String> command = new ArrayList<>(Ringtap.command(Jdks.current()));
        command.addAll(List.of(words));
        return Shell.run(LIMIT, Map.of(), command);
    }

    private static Path compile(final String name, final String... options)
    {
        return BpfTools.compile(Settings.root().resolve("integration-tests/src/test/bpf/" + name + ".c"), folder,
            options);
    }

    private static LoadedObject load(final BpfObject object)
    {
        return object.load(3, StandardHelpers.all());
    }

    private static int verdict(final LoadedObject object, final String program, final int queue)
    {
        return verdicts(object, program, 1, queue).get(0);
    }

    private static List<Integer> verdicts(final LoadedObject object, final String program, final int frames)
    {
        return verdicts(object, program, frames, 0);
    }

    private static List<Integer> verdicts(
        final LoadedObject object, final String program, final int frames, final int queue)
    {
        final ProgramTrial trial = new ProgramTrial(object.program(program), FrameView.FROM_GUEST, queue, 0);
        final byte[] frame = new byte[64];
        final List<Integer> verdicts = new ArrayList<>();
        for (int i = 0; i < frames; i++)
        {
            final ProgramTrial.Outcome outcome = trial.judge(new CapturedFrame(0, frame, frame.length));
            assertTrue(XdpVerdict.ABORTED != outcome.verdict(), outcome.fault());
            verdicts.add(outcome.verdict());
        }
        return verdicts;
    }
}
