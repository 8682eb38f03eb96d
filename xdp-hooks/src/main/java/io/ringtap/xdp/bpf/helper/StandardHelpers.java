package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.bpf.Helper;
import io.ringtap.xdp.bpf.Helper.Argument;
import io.ringtap.xdp.bpf.Helper.Result;
import io.ringtap.xdp.bpf.HelperSet;

import java.util.List;

/** All helpers that XDP programs find here. */
public final class StandardHelpers
{
    private static final HelperSet ALL = new HelperSet(List.of(
        Helper.of(1, "map_lookup_elem", MapHelpers::lookup, Result.VALUE_OR_NULL, Argument.MAP, Argument.KEY),
        Helper.of(2, "map_update_elem", MapHelpers::update, Result.NUMBER,
            Argument.MAP, Argument.KEY, Argument.VALUE, Argument.NUMBER),
        Helper.of(3, "map_delete_elem", MapHelpers::delete, Result.NUMBER, Argument.MAP, Argument.KEY),
        Helper.of(5, "ktime_get_ns", SystemHelpers::monotonic, Result.NUMBER),
        Helper.of(7, "get_prandom_u32", SystemHelpers::random, Result.NUMBER),
        Helper.of(8, "get_smp_processor_id", SystemHelpers::processor, Result.NUMBER)));

    private StandardHelpers()
    {
    }

    /** The set, one for the whole process: a helper has no state. */
    public static HelperSet all()
    {
        return ALL;
    }
}
