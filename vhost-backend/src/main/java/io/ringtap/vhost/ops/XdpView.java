package io.ringtap.vhost.ops;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.HookChain;
import io.ringtap.xdp.bpf.BpfHook;
import io.ringtap.xdp.bpf.BpfMap;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Hooks and programs as answers show them. */
final class XdpView
{
    private static final String[] DIRECTIONS = {"guest", "host"};

    private XdpView()
    {
    }

    /** The hooks of a NIC in the order in which frames meet them, with what all queues counted. */
    static Map<String, Object> nic(final Nic nic)
    {
        final Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("port", nic.name());
        shown.put("number", nic.number());
        for (int direction = FrameView.FROM_GUEST; direction <= FrameView.TO_GUEST; direction++)
        {
            final List<Map<String, Object>> hooks = counts(nic, direction);
            final List<AttachedProgram> programs = nic.hooks().programs(direction);
            final int fixed = hooks.size() - programs.size();
            for (int i = 0; i < programs.size() && 0 <= fixed; i++)
            {
                hooks.get(fixed + i).putAll(program(programs.get(i)));
            }
            shown.put(DIRECTIONS[direction], hooks);
        }
        return shown;
    }

    private static List<Map<String, Object>> counts(final Nic nic, final int direction)
    {
        final List<Map<String, Object>> hooks = new ArrayList<>();
        for (int queue = 0; queue < nic.hooks().queues(); queue++)
        {
            final List<HookChain.HookCount> counts = nic.hooks().chain(direction, queue).counts();
            for (int i = 0; i < counts.size(); i++)
            {
                if (hooks.size() == i)
                {
                    hooks.add(new LinkedHashMap<>(Map.of("hook", counts.get(i).name())));
                }
                add(hooks.get(i), counts.get(i));
            }
        }
        return hooks;
    }

    private static void add(final Map<String, Object> to, final HookChain.HookCount count)
    {
        sum(to, "pass", count.passed());
        sum(to, "drop", count.dropped());
        sum(to, "tx", count.sentBack());
        sum(to, "redirect", count.redirected());
        sum(to, "aborted", count.aborted());
        if (!count.firstError().isEmpty())
        {
            to.putIfAbsent("firstError", count.firstError());
        }
    }

    private static void sum(final Map<String, Object> to, final String name, final long more)
    {
        to.merge(name, more, (a, b) -> (Long)a + (Long)b);
    }

    /** What a program is, without what it counted. */
    static Map<String, Object> program(final AttachedProgram program)
    {
        final Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", program.id());
        shown.put("program", program.name());
        shown.put("direction", DIRECTIONS[program.direction()]);
        shown.put("form", program.code().form());
        shown.put("instructions", program.code().program().length());
        shown.put("license", program.code().program().license());
        final BpfHook first = program.hooks().get(0);
        shown.put("changesFrames", first.changesFrames());
        shown.put("wholeFrames", first.needsWholeFrames());
        long faults = 0;
        for (final BpfHook hook : program.hooks())
        {
            faults += hook.context().faults();
        }
        shown.put("faults", faults);
        final List<Object> maps = new ArrayList<>();
        for (final BpfMap map : program.object().maps())
        {
            maps.add(map(map));
        }
        shown.put("maps", maps);
        return shown;
    }

    /** What a map is. */
    static Map<String, Object> map(final BpfMap map)
    {
        final Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("map", map.name());
        shown.put("kind", map.kind().name());
        shown.put("keyBytes", map.keySize());
        shown.put("valueBytes", map.valueSize());
        shown.put("entries", map.maxEntries());
        return shown;
    }

    /** By queue, where there was one: how many, and the last in words. */
    static List<Map<String, Object>> faults(final Nic nic, final AttachedProgram program)
    {
        final List<Map<String, Object>> faults = new ArrayList<>();
        for (int queue = 0; queue < program.hooks().size(); queue++)
        {
            final BpfHook hook = program.hooks().get(queue);
            if (0 < hook.context().faults())
            {
                final Map<String, Object> shown = new LinkedHashMap<>();
                shown.put("port", nic.name());
                shown.put("id", program.id());
                shown.put("queue", queue);
                shown.put("count", hook.context().faults());
                shown.put("last", String.valueOf(hook.context().lastFault()));
                faults.add(shown);
            }
        }
        return faults;
    }
}
