package io.ringtap.xdp.bpf;

import io.ringtap.it.rig.BpfSources;
import io.ringtap.it.rig.BpfTools;
import io.ringtap.it.rig.Provision;
import io.ringtap.it.rig.Settings;
import io.ringtap.sys.Affinity;
import io.ringtap.xdp.bpf.elf.BpfObject;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Our C programs and Debian's objects do here what they do in the kernel: verdict, frame with metadata, events, and all
 * maps at the end; compiled, and interpreted. The kernel runs them by BPF_PROG_TEST_RUN and attaches nothing.
 */
class KernelComparisonIT
{
    private static final int OUR_PROGRAMS = 18;
    private static final int FILTERS = 10;
    private static final int HOST = 0xc612_0000;

    @TestFactory
    List<DynamicTest> shouldRunOurProgramsAsTheKernelDoes()
    {
        BpfTools.provide();
        final List<DynamicTest> tests = new ArrayList<>();
        for (final String name : BpfSources.names())
        {
            tests.add(DynamicTest.dynamicTest(name, () ->
                compare(BpfSources.compile(name, Settings.output().resolve("bpf")), entries(name))));
            // Without the instructions of later years.
            tests.add(DynamicTest.dynamicTest(name + " for cpu v2", () -> compare(
                BpfSources.compile(name, Settings.output().resolve("bpf-v2"), "-mcpu=v2"), entries(name))));
        }
        assertTrue(tests.size() >= 2 * OUR_PROGRAMS, "programs: " + BpfSources.names());
        return tests;
    }

    @TestFactory
    List<DynamicTest> shouldRunDebiansObjectsAsTheKernelDoes()
    {
        BpfTools.provide();
        final List<DynamicTest> tests = new ArrayList<>();
        int filters = 0;
        for (final Path file : BpfTools.objects())
        {
            final String name = String.valueOf(file.getFileName());
            if (name.startsWith("xdpfilt_"))
            {
                filters++;
                tests.add(DynamicTest.dynamicTest(name, () -> compare(file, KernelComparisonIT::rules)));
            }
            else if (name.startsWith("xdp-dispatcher") || name.startsWith("xsk_def_xdp_prog") ||
                name.equals("xdp_drop.o") || name.equals("xdp_pass.o"))
            {
                tests.add(DynamicTest.dynamicTest(name, () -> compare(file, none())));
            }
        }
        assertEquals(FILTERS, filters);
        return tests;
    }

    private static void compare(final Path file, final Consumer<ObjectComparison> entries)
    {
        Provision.root();
        final int[] processors = Affinity.current();
        // The first processor is the first queue.
        Affinity.pin(0);
        try
        {
            final BpfObject object = BpfObject.read(file);
            for (final BpfObject.ProgramInfo program : object.programs())
            {
                for (final boolean isCompiled : new boolean[]{true, false})
                {
                    try (ObjectComparison comparison = new ObjectComparison(object))
                    {
                        entries.accept(comparison);
                        final String difference = comparison.run(program.name(), isCompiled, Captures.frames());
                        assertEquals("", difference, program.name() + (isCompiled ? " compiled" : " interpreted"));
                        System.out.println(file.getFileName() + ", " + program.name() + ": verdicts " +
                            Arrays.toString(comparison.verdicts()));
                    }
                }
            }
        }
        finally
        {
            Affinity.pin(processors);
        }
    }

    private static Consumer<ObjectComparison> none()
    {
        return comparison ->
        {
        };
    }

    /** What the maps of our programs hold at the beginning. */
    private static Consumer<ObjectComparison> entries(final String name)
    {
        return switch (name)
        {
            case "nat" -> KernelComparisonIT::targets;
            case "acl_lpm" -> KernelComparisonIT::prefixes;
            case "map_in_map" -> KernelComparisonIT::nested;
            default -> none();
        };
    }

    private static void targets(final ObjectComparison comparison)
    {
        for (int i = 1; i < 7; i++)
        {
            for (final int port : new int[]{53, 80, 9999})
            {
                comparison.put("targets", Numbers.target(HOST | i, port),
                    Numbers.target(HOST | 0x0300 | i, port + 8000));
            }
        }
    }

    private static void prefixes(final ObjectComparison comparison)
    {
        comparison.put("rules4", Numbers.prefix(0, 0), Numbers.of4(2, 0));
        comparison.put("rules4", Numbers.prefix(15, HOST), Numbers.of4(2, 0));
        comparison.put("rules4", Numbers.prefix(24, HOST | 0x0100), Numbers.of4(1, 0));
        comparison.put("rules4", Numbers.prefix(32, HOST | 0x0103), Numbers.of4(3, 0));
        comparison.put("rules4", Numbers.prefix(31, HOST | 0x0204), Numbers.of4(1, 7));
        comparison.put("rules6", Numbers.prefix(32, 0x2001_0200, 0, 0, 0), Numbers.of4(2, 0));
        comparison.put("rules6", Numbers.prefix(64, 0x2001_0200, 1, 0, 0), Numbers.of4(1, 0));
        comparison.put("rules6", Numbers.prefix(128, 0x2001_0200, 1, 0, 2), Numbers.of4(3, 0));
    }

    private static void nested(final ObjectComparison comparison)
    {
        comparison.put("red", new byte[]{0, 53}, Numbers.of4(1));
        comparison.put("blue", new byte[]{0, 80}, Numbers.of4(3));
        comparison.nest("by_type", Numbers.of4(0x0800), "ipv4");
        comparison.nest("by_type", Numbers.of4(0x0806), "arp");
    }

    /** Rules of xdp-filter, where an object has the map: source 1, destination 2, TCP 4, UDP 8; counts from 64 on. */
    private static void rules(final ObjectComparison comparison)
    {
        comparison.putIfThere("filter_ports", Numbers.of4(Short.reverseBytes((short)53) & 0xffff), Numbers.of8(1 | 8));
        comparison.putIfThere("filter_ports", Numbers.of4(Short.reverseBytes((short)9999) & 0xffff),
            Numbers.of8(2 | 4 | 8));
        comparison.putIfThere("filter_ports", Numbers.of4(Short.reverseBytes((short)80) & 0xffff), Numbers.of8(3 | 4));
        comparison.putIfThere("filter_ipv4", new byte[]{(byte)0xc6, 0x12, 0, 1}, Numbers.of8(1));
        comparison.putIfThere("filter_ipv4", new byte[]{(byte)0xc6, 0x12, 1, 2}, Numbers.of8(3));
        comparison.putIfThere("filter_ipv6",
            Arrays.copyOfRange(Numbers.prefix(0, 0x2001_0200, 1, 0, 2), 4, 20), Numbers.of8(3));
        comparison.putIfThere("filter_ethernet", new byte[]{2, 0, 0, 0, 0, 4}, Numbers.of8(1));
    }
}
