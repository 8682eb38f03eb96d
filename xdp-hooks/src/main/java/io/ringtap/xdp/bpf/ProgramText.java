package io.ringtap.xdp.bpf;

import java.util.List;
import java.util.Map;

/**
 * A program as a loader hands it over: linked, with every relocation resolved, and not yet believed.
 * <p>
 * In the code, a wide instruction with source 1 carries the index of a map in its immediate; source 2 the same, and
 * an offset into the map's only value in the next slot's immediate; source 4 the distance to a function. Calls with
 * source 1 carry the distance to a function that lies in the same code.
 *
 * @param name      of the program, for messages and counters.
 * @param code      the entry function first, its subprograms behind it.
 * @param maps      what the code's map indexes mean.
 * @param space     where those maps lie; programs of one object share it. It holds all of {@code maps}.
 * @param functions names of functions by the index of their first instruction; may lack any.
 * @param lines     source lines, or {@link LineTable#NONE}.
 * @param license   what the object says; shown, never judged.
 */
public record ProgramText(
    String name,
    long[] code,
    List<BpfMap> maps,
    AddressSpace space,
    Map<Integer, String> functions,
    LineTable lines,
    String license)
{
    /** Keeps copies, so that what was verified is what runs. */
    public ProgramText
    {
        code = code.clone();
        maps = List.copyOf(maps);
        functions = Map.copyOf(functions);
    }

    /** A program of code alone. */
    public static ProgramText of(final String name, final long... code)
    {
        return new ProgramText(name, code, List.of(), new AddressSpace(), Map.of(), LineTable.NONE, "");
    }
}
