package io.ringtap.xdp.bpf.helper;

import io.ringtap.xdp.bpf.Helper;
import io.ringtap.xdp.bpf.Helper.Argument;
import io.ringtap.xdp.bpf.Helper.Result;
import io.ringtap.xdp.bpf.HelperCall;
import io.ringtap.xdp.bpf.HelperNames;
import io.ringtap.xdp.bpf.HelperSet;

import java.util.ArrayList;
import java.util.List;

/** All helpers that XDP programs find here; bpf_tail_call is the runtime's own. */
public final class StandardHelpers
{
    private static final HelperSet ALL = new StandardHelpers().set();

    private final List<Helper> helpers = new ArrayList<>();

    private StandardHelpers()
    {
        maps();
        frames();
        system();
        texts();
        records();
    }

    /** The set, one for the whole process: a helper has no state. */
    public static HelperSet all()
    {
        return ALL;
    }

    private HelperSet set()
    {
        return new HelperSet(helpers);
    }

    private void maps()
    {
        add(1, MapHelpers::lookup, Result.VALUE_OR_NULL, Argument.MAP, Argument.KEY);
        add(2, MapHelpers::update, Result.NUMBER, Argument.MAP, Argument.KEY, Argument.VALUE, Argument.NUMBER);
        add(3, MapHelpers::delete, Result.NUMBER, Argument.MAP, Argument.KEY);
        add(87, QueueHelpers::push, Result.NUMBER, Argument.MAP, Argument.VALUE, Argument.NUMBER);
        add(88, QueueHelpers::pop, Result.NUMBER, Argument.MAP, Argument.VALUE);
        add(89, QueueHelpers::peek, Result.NUMBER, Argument.MAP, Argument.VALUE);
        add(93, LockHelpers::lock, Result.NUMBER, Argument.NUMBER);
        add(94, LockHelpers::unlock, Result.NUMBER, Argument.NUMBER);
        add(164, LoopHelpers::forEach, Result.NUMBER,
            Argument.MAP, Argument.FUNCTION, Argument.NUMBER, Argument.NUMBER);
        add(181, LoopHelpers::loop, Result.NUMBER,
            Argument.NUMBER, Argument.FUNCTION, Argument.NUMBER, Argument.NUMBER);
        add(195, MapHelpers::lookupOnQueue, Result.VALUE_OR_NULL, Argument.MAP, Argument.KEY, Argument.NUMBER);
    }

    private void frames()
    {
        add(23, RedirectHelpers::redirect, Result.NUMBER, Argument.NUMBER, Argument.NUMBER);
        add(28, ChecksumHelpers::difference, Result.NUMBER,
            Argument.MEMORY, Argument.SIZE, Argument.MEMORY, Argument.SIZE, Argument.NUMBER);
        add(44, FrameHelpers::adjustHead, Result.NUMBER, Argument.CONTEXT, Argument.NUMBER);
        add(51, RedirectHelpers::redirectMap, Result.NUMBER, Argument.MAP, Argument.NUMBER, Argument.NUMBER);
        add(54, FrameHelpers::adjustMeta, Result.NUMBER, Argument.CONTEXT, Argument.NUMBER);
        add(65, FrameHelpers::adjustTail, Result.NUMBER, Argument.CONTEXT, Argument.NUMBER);
        add(69, RouteHelpers::lookup, Result.NUMBER,
            Argument.CONTEXT, Argument.MEMORY, Argument.SIZE, Argument.NUMBER);
        add(163, RouteHelpers::checkMtu, Result.NUMBER,
            Argument.CONTEXT, Argument.NUMBER, Argument.NUMBER, Argument.NUMBER, Argument.NUMBER);
        add(188, FrameHelpers::length, Result.NUMBER, Argument.CONTEXT);
        add(189, FrameHelpers::load, Result.NUMBER,
            Argument.CONTEXT, Argument.NUMBER, Argument.MEMORY, Argument.SIZE);
        add(190, FrameHelpers::store, Result.NUMBER,
            Argument.CONTEXT, Argument.NUMBER, Argument.MEMORY, Argument.SIZE);
    }

    private void system()
    {
        add(5, SystemHelpers::monotonic, Result.NUMBER);
        add(7, SystemHelpers::random, Result.NUMBER);
        add(8, SystemHelpers::processor, Result.NUMBER);
        add(42, SystemHelpers::node, Result.NUMBER);
        add(118, SystemHelpers::ticks, Result.NUMBER);
        add(125, SystemHelpers::sinceBoot, Result.NUMBER);
        add(160, SystemHelpers::coarse, Result.NUMBER);
    }

    private void texts()
    {
        add(6, PrintHelpers::print, Result.NUMBER,
            Argument.MEMORY, Argument.SIZE, Argument.NUMBER, Argument.NUMBER, Argument.NUMBER);
        add(105, TextHelpers::signed, Result.NUMBER,
            Argument.MEMORY, Argument.SIZE, Argument.NUMBER, Argument.NUMBER);
        add(106, TextHelpers::unsigned, Result.NUMBER,
            Argument.MEMORY, Argument.SIZE, Argument.NUMBER, Argument.NUMBER);
        add(165, PrintHelpers::format, Result.NUMBER,
            Argument.MEMORY, Argument.SIZE, Argument.NUMBER, Argument.MEMORY, Argument.SIZE);
        add(177, PrintHelpers::printAll, Result.NUMBER,
            Argument.MEMORY, Argument.SIZE, Argument.MEMORY, Argument.SIZE);
        add(182, TextHelpers::compare, Result.NUMBER, Argument.MEMORY, Argument.SIZE, Argument.NUMBER);
    }

    private void records()
    {
        add(25, RecordHelpers::perfEvent, Result.NUMBER,
            Argument.CONTEXT, Argument.MAP, Argument.NUMBER, Argument.MEMORY, Argument.SIZE);
        add(130, RecordHelpers::output, Result.NUMBER,
            Argument.MAP, Argument.MEMORY, Argument.SIZE, Argument.NUMBER);
        add(131, RecordHelpers::reserve, Result.ADDRESS_OR_NULL, Argument.MAP, Argument.NUMBER, Argument.NUMBER);
        add(132, RecordHelpers::submit, Result.NUMBER, Argument.NUMBER, Argument.NUMBER);
        add(133, RecordHelpers::discard, Result.NUMBER, Argument.NUMBER, Argument.NUMBER);
        add(134, RecordHelpers::query, Result.NUMBER, Argument.MAP, Argument.NUMBER);
    }

    private void add(final int id, final HelperCall call, final Result result, final Argument... arguments)
    {
        helpers.add(Helper.of(id, HelperNames.name(id), call, result, arguments));
    }
}
