package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.Assembler;
import io.ringtap.xdp.bpf.HelperSet;
import io.ringtap.xdp.bpf.MapKind;
import io.ringtap.xdp.bpf.elf.TypeWriter.Member;
import io.ringtap.xdp.bpf.helper.StandardHelpers;
import io.ringtap.xdp.bpf.map.MapSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.util.function.ToIntFunction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Declarations of maps, and what objects with all of it say about themselves. */
class MapDeclarationTest
{
    /** What every one of these objects knows first. */
    private static final int U32 = 1;


    @Test
    void shouldLoadAnObjectWithEverything()
    {
        final BpfObject object = BpfObject.read(SampleObjects.full(), "filter.o");
        object.set("limit", "9");
        final LoadedObject loaded = object.load(2, StandardHelpers.all());

        assertEquals(2, BpfObjectTest.run(loaded, "main"));
        assertEquals(1, BpfObjectTest.run(loaded, "other"));
        assertEquals(29L, loaded.get("seen"));
        final MapDefinition flows = object.maps().get(0);
        assertEquals(new MapSpec("flows", MapKind.HASH, 4, 16, 64, 0, 0, null, null, 8), flows.spec());
        assertTrue(flows.isPinned());
        assertEquals(MapKind.PERCPU_ARRAY, object.maps().get(1).spec().kind());
        assertEquals("count", object.btf().memberName(flows.valueType(), 0));
        assertEquals(4, loaded.keys("flows").size());
        assertEquals(16, loaded.values("flows").parse("count=3").length);
        assertEquals("filter.o: there is no map other; it has flows, counters, .rodata, .bss",
            assertThrows(ObjectException.class, () -> loaded.map("other")).getMessage());
    }

    @Test
    void shouldShowAndTakeEntries()
    {
        final LoadedObject loaded =
            BpfObject.read(SampleObjects.full(), "filter.o").load(2, StandardHelpers.all());
        final MapView flows = loaded.view("flows");
        flows.put("7", "count=5");
        flows.put("hex:08000000", "hex:01000000000000000000000000000000");

        assertEquals("{key: 7, value: {count: 5, lock: {val: 0}}}", BtfPrinter.text(flows.get("7")));
        assertNull(flows.get("9"));
        assertEquals(2, flows.entries(9, false).size());
        assertEquals(1, flows.entries(1, false).size());
        flows.delete("7");
        assertNull(flows.get("7"));
        loaded.view("counters").put("3", "4");
        assertEquals("[{key: 3, values: [4, 4]}]", BtfPrinter.text(loaded.view("counters").entries(9, true)));
        assertEquals(4, loaded.view("counters").entries(9, false).size());

        assertComplaint("map flows: key 7 is not removed: ENOENT", () -> flows.delete("7"));
        assertComplaint("map flows: key: x is no number of 32 bits", () -> flows.put("x", "count=1"));
        assertComplaint("map flows: value: colour: there is no field colour; it has count, lock",
            () -> flows.put("1", "colour=1"));
        assertComplaint("map counters: key 4 is not taken: E2BIG", () -> loaded.view("counters").put("4", "1"));
    }

    private static void assertComplaint(final String message, final Executable work)
    {
        assertEquals("filter.o: " + message, assertThrows(ObjectException.class, work).getMessage());
    }

    @Test
    void shouldNameSourceLines()
    {
        final LoadedObject loaded = BpfObject.read(SampleObjects.full(), "filter.o").load(1, HelperSet.NONE);

        assertEquals("filter.o: program main, instruction 7 `call map_lookup_elem#1` (filter.c:14: return XDP_PASS;)" +
            ": there is no helper map_lookup_elem#1 here", loaded.refusals().get("main"));
    }

    @Test
    void shouldReadLegacyMaps()
    {
        final BpfObject object = BpfObject.read(SampleObjects.legacy(), "old.o");

        assertEquals(2, BpfObjectTest.run(object.load(1, StandardHelpers.all()), null));
        assertEquals(MapSpec.of("hash", MapKind.HASH, 4, 8, 16), object.maps().get(0).spec());
        assertEquals(MapSpec.of("array", MapKind.ARRAY, 4, 4, 3), object.maps().get(1).spec());
        assertNull(object.btf());
    }

