package io.ringtap.xdp.bpf;

import java.util.List;

/**
 * A function that programs call by number.
 *
 * @param id        the number in enum bpf_func_id of linux/bpf.h.
 * @param name      as in linux/bpf.h, without {@code bpf_}.
 * @param call      what it does.
 * @param result    what r0 is afterwards.
 * @param arguments what r1 to r5 are, only as many as it takes.
 */
public record Helper(int id, String name, HelperCall call, Result result, List<Argument> arguments)
{
    /** bpf_map_lookup_elem, which the compiler knows how to shorten. */
    public static final int MAP_LOOKUP = 1;
    /** bpf_tail_call, which the runtime does itself: no {@link HelperSet} need have it. */
    public static final int TAIL_CALL = 12;

    /** Keeps a copy. */
    public Helper
    {
        arguments = List.copyOf(arguments);
    }

    /** A helper with this many numbers for arguments. */
    public static Helper of(
        final int id, final String name, final HelperCall call, final Result result, final Argument... arguments)
    {
        return new Helper(id, name, call, result, List.of(arguments));
    }

    /** Whether it calls back into the program. */
    boolean takesFunction()
    {
        return arguments.contains(Argument.FUNCTION);
    }

    /** What r0 is after the call. */
    public enum Result
    {
        /** A number. */
        NUMBER,
        /** The address of a value of the map in r1, or 0. */
        VALUE_OR_NULL,
        /** Some other address, or 0. */
        ADDRESS_OR_NULL
    }

    /** What an argument register holds. */
    public enum Argument
    {
        /** Any number. */
        NUMBER,
        /** The program's context. */
        CONTEXT,
        /** A map. */
        MAP,
        /** Address of a key of the map. */
        KEY,
        /** Address of a value of the map. */
        VALUE,
        /** Address of memory that is read or written; its size is the next argument. */
        MEMORY,
        /** Bytes of the memory before it. */
        SIZE,
        /** A function of the program. */
        FUNCTION
    }
}
