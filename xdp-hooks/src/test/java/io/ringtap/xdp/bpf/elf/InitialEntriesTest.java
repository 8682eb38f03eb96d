package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.helper.StandardHelpers;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Maps that hold programs or maps from the beginning. */
class InitialEntriesTest
{
    @Test
    void shouldTailCallProgramsThatTheObjectLists()
    {
        final LoadedObject loaded = jumps("mov %r0, 1", 0, "drop");

        assertEquals(1, BpfObjectTest.run(loaded, "jump"));
        assertEquals(1, BpfObjectTest.run(loaded, "drop"));
    }

    @Test
    void shouldRefuseWhatLeadsToRefusedPrograms()
    {
        final LoadedObject loaded = jumps("call 9999", 0, "drop");

        assertEquals("test.o: program jump uses map jumps with a program that is refused: test.o: program drop, " +
            "instruction 0 `call helper#9999`: there is no helper helper#9999 here", loaded.refusals().get("jump"));
    }

    @Test
    void shouldRefuseProgramsOfOtherTypes()
    {
        assertEquals("test.o: program jump uses map jumps with tc, which is no XDP program",
            jumps("mov %r0, 1", 0, "tc").refusals().get("jump"));
    }

    @Test
    void shouldRefuseEntriesBeyondTheLast()
    {
        assertEquals("test.o: program jump uses map jumps, which lists entry 1 of 1",
            jumps("mov %r0, 1", 1, "drop").refusals().get("jump"));
    }

    @Test
    void shouldPutMapsIntoMaps()
    {
        for (final boolean isStatic : new boolean[]{false, true})
        {
            final LoadedObject loaded = load(SampleObjects.nested(12, 4, isStatic));

            assertEquals(2, BpfObjectTest.run(loaded, "xdp"));
            assertEquals("[{key: 0, value: 1}]", BtfPrinter.text(loaded.view("two").entries(9, true)));
        }
    }

    @Test
    void shouldRefuseMapsThatAreUnlikeTheOthers()
    {
        final String message =
            assertThrows(ObjectException.class, () -> nested(12, 3).map("outer")).getMessage();
        assertTrue(message.contains("is unlike its ARRAY"), message);
    }

    @Test
    void shouldRefuseKeysThatAreNoIndexes()
    {
        assertEquals("test.o: map outer: keys of 8 bytes, must be 4 where maps are listed",
            assertThrows(ObjectException.class, () -> nested(13, 4).map("outer")).getMessage());
    }

    private static LoadedObject jumps(final String line, final int place, final String listed)
    {
        return load(SampleObjects.jumps(line, place, listed));
    }

    private static LoadedObject nested(final int kind, final int entries)
    {
        return load(SampleObjects.nested(kind, entries, false));
    }

    private static LoadedObject load(final byte[] object)
    {
        return BpfObject.read(object, "test.o").load(1, StandardHelpers.all());
    }
}