    @Test
    void shouldLetTheCallerSayHowManyEntries()
    {
        final BpfObject object = object((types) -> SampleObjects.declaration(types, 2, 0, U32, U32));
        assertEquals("test.o: map m: it declares no max_entries; set how many it may have",
            assertThrows(ObjectException.class, () -> load(object).map("m")).getMessage());

        object.maxEntries("m", 12);

        assertEquals(12, load(object).map("m").maxEntries());
        assertThrows(ObjectException.class, () -> object.maxEntries("m", 0));
        assertEquals("test.o: there is no map n with entries; it has m",
            assertThrows(ObjectException.class, () -> object.maxEntries("n", 1)).getMessage());
    }

    @Test
    void shouldKeepMapsWithinLimits()
    {
        final BpfObject object = object((types) -> SampleObjects.declaration(types, 1, 0x7fff_ffff, U32, U32));
        assertTrue(assertThrows(ObjectException.class, () -> load(object).map("m")).getMessage()
            .contains("must be 1073741824 at most in all"));
        final LoadedObject unknown =
            load(object((types) -> SampleObjects.declaration(types, 99, 1, U32, U32)));
        assertEquals("test.o: map m: maps of type 99 do not exist here",
            assertThrows(ObjectException.class, () -> unknown.map("m")).getMessage());
        final LoadedObject huge = load(object((types) -> SampleObjects.declaration(types, 1, -1, U32, U32)));
        assertEquals("test.o: map m: max_entries 4294967295, must be 2147483647 at most",
            assertThrows(ObjectException.class, () -> huge.map("m")).getMessage());
    }

    @Test
    void shouldRefuseDeclarationsThatNobodyUnderstands()
    {
        assertRefused("map m: declared as INT, must be a struct", (types) -> U32);
        assertRefused("map m: member colour is not known",
            (types) -> types.struct("", 8, types.number("colour", 1, 0)));
        assertRefused("map m: member type is INT, must be a pointer",
            (types) -> types.struct("", 8, Member.of("type", U32, 0)));
        assertRefused("map m: member type is INT, must be a number",
            (types) -> types.struct("", 8, Member.of("type", types.pointer(U32), 0)));
        assertEquals("test.o: section .maps without .BTF; compile with clang -g",
            assertThrows(ObjectException.class, () ->
            {
                final ElfWriter elf = new ElfWriter();
                elf.data(".maps", new byte[8]);
                BpfObject.read(elf.bytes(), "test.o");
            }).getMessage());
    }

    @Test
    void shouldRefuseLegacyDeclarationsThatMeanMore()
    {
        final ElfWriter elf = new ElfWriter();
        elf.code("xdp", Assembler.assemble("mov %r0, 2", "exit"));
        final int maps = elf.data("maps",
            ElfWriter.little(52).putInt(2).putInt(4).putInt(4).putInt(3).putInt(0).putInt(1)
                .putInt(2).putInt(4).putInt(4).putInt(3).putInt(0).putInt(5).putInt(1).array());
        elf.symbol("more", ElfSymbol.OBJECT, 1, maps, 0, 24);
        elf.symbol("pinned", ElfSymbol.OBJECT, 1, maps, 24, 28);
        final LoadedObject loaded = load(BpfObject.read(elf.bytes(), "test.o"));

        assertEquals(3, loaded.map("pinned").maxEntries());
        assertTrue(loaded.object().maps().get(1).isPinned());
        assertTrue(assertThrows(ObjectException.class, () -> loaded.map("more")).getMessage()
            .contains("byte 20 of its declaration is 1"));
    }

    private void assertRefused(final String message, final ToIntFunction<TypeWriter> type)
    {
        final String told = assertThrows(ObjectException.class, () -> object(type)).getMessage();
        assertTrue(told.startsWith("test.o: " + message), told);
    }

    /** An object with one map of the declared type. */
    private static BpfObject object(final ToIntFunction<TypeWriter> type)
    {
        final ElfWriter elf = new ElfWriter();
        final TypeWriter types = new TypeWriter();
        types.integer("unsigned int", 4, 0);
        types.section(".maps", types.variable("m", type.applyAsInt(types)));
        elf.code("xdp", Assembler.assemble("mov %r0, 2", "exit"));
        final int maps = elf.data(".maps", new byte[40]);
        elf.symbol("m", ElfSymbol.OBJECT, 1, maps, 0, 40);
        elf.add(".BTF", ElfSection.PROGBITS, 0, types.bytes());
        return BpfObject.read(elf.bytes(), "test.o");
    }

    private static LoadedObject load(final BpfObject object)
    {
        return object.load(1, StandardHelpers.all());
    }
}
